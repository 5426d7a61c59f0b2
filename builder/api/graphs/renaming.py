"""Another name in a draft, and what follows from it."""

from __future__ import annotations

from typing import Annotated, Literal

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Body, JsonMap, Text, Wire
from builder.services.graphs.renaming import Renaming, renaming

Named = Annotated[Text, Field(min_length=1, max_length=256)]


class RenameBody(Body):
    """What is called otherwise: a node by its id, a field of memory, or a start field.

    `fresh`: only while nothing has run or is published, as history hangs on an id; else it is kept.
    """

    kind: Literal["node", "field", "input"]
    old: Named = Field(alias="from")
    new: Named = Field(alias="to")
    fresh: bool = False


class PlaceOut(Wire):
    """A place in the draft that has to be changed by hand."""

    part: str
    id: str
    path: list[str | int]


class CallerOut(Wire):
    """A node of another workflow that names the field."""

    graph_id: str
    graph: str
    node: str


class RenamingOut(Wire):
    """The edits that follow, and who cannot follow by itself; none where the name is `kept`."""

    edits: list[JsonMap]
    stuck: list[PlaceOut]
    callers: list[CallerOut]
    kept: bool

    @classmethod
    def of(cls, found: Renaming) -> RenamingOut:
        """Return it as the service found it."""
        return cls(
            edits=[edit.to_json() for edit in found.edits],
            stuck=[PlaceOut(part=s.part, id=s.id, path=list(s.path)) for s in found.stuck],
            callers=[
                CallerOut(graph_id=c.graph_id, graph=c.graph, node=c.node) for c in found.callers
            ],
            kept=found.kept,
        )


class RenameView(ApiView):
    """A rename in a draft."""

    @extend_schema(request=RenameBody, responses=RenamingOut, operation_id="rename_in_draft")
    def post(self, request: Request, graph_id: object) -> Response:
        """Return what follows from a rename; nothing is written."""
        graph = self.graph(graph_id)
        body = RenameBody.read(request.data)
        member = self.member_of(graph.workspace_id)
        found = renaming(
            member, graph, kind=body.kind, old=body.old, new=body.new, fresh=body.fresh
        )
        return Response(RenamingOut.of(found))
