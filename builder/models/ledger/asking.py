"""Conditions on interrupts: whom they ask, whom they ask back, and what comes back on top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.apps import apps
from django.db.models import BigIntegerField, Case, Exists, F, Func, OuterRef, Q, Value, When

from engine.core.people.eligibility import ANSWERING_ROLES, DECIDING_ROLES, QUESTIONS

if TYPE_CHECKING:
    from builder.models import Membership

NO_DEADLINE: Final = 2**62


def beside(model: str, *conditions: Q, **fields: Any) -> Exists:
    """Return whether the interrupt has a row of a table of `builder` that meets all of it.

    Asked of one interrupt at a time: a list that is read in the order of an index ends with its page.
    """
    rows = apps.get_model("builder", model)._default_manager
    return Exists(rows.filter(*conditions, interrupt=OuterRef("pk"), **fields))


def in_person(member: Membership, *absent: Membership) -> Q:
    """Those that name the member, and what they were asked by somebody or have claimed.

    Of the `absent` in whose place the member decides, too; a question back is for one person alone.
    """
    found = asks(member.user_id)
    for one in (member, *absent):
        by_id = Q(principal=f"user:{one.user_id}")
        found |= Q(beside("Asked", by_id | Q(principal__iexact=f"user:{one.user.email}")))
        found |= Q(beside("Delegation", to=one.user_id)) | Q(beside("Claim", user=one.user_id))
    return found


def by_group(member: Membership) -> Q:
    """Those that ask a group or role of the member, or their role where nobody is named."""
    names = [f"role:{member.role}"]
    names += [f"group:{name}" for name in member.groups.values_list("name", flat=True)]
    found = Q(beside("Asked", principal__in=names))
    if member.role in ANSWERING_ROLES:
        found |= ~Q(beside("Asked")) & for_role(member.role)
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


def on_top(user_id: str) -> Any:
    """Return the ids of what comes before all else: what asks the person back, and what got a reply.

    They are found by an index each, in the database: other workspaces' are among them. Told apart, they
    leave the order of all others to one index.
    """
    cards = apps.get_model("builder", "InterruptCard")._default_manager
    replied = cards.filter(turn_at__isnull=False, decided_at__isnull=True).values_list("interrupt")
    return _asked_back(user_id).union(replied, all=True)


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
