"""Conditions on interrupts: whom they ask, whom they ask back, and what comes back on top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.apps import apps
from django.db.models import BigIntegerField, Case, F, FloatField, Func, Q, Value, When
from django.db.models.functions import Cast

from engine.core.people.eligibility import ANSWERING_ROLES, DECIDING_ROLES, QUESTIONS

if TYPE_CHECKING:
    from builder.models import Membership

ON_TOP: Final = 1e15
"""Above every amount, moment and risk that lists sort by."""


def in_person(member: Membership, *absent: Membership) -> Q:
    """Those that name the member, and what they were asked by somebody or have claimed.

    Of the `absent` in whose place the member decides, too; a question back is for one person alone.
    """
    found = asks(member.user_id)
    for one in (member, *absent):
        found |= Q(asked__principal=f"user:{one.user_id}")
        found |= Q(asked__principal__iexact=f"user:{one.user.email}")
        found |= Q(delegations__to=one.user_id) | Q(claim__user=one.user_id)
    return found


def by_group(member: Membership) -> Q:
    """Those that ask a group or role of the member, or their role where nobody is named."""
    names = [f"role:{member.role}"]
    names += [f"group:{name}" for name in member.groups.values_list("name", flat=True)]
    found = Q(asked__principal__in=names)
    if member.role in ANSWERING_ROLES:
        unnamed = Q(asked__isnull=True)
        decides = member.role in DECIDING_ROLES
        found |= unnamed if decides else unnamed & Q(kind__in=QUESTIONS)
    return found


def asks(user_id: str) -> Q:
    """Those that ask this person back now."""
    return Q(asked_back__asked_to=user_id, asked_back__outcome="")


def waits() -> Q:
    """Those whose clock stands still, as somebody was asked back."""
    return Q(asked_back__outcome="", asked_back__isnull=False)


def decided_order() -> Func:
    """Return the order by when it was decided, what is open as the earliest; an index holds it."""
    spelled = "COALESCE(%(expressions)s, 0)"  # a parameter in place of 0 would not find the index
    return Func(F("decided_at"), template=spelled, output_field=BigIntegerField())


def turn_order(field: str, user_id: str, *, largest_first: bool) -> Case:
    """Return an order by `field` in which first comes what asks the person back, whose clock stands.

    Then what got a reply, the latest of all.
    """
    asked = Q(pk__in=_asked_back(user_id))
    very_top = Value(2 * ON_TOP if largest_first else -2 * ON_TOP, output_field=FloatField())
    top = F("card__turn_at") + ON_TOP if largest_first else -F("card__turn_at") - ON_TOP
    still_open = Q(status="open", card__turn_at__isnull=False)
    first = When(still_open, then=Cast(top, FloatField()))
    return Case(When(asked, then=very_top), first, default=Cast(F(field), FloatField()))


def _asked_back(user_id: str) -> Any:
    """Return the ids of the interrupts that wait for a reply of the person."""
    rows = apps.get_model("builder", "AskedBack")._default_manager
    return rows.filter(asked_to=user_id, outcome="").values("interrupt")
