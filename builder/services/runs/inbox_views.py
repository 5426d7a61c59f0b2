"""Views of the inbox that people save: a name for what they narrow it to, their own or shared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from builder.base.errors import Conflict, InvalidInput, NotAllowed, NotFound
from builder.models import Membership, SavedView, Workspace
from builder.services.permissions import Right, may

MOST: Final = 20
"""Views that one person saves in a workspace."""
SHOWN: Final = 50


def views_of(member: Membership) -> QuerySet[SavedView]:
    """Return the member's own views, and what others share with the workspace."""
    rows = SavedView.objects.filter(workspace=member.workspace_id).select_related("user")
    return rows.filter(Q(user=member.user_id) | Q(shared=True)).order_by("name", "pk")[:SHOWN]


def save_view(
    member: Membership, name: str, query: Mapping[str, str], *, shared: bool
) -> SavedView:
    """Save a view; one of the same name is replaced. Sharing takes who may run or decide.

    Raises `InvalidInput`, `NotAllowed`, `Conflict` `TooMany`.
    """
    called = name.strip()
    if shared and not (may(member, Right.RUN) or may(member, Right.DECIDE)):
        raise NotAllowed("who only looks on shares no views")
    if not called:
        raise InvalidInput("a name", path="name")
    with transaction.atomic():
        Workspace.objects.select_for_update().get(pk=member.workspace_id)
        mine = SavedView.objects.filter(workspace=member.workspace_id, user=member.user_id)
        if mine.exclude(name=called).count() >= MOST:
            raise Conflict(f"at most {MOST} views: delete one first", code="TooMany")
        kept, _ = SavedView.objects.update_or_create(
            workspace_id=member.workspace_id,
            user=member.user,
            name=called,
            defaults={"query": dict(query), "shared": shared},
        )
    return kept


def delete_view(member: Membership, view_id: str) -> None:
    """Delete one's own view. Raises `NotFound` for anything else."""
    mine = SavedView.objects.filter(workspace=member.workspace_id, user=member.user_id)
    if not mine.filter(pk=view_id).delete()[0]:
        raise NotFound("no such view of yours")
