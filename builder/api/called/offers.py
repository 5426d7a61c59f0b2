"""How programs find a workflow, and all that its snippets are filled with."""

from __future__ import annotations

from typing import Annotated

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Body, JsonMap, Text, Wire
from builder.base.address import public
from builder.doors.called import offers
from builder.models import Graph, GraphVersion, Offer
from builder.services.permissions import Right, may


class OfferBody(Body):
    """As what a workflow is offered: a tool of this name, null for none, and a chat model or not."""

    tool_name: Annotated[Text, Field(max_length=200)] | None
    chat: bool


class OfferOut(Wire):
    """As what a workflow is offered. What is not published is offered, and not to be found."""

    tool_name: str | None
    chat: bool
    published: bool
    model: str
    """Its name among the models of `/v1`."""
    address: str
    """Where programs find this house, without a slash at its end."""
    workspace: str
    """The workspace's part of the address of its MCP server."""
    inputs: JsonMap
    """What the published version declares that it takes, as a JSON Schema; {} where it declares nothing."""
    may_change: bool


class OfferView(ApiView):
    """As what a workflow is offered to programs."""

    @extend_schema(responses=OfferOut, operation_id="offer")
    def get(self, request: Request, graph_id: object) -> Response:
        """Return it."""
        graph = self.graph(graph_id)
        return Response(self._out(graph, offers.offer_of(graph)))

    @extend_schema(request=OfferBody, responses=OfferOut, operation_id="change_offer")
    def put(self, request: Request, graph_id: object) -> Response:
        """Offer it, or withdraw it."""
        graph = self.graph(graph_id)
        body = OfferBody.read(self.request.data)
        member = self.member_of(graph.workspace_id)
        row = offers.change(member, graph, tool_name=body.tool_name, chat=body.chat)
        return Response(self._out(graph, row))

    def _out(self, graph: Graph, row: Offer) -> OfferOut:
        member = self.member_of(graph.workspace_id)
        version = GraphVersion.objects.filter(graph=graph).published().first()
        declared = {} if version is None else version.document.get("interface") or {}
        return OfferOut(
            tool_name=row.tool_name,
            chat=row.chat,
            published=version is not None,
            model=graph.slug,
            address=public(),
            workspace=member.workspace.slug,
            inputs=declared.get("inputs") or {},
            may_change=may(member, Right.EDIT),
        )
