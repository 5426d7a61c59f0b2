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
LONGEST: Final = 60
"""Characters of a name."""


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
    called = _named(name)
    _require_may_share(member, shared=shared)
    with transaction.atomic():
        Workspace.objects.select_for_update().get(pk=member.workspace_id)
        kept = _called(member, called)
        if kept is None:
            if _own(member).count() >= MOST:
                raise Conflict(f"at most {MOST} views: delete one first", code="TooMany")
            kept = SavedView(workspace_id=member.workspace_id, user=member.user)
        kept.name, kept.query, kept.shared = called, dict(query), shared
        kept.save()
    return kept


def change_view(
    member: Membership,
    view_id: str,
    *,
    name: str | None = None,
    query: Mapping[str, str] | None = None,
    shared: bool | None = None,
) -> SavedView:
    """Change one's own view; what is None stays.

    Raises `NotFound`, `InvalidInput`, `NotAllowed`, `Conflict` `NameTaken`.
    """
    with transaction.atomic():
        Workspace.objects.select_for_update().get(pk=member.workspace_id)
        view = _own(member).select_related("user").filter(pk=view_id).first()
        if view is None:
            raise NotFound("no such view of yours")
        if name is not None:
            view.name = _named(name)
            known = _called(member, view.name)
            if known is not None and known.pk != view_id:
                raise Conflict(
                    f"you have a view {known.name!r} already: choose another name", code="NameTaken"
                )
        if query is not None:
            view.query = dict(query)
        if shared is not None:
            _require_may_share(member, shared=shared)
            view.shared = shared
        view.save()
    return view


def delete_view(member: Membership, view_id: str) -> None:
    """Delete one's own view. Raises `NotFound` for anything else."""
    if not _own(member).filter(pk=view_id).delete()[0]:
        raise NotFound("no such view of yours")


def _own(member: Membership) -> QuerySet[SavedView]:
    return SavedView.objects.filter(workspace=member.workspace_id, user=member.user_id)


def _called(member: Membership, name: str) -> SavedView | None:
    """Return the member's own view of a name, in letters of any case."""
    mine = _own(member).select_related("user")
    return next((one for one in mine if one.name.casefold() == name.casefold()), None)


def _named(name: str) -> str:
    """Return a name with one blank between its words. Raises `InvalidInput` for one that shows nothing."""
    called = " ".join(name.split())
    if not any(letter.isprintable() and not letter.isspace() for letter in called):
        raise InvalidInput("a name that can be read", path="name")
    if len(called) > LONGEST:
        raise InvalidInput(f"a name of {LONGEST} characters at most", path="name")
    return called


def _require_may_share(member: Membership, *, shared: bool) -> None:
    if shared and not (may(member, Right.RUN) or may(member, Right.DECIDE)):
        raise NotAllowed("who only looks on shares no views")
