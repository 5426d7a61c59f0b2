"""Everything that has a page of its own, by a few words: what the palette of the pages finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final, Literal

from django.db.models import Q
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Listing, Wire
from builder.api.workspace.closeness import closeness, closest_first
from builder.base.errors import InvalidInput
from builder.models import Agent, Graph, Interrupt, InterruptCard, Membership, Run, User
from builder.models.runs.failures import told_of, told_status
from builder.reads.inbox.sums import with_sums
from builder.reads.runs.marks import status_words
from builder.reads.runs.titles import beside, titles_by_id, titles_of
from builder.services.graphs.folders import folders_of

EACH: Final = 5
"""So many of a kind are found."""
LOOKED_THROUGH: Final = 50
"""Items and runs that are compared as they are shown: their titles are not those of their rows."""
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
        ranked = closest_first(rows, text, "card__title", then=("-opened_at",))
        titles = {row: _item_title(row) for row in ranked.select_related("card")[:LOOKED_THROUGH]}
        found = sorted(titles, key=lambda row: closeness(titles[row], text))[:EACH]
        runs = titles_by_id(row.run for row in found)
        for row in found:
            about = [beside(runs.get(row.run, ""), titles[row]), "waits in the inbox"]
            yield _found("item", row.pk, titles[row], " · ".join(filter(None, about)))

    def _workflows(self, workspace: str, text: str) -> Iterator[FoundOut]:
        rows = self.visible(Graph.objects.in_workspace(workspace)).active().search(text)
        ranked = closest_first(rows, text, "name", "slug", then=("-updated_at",))
        for row in ranked.defer("header")[:EACH]:
            yield _found("workflow", row.pk, row.name, row.description[:100])

    def _folders(self, workspace: str, text: str) -> Iterator[FoundOut]:
        rows = self.visible(Graph.objects.in_workspace(workspace)).active()
        wanted = text.casefold()
        named = [one for one in folders_of(rows) if wanted in one.path.casefold()]
        for one in sorted(named, key=lambda one: closeness(one.path, text))[:EACH]:
            count = "1 workflow" if one.workflows == 1 else f"{one.workflows} workflows"
            yield _found("folder", one.path, one.path, count)

    def _runs(self, workspace: str, text: str) -> Iterator[FoundOut]:
        rows = self.visible(Run.objects.in_workspace(workspace)).search(text).for_lists()
        rows = rows.annotate(told=told_status())
        found = list(rows.order_by("-started_at")[:LOOKED_THROUGH])
        titles = {key: title or f"Run {key[:8]}" for key, title in titles_of(found).items()}
        for row in sorted(found, key=lambda row: closeness(titles[row.pk], text))[:EACH]:
            name = row.graph.name if row.graph else row.graph_slug
            yield _found(
                "run", row.pk, titles[row.pk], f"{name}, {status_words(told_of(row)).lower()}"
            )

    def _agents(self, workspace: str, text: str) -> Iterator[FoundOut]:
        rows = self.visible(Agent.objects.in_workspace(workspace))
        named = rows.filter(Q(name__icontains=text) | Q(slug__icontains=text))
        for row in closest_first(named, text, "name", "slug", then=("name", "pk"))[:EACH]:
            yield _found("agent", row.slug, row.name, row.model)

    def _people(self, workspace: str, text: str) -> Iterator[FoundOut]:
        rows = self.visible(Membership.objects.in_workspace(workspace))
        rows = rows.exclude(user__kind=User.Kind.SERVICE)
        named = rows.filter(Q(user__name__icontains=text) | Q(user__email__icontains=text))
        ranked = closest_first(named, text, "user__name", "user__email", then=("user__name", "pk"))
        for row in ranked.select_related("user")[:EACH]:
            yield _found("person", row.user_id, str(row.user), row.get_role_display())


def _item_title(row: Interrupt) -> str:
    """Return what an item asks, with its sums as the inbox shows them."""
    card: InterruptCard | None = getattr(row, "card", None)
    return with_sums(card.title, {"data": {"amount": card.amount}}) if card else row.node


def _found(kind: Kind, id_: str, title: str, note: str) -> FoundOut:
    return FoundOut(kind=kind, id=id_, title=title, note=note)
