"""Who may do what: one table of roles, and predicates that services and the API share."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from builder.base.errors import NotAllowed
from builder.models import Role

if TYPE_CHECKING:
    from builder.models import Membership, Run


class Right(StrEnum):
    """One kind of action in a workspace."""

    VIEW = "view"
    EDIT = "edit"
    RUN = "run"
    CANCEL = "cancel"
    DECIDE = "decide"
    BUDGET = "budget"
    ADMIN = "admin"


RIGHTS: Final[Mapping[str, frozenset[Right]]] = {
    Role.VIEWER: frozenset({Right.VIEW}),
    Role.AUTHOR: frozenset({Right.VIEW, Right.EDIT, Right.RUN}),
    Role.REVIEWER: frozenset({Right.VIEW, Right.DECIDE}),
    Role.OPERATOR: frozenset({Right.VIEW, Right.RUN, Right.CANCEL, Right.DECIDE}),
    Role.ADMIN: frozenset(Right),
}
QUESTIONS: Final = frozenset({"text", "choice", "multi-choice", "form"})
"""Kinds of interrupts that ask for an answer rather than a decision."""


def may(member: Membership, right: Right) -> bool:
    """Return whether the member's role includes `right`."""
    return right in RIGHTS.get(member.role, frozenset())


def require(member: Membership, right: Right) -> None:
    """Raise `NotAllowed` unless the member's role includes `right`."""
    if not may(member, right):
        raise NotAllowed(f"this takes the right to {right}, which the role {member.role} lacks")


def may_comment(member: Membership) -> bool:
    """Return whether the member has a voice beside the work: who runs, draws or decides does."""
    return may(member, Right.RUN) or may(member, Right.DECIDE)


def may_cancel(member: Membership, run: Run) -> bool:
    """Operators cancel any run, authors those they started."""
    if run.status in run.ENDED:
        return False
    own = run.started_by == member.user_id and may(member, Right.RUN)
    return own or may(member, Right.CANCEL)


def may_retry(member: Membership, run: Run) -> bool:
    """A run that ended badly may be retried by who may run."""
    return run.status in run.ENDED - {run.Status.COMPLETED} and may(member, Right.RUN)


def may_fork(member: Membership, run: Run) -> bool:
    """A run that is over may be forked by who may run."""
    return run.status in run.ENDED and may(member, Right.RUN)
