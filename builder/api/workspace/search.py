"""Everything that has a page of its own, by a few words: what the palette of the pages finds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import ClassVar, Final, Literal

from django.db.models import Q
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Listing, Wire
from builder.base.errors import InvalidInput
from builder.models import Agent, Graph, Interrupt, Membership, Run, User
from builder.reads.inbox.sums import with_sums
from builder.reads.runs.titles import titles_of
from builder.services.graphs.folders import folders_of

EACH: Final = 5
"""So many of a kind are found."""
LEAST: Final = 2
MOST: Final = 100


Kind = Literal["run", "item", "workflow", "folder", "agent", "person"]


class FoundOut(Wire):
    """Something by what it is called; `note` tells it from others of its name."""

    kind: Kind
    id: str
    title: str
    note: str


class SearchView(ApiView):
    """Finds what is meant by a few words."""

    query_names: ClassVar[frozenset[str]] = frozenset({"q"})

    @extend_schema(
        responses=Listing[FoundOut],
        operation_id="search",
        parameters=[
            OpenApiParameter("q", description="2 to 100 letters; of fewer nothing is found")
        ],
    )
    def get(self, request: Request) -> Response:
        """List five of a kind at most: items that wait, workflows, folders, runs, agents, people."""
        workspace, text = self.member().workspace_id, self.text("q")
        if len(text) > MOST:
            raise InvalidInput(f"at most {MOST} letters", path="q")
        if len(text) < LEAST:
            return Response(Listing[FoundOut](results=[]))
        kinds = (
            self._items,
            self._workflows,
            self._folders,
            self._runs,
            self._agents,
            self._people,
        )
        results = [found for kind in kinds for found in kind(workspace, text)]
        return Response(Listing[FoundOut](results=results))

    def _items(self, workspace: str, text: str) -> Iterator[FoundOut]:
        rows = self.visible(Interrupt.objects.in_workspace(workspace)).open().search(text)
        for row in rows.select_related("card").order_by("-opened_at")[:EACH]:
            card = getattr(row, "card", None)
            title = with_sums(card.title, {"data": {"amount": card.amount}}) if card else row.node
            yield _found("item", row.pk, title, "waits in the inbox")

    def _workflows(self, workspace: str, text: str) -> Iterator[FoundOut]:
        rows = self.visible(Graph.objects.in_workspace(workspace)).active().search(text)
        for row in rows.defer("header").order_by("-updated_at")[:EACH]:
            yield _found("workflow", row.pk, row.name, row.description[:100])

    def _folders(self, workspace: str, text: str) -> Iterator[FoundOut]:
        rows = self.visible(Graph.objects.in_workspace(workspace)).active()
        wanted = text.casefold()
        named = (one for one in folders_of(rows) if wanted in one.path.casefold())
        for one in islice(named, EACH):
            count = "1 workflow" if one.workflows == 1 else f"{one.workflows} workflows"
            yield _found("folder", one.path, one.path, count)

    def _runs(self, workspace: str, text: str) -> Iterator[FoundOut]:
        rows = self.visible(Run.objects.in_workspace(workspace)).search(text).for_lists()
        found = list(rows.order_by("-started_at")[:EACH])
        titles = titles_of(found)
        for row in found:
            name = row.graph.name if row.graph else row.graph_slug
            title = titles[row.pk] or f"Run {row.pk[:8]}"
            yield _found("run", row.pk, title, f"{name}, {row.status}")

    def _agents(self, workspace: str, text: str) -> Iterator[FoundOut]:
        rows = self.visible(Agent.objects.in_workspace(workspace))
        named = rows.filter(Q(name__icontains=text) | Q(slug__icontains=text))
        for row in named.order_by("name", "pk")[:EACH]:
            yield _found("agent", row.slug, row.name, row.model)

    def _people(self, workspace: str, text: str) -> Iterator[FoundOut]:
        rows = self.visible(Membership.objects.in_workspace(workspace))
        rows = rows.exclude(user__kind=User.Kind.SERVICE)
        named = rows.filter(Q(user__name__icontains=text) | Q(user__email__icontains=text))
        for row in named.select_related("user").order_by("user__name", "pk")[:EACH]:
            yield _found("person", row.user_id, str(row.user), row.get_role_display())


def _found(kind: Kind, id_: str, title: str, note: str) -> FoundOut:
    return FoundOut(kind=kind, id=id_, title=title, note=note)
