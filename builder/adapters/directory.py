"""People of a workspace, as the engine knows people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone

from builder.base.clock import days_about
from builder.models import Membership, StandIn
from builder.models.ledger.places import groups_of
from builder.models.prepared import Prepared, day
from engine.core.state.requests import Actor


def actor_of(member: Membership) -> Actor:
    """Return the member as the engine knows people, with whom they stand in for today."""
    found = stand_ins_now(member.workspace_id, to=member.user_id)
    alone = _known(member, groups_of(member))
    return replace(alone, stands_for=_absent(found)) if found else alone


def actors_in(workspace_id: str | None, away: Sequence[StandIn] | None = None) -> list[Actor]:
    """Return everyone who may sign in to the workspace, with whom they stand in for.

    `away` is who is absent today where that was read already. Three queries at most.
    """
    people = [] if workspace_id is None else _everyone(workspace_id)
    found = stand_ins_now(workspace_id) if away is None else away
    if not found:
        return people
    by_id = {one.id: one for one in people}
    return [
        replace(one, stands_for=_absent((s for s in found if s.to_id == one.id), by_id))
        for one in people
    ]


def stand_ins_now(workspace_id: str | None, *, to: str | None = None) -> list[StandIn]:
    """Return the absences of today in the workspace's time zone; `to` narrows to one stand-in."""
    if workspace_id is None:
        return []
    now = timezone.now()
    rows = STAND_INS.all(workspace_id, *days_about(now))
    return [row for row in rows if row.holds(now) and to in (None, row.to_id)]


def _absent(found: Iterable[StandIn], known: dict[str, Actor] | None = None) -> tuple[Actor, ...]:
    """Return those people without whom they stand in for themselves: nobody's place passes on."""
    rows = list(found)
    if known is None and rows:
        ids = [row.absent_id for row in rows]
        members = _active(rows[0].workspace_id).filter(user__in=ids)
        members = members.prefetch_related("groups")
        known = {
            member.user_id: _known(member, (group.name for group in member.groups.all()))
            for member in members
        }
    people = known or {}
    return tuple(people[row.absent_id] for row in rows if row.absent_id in people)


def _everyone(workspace_id: str) -> list[Actor]:
    groups: dict[str, list[str]] = defaultdict(list)
    for membership, name in GROUPS.tuples(workspace_id):
        groups[membership].append(name)
    return [_known(member, groups[member.pk]) for member in ACTIVE.all(workspace_id)]


def _active(workspace_id: str | None) -> QuerySet[Membership]:
    rows = Membership.objects.filter(workspace=workspace_id, user__is_active=True)
    return rows.select_related("user").order_by("created_at", "pk")


def _known(member: Membership, groups: Iterable[str]) -> Actor:
    return Actor(
        id=member.user_id,
        name=str(member.user),
        kind="user",
        roles=frozenset({member.role}),
        groups=frozenset(groups),
        login=member.user.email,
    )


ACTIVE: Final = Prepared(_active)
GROUPS: Final = Prepared(
    lambda workspace: Membership.objects.filter(
        workspace=workspace, groups__isnull=False
    ).values_list("pk", "groups__name")
)
STAND_INS: Final = Prepared(
    lambda workspace, first, last: StandIn.objects.between(day(first), day(last)).filter(
        workspace=workspace
    )
)
