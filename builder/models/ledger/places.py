"""In whose place a member decides, and what of the inbox may be decided in it."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import Q
from django.utils import timezone

from builder.models.ledger.asking import by_group, in_person
from engine.core.people.eligibility import ANSWERING_ROLES, DECIDING_ROLES, QUESTIONS

if TYPE_CHECKING:
    from builder.models import Membership
    from builder.models.querysets import InterruptQuerySet

Rows = TypeVar("Rows", bound="InterruptQuerySet")


def places_of(member: Membership) -> list[Membership]:
    """Return the member, and those in whose place they decide today: who stands in for whom."""
    now = timezone.now()
    rows = member._meta.apps.get_model("builder", "StandIn")._default_manager.about(now)
    mine = rows.filter(workspace=member.workspace_id, to=member.user_id)
    absent = [row.absent_id for row in mine if row.holds(now)]
    if not absent:
        return [member]
    others = type(member).objects.filter(workspace=member.workspace_id, user__in=absent)
    return [member, *others.filter(user__is_active=True).select_related("user")]


def askable(rows: Rows, member: Membership) -> Rows:
    """Return what the member may decide, in whatever place, and does not hold."""
    asked = [_asked_of(rows, one, member) for one in places_of(member)]
    found = reduce(or_, [Q(pk__in=some.values("pk")) for some in asked])
    mine = _for_role(rows.filter(found), member.role)
    waiting = Q(held__user=member.user_id, held__state__in=("held", "sending"))
    return mine.exclude(pk__in=rows.filter(waiting).values("pk"))


def _asked_of(rows: Rows, one: Membership, by: Membership) -> Rows:
    """Return what asks one member and another may decide in their place: four eyes hold for both."""
    asked = rows.filter(in_person(one) | by_group(one))
    found = _for_role(rows.filter(pk__in=asked.values("pk")), one.role)
    if one.user_id != by.user_id:
        found = found.exclude(decisions__decided_by=one.user_id)
    runs: Any = rows.model._meta.apps.get_model("builder", "Run")
    people = {one.user_id, by.user_id}
    switched = rows.model._meta.apps.get_model("builder", "Trigger")._default_manager.filter(
        switched_by__in=people, workspace=by.workspace_id
    )
    theirs = Q(started_by__in=people) | Q(trigger__in=switched.values("pk"))
    own = runs.objects.filter(theirs, workspace=by.workspace_id)
    mine = rows.filter(card__four_eyes__contains="starter", run__in=own.values("pk"))
    return found.exclude(pk__in=mine.values("pk"))


def _for_role(rows: Rows, role: str) -> Rows:
    """Return what a role may decide or answer."""
    if role not in ANSWERING_ROLES:
        return rows.none()
    return rows if role in DECIDING_ROLES else rows.filter(kind__in=QUESTIONS)
