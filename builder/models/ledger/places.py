"""In whose place a member decides, and what of the inbox may be decided in it."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from builder.models.ledger.asking import beside, by_group, for_role, in_person

if TYPE_CHECKING:
    from builder.models import Membership


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


def askable(member: Membership) -> Q:
    """Return what the member may decide, in whatever place, and does not hold."""
    asked = reduce(or_, [_asked_of(one, member) for one in places_of(member)])
    held = beside("HeldDecision", user=member.user_id, state__in=("held", "sending"))
    return asked & for_role(member.role) & ~Q(held)


def _asked_of(one: Membership, by: Membership) -> Q:
    """Return what asks one member and another may decide in their place: four eyes hold for both."""
    found = (by_group(one) | in_person(one)) & for_role(one.role)
    if one.user_id != by.user_id:
        found &= ~Q(beside("Decision", decided_by=one.user_id))
    people = {one.user_id, by.user_id}
    triggers = one._meta.apps.get_model("builder", "Trigger")._default_manager
    switched = triggers.filter(switched_by__in=people, workspace=by.workspace_id)
    theirs = Q(started_by__in=people) | Q(trigger__in=switched.values("pk"))
    runs = one._meta.apps.get_model("builder", "Run")._default_manager
    own = runs.filter(theirs, pk=OuterRef("run"), workspace=by.workspace_id)
    strict = beside("InterruptCard", four_eyes__contains="starter")
    return found & ~(Q(strict) & Q(Exists(own)))
