"""Views of the inbox that people save, with how many items each shows just now."""

from __future__ import annotations

from typing import Annotated, Final

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import EVERYTHING, ApiView
from builder.api.http.wire import Body, Listing, Named, Text, Wire
from builder.api.inbox.lists.filters import FILTERS, narrowed, ordered
from builder.base.errors import InvalidInput
from builder.models import Interrupt, Membership, SavedView
from builder.reads.inbox.conditions import LONGEST
from builder.services.runs import inbox_views

COUNTED: Final = 1_000
"""Items that are counted; `count_is_more` says that there are more."""
LONGEST_TEXT: Final = 300
Query = dict[
    Annotated[str, Field(max_length=40)], Annotated[Text, Field(min_length=1, max_length=LONGEST)]
]


# The service says in words what is wrong with a name.
ViewName = Annotated[
    Text, Field(json_schema_extra={"minLength": 1, "maxLength": inbox_views.LONGEST})
]


class SavedViewBody(Body):
    """A view: what the list is asked for, under a name."""

    name: ViewName
    query: Annotated[Query, Field(max_length=len(FILTERS))]
    shared: bool = False


class SavedViewPatch(Body):
    """What becomes of a view; what is absent stays as it is."""

    name: ViewName | None = None
    query: Annotated[Query, Field(max_length=len(FILTERS))] | None = None
    shared: bool | None = None


class SavedViewOut(Wire):
    """A view, how many items it shows, and whether the caller may delete it."""

    id: str
    name: str
    query: dict[str, str]
    shared: bool
    mine: bool
    by: Named
    count: int
    count_is_more: bool


class SavedViewsView(ApiView):
    """The views of the caller, and those that others share."""

    people_only = EVERYTHING

    @extend_schema(responses=Listing[SavedViewOut], operation_id="saved_views")
    def get(self, request: Request) -> Response:
        """List them by name."""
        member = self.member()
        results = [_told(one, member) for one in inbox_views.views_of(member)]
        return Response(Listing[SavedViewOut](results=results, total=len(results)))

    @extend_schema(request=SavedViewBody, responses=SavedViewOut, operation_id="save_view")
    def post(self, request: Request) -> Response:
        """Save one; one of the same name is replaced."""
        member = self.member()
        body = SavedViewBody.read(self.request.data)
        _require_filters(body.query)
        _count(member, body.query)
        kept = inbox_views.save_view(member, body.name, body.query, shared=body.shared)
        return Response(_told(kept, member))


class SavedViewView(ApiView):
    """One saved view."""

    people_only = EVERYTHING

    @extend_schema(request=SavedViewPatch, responses=SavedViewOut, operation_id="change_view")
    def patch(self, request: Request, view_id: str) -> Response:
        """Rename one's own, let it show what the list shows now, or share it."""
        member = self.member()
        body = SavedViewPatch.read(self.request.data)
        if body.query is not None:
            _require_filters(body.query)
            _count(member, body.query)
        kept = inbox_views.change_view(
            member, str(view_id), name=body.name, query=body.query, shared=body.shared
        )
        return Response(_told(kept, member))

    @extend_schema(responses={204: None}, operation_id="delete_view")
    def delete(self, request: Request, view_id: str) -> Response:
        """Delete one's own."""
        inbox_views.delete_view(self.member(), str(view_id))
        return Response(status=204)


def _require_filters(query: dict[str, str]) -> None:
    """Raise `InvalidInput` for a filter that there is not, or that is too long."""
    for name, text in sorted(query.items()):
        if name not in FILTERS:
            raise InvalidInput("there is no such filter", path=f"query.{name}")
        if name != "where" and len(text) > LONGEST_TEXT:
            raise InvalidInput(f"text of {LONGEST_TEXT} characters at most", path=f"query.{name}")


def _told(view: SavedView, member: Membership) -> SavedViewOut:
    count = _count(member, view.query)
    return SavedViewOut(
        id=view.pk,
        name=view.name,
        query=view.query,
        shared=view.shared,
        mine=view.user_id == member.user_id,
        by=Named(id=view.user_id, name=str(view.user)),
        count=min(count, COUNTED),
        count_is_more=count > COUNTED,
    )


def _count(member: Membership, query: dict[str, str]) -> int:
    """Return how many items there are, one more than is told at most. Raises `InvalidInput`."""
    ordered(Interrupt.objects.none(), member, query)
    rows = narrowed(Interrupt.objects.in_workspace(member.workspace_id), member, query)
    return rows.values("pk")[: COUNTED + 1].count()
