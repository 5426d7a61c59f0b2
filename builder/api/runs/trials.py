"""Test runs: what a node found, and going on from a breakpoint."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Body, JsonMap, Text, Wire
from builder.base import engine_door
from builder.services.runs import trials


class GivenOut(Wire):
    """What a node found when it last began: what `given` of a start takes."""

    input: Any = None
    memory: JsonMap
    outputs: JsonMap
    previous: Any = None


class GivenView(ApiView):
    """What a node of a run found."""

    refusals: ClassVar[tuple[int, ...]] = (404,)

    @extend_schema(responses=GivenOut, operation_id="run_given")
    def get(self, request: Request, run_id: object, node: str) -> Response:
        """Return it, so that the node can be run alone on the same."""
        run = self.run(run_id)
        return Response(engine_door.engine().given_to(run.pk, node))


class GoOnBody(Body):
    """How a run goes on from a breakpoint."""

    request_id: Annotated[Text, Field(min_length=1, max_length=200)]
    decision: Literal["continue", "step", "stop"]


class WentOnOut(Wire):
    """What was decided at a breakpoint."""

    request_id: str
    decision: str


class BreakpointView(ApiView):
    """Going on from a breakpoint."""

    refusals: ClassVar[tuple[int, ...]] = (202, 404, 409, 422)

    @extend_schema(request=GoOnBody, responses=WentOnOut, operation_id="go_on")
    def post(self, request: Request, run_id: object) -> Response:
        """Continue, step or stop, once."""
        run = self.run(run_id)
        body = GoOnBody.read(request.data)
        member = self.member_of(run.workspace_id)
        trials.go_on(member, run, body.request_id, body.decision)
        return Response(WentOnOut(request_id=body.request_id, decision=body.decision))
