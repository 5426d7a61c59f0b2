"""The one decision service: every channel answers interrupts through it."""

from __future__ import annotations

from typing import Any

from builder import runtime
from builder.errors import NotAllowed
from builder.models import Interrupt, Membership
from builder.permissions import QUESTIONS, Right, require
from engine.requests import Actor, Answer


def answer_interrupt(
    member: Membership, interrupt: Interrupt, answer: Answer, *, interactive: bool
) -> dict[str, Any]:
    """Hand an answer to the engine, which decides who may, and return the decided record.

    Without an interactive session (an API token) only questions can be answered: decisions are
    made by people who look. Raises `RequestRefused` as the engine does.
    """
    require(member, Right.VIEW)
    if not interactive and interrupt.kind not in QUESTIONS:
        raise NotAllowed("a decision needs a signed-in person", code="NotEligible")
    return runtime.engine().answer(interrupt.pk, answer, actor_of(member))


def actor_of(member: Membership) -> Actor:
    """Return the member as the engine knows people."""
    return Actor(
        id=member.user_id,
        name=str(member.user),
        kind="user",
        roles=frozenset({member.role}),
        groups=frozenset(group.name for group in member.groups.all()),
    )


def actors_of(workspace_id: str) -> list[Actor]:
    """Return the members of a workspace as the engine knows people."""
    rows = Membership.objects.in_workspace(workspace_id).filter(user__is_active=True)
    return [actor_of(row) for row in rows.select_related("user").prefetch_related("groups")]
