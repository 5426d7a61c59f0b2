"""The values that can be read at a place of a draft, as the tree beside its fields shows them."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Wire
from builder.base.turns import turns
from builder.services.graphs.values import Kind, readable


class LastValueOut(Wire):
    """What a run has left at a path; `size` counts the items of a list."""

    path: list[str]
    kind: Kind
    text: str
    size: int | None


class ValuesOut(Wire):
    """Last values, what may be missing at the node, its read keys that no field uses, and those it needs."""

    values: list[LastValueOut]
    unproven: list[list[str]]
    idle: list[str]
    used: list[str] | None


class ValuesView(ApiView):
    """What can be read at a place of the draft."""

    query_names: ClassVar[frozenset[str]] = frozenset({"for", "run"})

    @extend_schema(
        parameters=[OpenApiParameter("for", str), OpenApiParameter("run", str)],
        responses=ValuesOut,
        operation_id="values_of_draft",
    )
    def get(self, request: Request, graph_id: object) -> Response:
        """Return the values; nothing is written."""
        graph = self.graph(graph_id)
        member = self.member_of(graph.workspace_id)
        asked = request.query_params.get("run")
        run = self.run(asked) if asked else None
        with turns.taken(self.user.pk):
            found = readable(member, graph, node=request.query_params.get("for", ""), run=run)
        values = [
            LastValueOut(path=list(v.path), kind=v.kind, text=v.text, size=v.size)
            for v in found.values
        ]
        unproven = [list(path) for path in found.unproven]
        used = None if found.used is None else list(found.used)
        idle = list(found.idle)
        return Response(ValuesOut(values=values, unproven=unproven, idle=idle, used=used))
