"""Pins of a graph: results that stand in for nodes in its test runs."""

from __future__ import annotations

from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView, no_content
from builder.api.http.wire import Body, JsonMap, Listing, Text, Wire, moment
from builder.base.errors import InvalidInput
from builder.models import Pin
from builder.reads.trials.given import newest_pin
from builder.services.graphs import pins


class PinBody(Body):
    """What is pinned: what the node gave in a run, or an output as it is written."""

    node: Annotated[Text, Field(min_length=1, max_length=128)]
    run: Annotated[Text, Field(min_length=1, max_length=64)] | None = None
    output: Any = None
    writes: JsonMap = {}


class PinOut(Wire):
    """A pinned result."""

    node: str
    value: JsonMap
    changed_at: str


class PinsView(ApiView):
    """The pins of a graph."""

    @extend_schema(responses=Listing[PinOut], operation_id="pins")
    def get(self, request: Request, graph_id: object) -> Response:
        """List the pins by node."""
        rows = Pin.objects.filter(graph=self.graph(graph_id))
        return Response(Listing[PinOut](results=[pin_out(row) for row in rows]))

    @extend_schema(request=PinBody, responses={201: PinOut}, operation_id="set_pin")
    def post(self, request: Request, graph_id: object) -> Response:
        """Pin a result, in place of the one before."""
        graph = self.graph(graph_id)
        body = PinBody.read(request.data)
        member = self.member_of(graph.workspace_id)
        if body.run is not None:
            run = self.run(body.run)
            if run.graph_id != graph.pk:
                raise InvalidInput("a run of this workflow", path="run")
            value = newest_pin(run, body.node)
        else:
            value = {"output": body.output, **({"writes": body.writes} if body.writes else {})}
        return Response(pin_out(pins.set_pin(member, graph, body.node, value)), status=201)


class PinView(ApiView):
    """The pin of one node."""

    @extend_schema(responses={204: None}, operation_id="clear_pin")
    def delete(self, request: Request, graph_id: object, node: str) -> Response:
        """Let the node run again."""
        graph = self.graph(graph_id)
        pins.clear_pin(self.member_of(graph.workspace_id), graph, node)
        return no_content()


def pin_out(pin: Pin) -> PinOut:
    """Return a pin as it is on the wire."""
    return PinOut(node=pin.node, value=pin.value, changed_at=moment(pin.changed_at))
