"""People of a workspace, as the engine knows people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.models import QuerySet
from django.utils import timezone

from builder.models import Membership, StandIn
from engine.core.state.requests import Actor


def actor_of(member: Membership) -> Actor:
    """Return the member as the engine knows people, with whom they stand in for today."""
    found = stand_ins_now(member.workspace_id, to=member.user_id)
    return replace(_alone(member), stands_for=_absent(found)) if found else _alone(member)


def actors_in(workspace_id: str | None, away: Sequence[StandIn] | None = None) -> list[Actor]:
    """Return everyone who may sign in to the workspace, with whom they stand in for.

    `away` is who is absent today where that was read already. Three queries at most.
    """
    people = [_alone(member) for member in _active(workspace_id)]
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
    rows = StandIn.objects.about(now).in_workspace(workspace_id)
    rows = rows if to is None else rows.filter(to=to)
    return [row for row in rows if row.holds(now)]


def _absent(found: Iterable[StandIn], known: dict[str, Actor] | None = None) -> tuple[Actor, ...]:
    """Return those people without whom they stand in for themselves: nobody's place passes on."""
    rows = list(found)
    if known is None and rows:
        ids = [row.absent_id for row in rows]
        members = _active(rows[0].workspace_id).filter(user__in=ids)
        known = {member.user_id: _alone(member) for member in members}
    people = known or {}
    return tuple(people[row.absent_id] for row in rows if row.absent_id in people)


def _active(workspace_id: str | None) -> QuerySet[Membership]:
    rows = Membership.objects.filter(workspace=workspace_id, user__is_active=True)
    found = rows.select_related("user").prefetch_related("groups")
    return found.order_by("created_at", "pk")


def _alone(member: Membership) -> Actor:
    """Return the member in their own place; their groups may be prefetched."""
    return Actor(
        id=member.user_id,
        name=str(member.user),
        kind="user",
        roles=frozenset({member.role}),
        groups=frozenset(group.name for group in member.groups.all()),
        login=member.user.email,
    )
