"""The value of a template or an expression for a sample, as its author types."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Body, Text, Wire
from builder.base.turns import turns
from builder.services.graphs.evaluation import evaluate
from engine.core.values.limits import MAX_TEMPLATE


class EvaluateBody(Body):
    """A text, what a run would be started with, and the run whose memory and answers count."""

    language: Literal["template", "expression"]
    text: Annotated[Text, Field(max_length=MAX_TEMPLATE)]
    input: Any = None
    run: Text | None = None


class EvaluatedOut(Wire):
    """What the text gives; `holds` says whether that counts as true."""

    text: str | None
    cut: bool
    holds: bool
    lacks: str | None
    problem: str | None


class EvaluateView(ApiView):
    """What a text of the draft gives."""

    @extend_schema(request=EvaluateBody, responses=EvaluatedOut, operation_id="evaluate_text")
    def post(self, request: Request, graph_id: object) -> Response:
        """Evaluate a template or an expression; nothing is written."""
        graph = self.graph(graph_id)
        body = EvaluateBody.read(request.data)
        member = self.member_of(graph.workspace_id)
        run = None if body.run is None else self.run(body.run)
        with turns.taken(self.user.pk):
            given = evaluate(member, graph, body.language, body.text, value=body.input, run=run)
        return Response(
            EvaluatedOut(
                text=given.text,
                cut=given.cut,
                holds=given.holds,
                lacks=given.lacks,
                problem=given.problem,
            )
        )
