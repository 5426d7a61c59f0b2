"""People of a workspace, as the engine knows people."""

from __future__ import annotations

from builder.models import Membership
from engine.core.state.requests import Actor


def actor_of(member: Membership) -> Actor:
    """Return the member as the engine knows people; their groups may be prefetched."""
    return Actor(
        id=member.user_id,
        name=str(member.user),
        kind="user",
        roles=frozenset({member.role}),
        groups=frozenset(group.name for group in member.groups.all()),
        login=member.user.email,
    )


def actors_in(workspace_id: str | None) -> list[Actor]:
    """Return everyone who may sign in to the workspace, in two queries."""
    members = Membership.objects.filter(workspace=workspace_id, user__is_active=True)
    found = members.select_related("user").prefetch_related("groups").order_by("created_at", "pk")
    return [actor_of(member) for member in found]
