"""Conditions on interrupts: whom they ask, whom they ask back, and what comes back on top."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.apps import apps
from django.db.models import BigIntegerField, Case, Exists, F, Func, OuterRef, Q, Value, When

from builder.models.prepared import Prepared
from engine.core.people.eligibility import ANSWERING_ROLES, DECIDING_ROLES, QUESTIONS

NO_DEADLINE: Final = 2**62


@dataclass(frozen=True, slots=True)
class Reviewer:
    """What conditions on interrupts read of a member; all but the role may be stand-ins of a prepared query.

    `entry` is `user:` with the id, `login` with the mail address, `entries` what asks role and groups.
    """

    user_id: Any
    workspace_id: Any
    role: str
    entry: Any
    login: Any
    entries: Any


def beside(model: str, *conditions: Q, **fields: Any) -> Exists:
    """Return whether the interrupt has a row of a table of `builder` that meets all of it.

    Asked of one interrupt at a time: a list that is read in the order of an index ends with its page.
    """
    rows = apps.get_model("builder", model)._default_manager
    return Exists(rows.filter(*conditions, interrupt=OuterRef("pk"), **fields))


def in_person(reviewer: Reviewer, *absent: Reviewer) -> Q:
    """Those that name the reviewer, and what they were asked by somebody or have claimed.

    Of the `absent` in whose place they decide, too; a question back is for one person alone.
    """
    found = asks(reviewer.user_id)
    for one in (reviewer, *absent):
        named = Q(principal=one.entry) | Q(principal__iexact=one.login)
        found |= Q(beside("Asked", named))
        found |= Q(beside("Delegation", to=one.user_id)) | Q(beside("Claim", user=one.user_id))
    return found


def by_group(reviewer: Reviewer) -> Q:
    """Those that ask a group or role of the reviewer, or their role where nobody is named."""
    found = Q(beside("Asked", principal__in=reviewer.entries))
    if reviewer.role in ANSWERING_ROLES:
        found |= ~Q(beside("Asked")) & for_role(reviewer.role)
    return found


def for_role(role: str) -> Q:
    """Those of a kind that a role may decide or answer."""
    if role not in ANSWERING_ROLES:
        return Q(pk__in=())
    return Q() if role in DECIDING_ROLES else Q(kind__in=QUESTIONS)


def asks(user_id: str) -> Q:
    """Those that ask this person back now."""
    return Q(beside("AskedBack", asked_to=user_id, outcome=""))


def waits() -> Q:
    """Those whose clock stands still, as somebody was asked back."""
    return Q(beside("AskedBack", outcome=""))


def decided_order() -> Func:
    """Return the order by when it was decided, what is open as the earliest; an index holds it."""
    spelled = "COALESCE(%(expressions)s, 0)"  # a parameter in place of 0 would not find the index
    return Func(F("decided_at"), template=spelled, output_field=BigIntegerField())


def deadline_order() -> Func:
    """Return the order by deadline, what has none as the latest; an index holds it."""
    spelled = f"COALESCE(%(expressions)s, {NO_DEADLINE})"  # no parameter, as above
    return Func(F("expires_at"), template=spelled, output_field=BigIntegerField())


def any_on_top(user_id: str, workspace_id: str) -> bool:
    """Return whether anything of a workspace comes before all else: mostly nothing does."""
    return any_asked_back(user_id) or bool(REPLIED.tuples(workspace_id))


def any_asked_back(user_id: str) -> bool:
    """Return whether anything waits for a reply of the person: found by an index, while most ask nobody."""
    return bool(ASKED_BACK.tuples(user_id))


def on_top(user_id: str) -> Any:
    """Return the ids of what comes before all else: what asks the person back, and what got a reply.

    They are found by an index each, in the database: other workspaces' are among them. Told apart, they
    leave the order of all others to one index.
    """
    return _asked_back(user_id).union(_replied(), all=True)


def turn_order(user_id: str) -> Case:
    """Return the order of what is on top: what asks the person back, then the latest reply."""
    asked = Q(pk__in=_asked_back(user_id))
    first = -(2**62)
    latest = -F("card__turn_at")
    return Case(When(asked, then=Value(first)), default=latest, output_field=BigIntegerField())


def _asked_back(user_id: str) -> Any:
    """Return the ids of the interrupts that wait for a reply of the person."""
    rows = apps.get_model("builder", "AskedBack")._default_manager
    return rows.filter(asked_to=user_id, outcome="").values_list("interrupt")


def _replied() -> Any:
    """Return the ids of the open interrupts, of any workspace, that got a reply."""
    cards = apps.get_model("builder", "InterruptCard")._default_manager
    return cards.filter(turn_at__isnull=False, decided_at__isnull=True).values_list("interrupt")


def _in_workspace(workspace: str) -> Exists:
    interrupts = apps.get_model("builder", "Interrupt")._default_manager
    return Exists(interrupts.filter(pk=OuterRef("interrupt"), workspace=workspace))


ASKED_BACK: Final = Prepared(lambda user: _asked_back(user)[:1])
REPLIED: Final = Prepared(lambda workspace: _replied().filter(_in_workspace(workspace))[:1])
"""From the few replies to their workspace: joined, all that is open there would be looked through."""
