"""In whose place a member decides, and what of the inbox may be decided in it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Final

from django.apps import apps
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from builder.base.clock import days_about
from builder.models.ledger.asking import Reviewer, beside, by_group, for_role, in_person
from builder.models.prepared import Prepared, day

if TYPE_CHECKING:
    from builder.models import Membership

ABSENCES: Final = Prepared(
    lambda workspace, user, yesterday, tomorrow: (
        _table("StandIn")
        .between(day(yesterday), day(tomorrow))
        .filter(workspace=workspace, to=user)
    )
)
GROUPS: Final = Prepared(
    lambda member: _table("Group").filter(memberships=member).order_by("name").values_list("name")
)


def reviewers_of(member: Membership) -> list[Reviewer]:
    """Return the member, and those in whose place they decide today: who stands in for whom."""
    now = timezone.now()
    rows = ABSENCES.all(member.workspace_id, member.user_id, *days_about(now))
    absent = [row.absent_id for row in rows if row.holds(now)]
    if not absent:
        return [_reviewer(member)]
    others = type(member).objects.filter(workspace=member.workspace_id, user__in=absent)
    active = others.filter(user__is_active=True).select_related("user")
    return [_reviewer(one) for one in (member, *active)]


def groups_of(member: Membership) -> list[str]:
    """Return the names of a member's groups, in order."""
    return [name for (name,) in GROUPS.tuples(member.pk)]


def askable(reviewers: Sequence[Reviewer]) -> Q:
    """Return what the first of them may decide, in whoever's place, and does not hold."""
    by = reviewers[0]
    asked = reduce(or_, [_asked_of(one, by) for one in reviewers])
    held = beside("HeldDecision", user=by.user_id, state__in=("held", "sending"))
    return asked & for_role(by.role) & ~Q(held)


def _asked_of(one: Reviewer, by: Reviewer) -> Q:
    """Return what asks one member and another may decide in their place: four eyes hold for both."""
    found = (by_group(one) | in_person(one)) & for_role(one.role)
    if one.user_id != by.user_id:
        found &= ~Q(beside("Decision", decided_by=one.user_id))
    people = {one.user_id, by.user_id}
    switched = _table("Trigger").filter(switched_by__in=people, workspace=by.workspace_id)
    theirs = Q(started_by__in=people) | Q(trigger__in=switched.values("pk"))
    own = _table("Run").filter(theirs, pk=OuterRef("run"), workspace=by.workspace_id)
    strict = beside("InterruptCard", four_eyes__contains="starter")
    return found & ~(Q(strict) & Q(Exists(own)))


def _reviewer(member: Membership) -> Reviewer:
    return Reviewer(
        user_id=member.user_id,
        workspace_id=member.workspace_id,
        role=member.role,
        entry=f"user:{member.user_id}",
        login=f"user:{member.user.email}",
        entries=[f"role:{member.role}", *(f"group:{name}" for name in groups_of(member))],
    )


def _table(model: str) -> Any:
    return apps.get_model("builder", model)._default_manager
