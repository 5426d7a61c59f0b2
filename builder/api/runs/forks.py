"""Going on from a point of a run that has ended: what it would do, and doing it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal, Self

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field, model_validator
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.graphs.wire import PartIds
from builder.api.http.view import ApiView
from builder.api.http.wire import Body, JsonMap, Text, Wire
from builder.api.runs.views import RunItem, run_items
from builder.base import engine_door
from builder.base.turns import turns
from builder.reads import run_as_test as recorded
from builder.services.runs import runs, stale
from builder.services.runs.runs import Fork
from engine.core.node_types.node_type import UNSET
from engine.core.values.limits import MAX_IMPORT

Point = Annotated[int, Field(ge=1, lt=2**53)] | Annotated[Text, Field(min_length=1, max_length=500)]


class ForkBody(Body):
    """Where a new run goes on, and what is different there; or only what is stale in the draft."""

    from_: Point | None = Field(None, alias="from")
    stale: bool = False
    breakpoints: PartIds = []
    memory: JsonMap = {}
    input: Any = None
    draft: bool = False
    resend: bool = False

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if self.stale and (self.from_ is not None or self.memory or self.input is not None):
            raise ValueError("what is stale runs as it began: without from, memory and input")
        if not self.stale and self.from_ is None:
            raise ValueError("say where the run goes on: from, or stale")
        return self

    def to_fork(self) -> Fork:
        """Return the fork as the service takes it."""
        return Fork(
            at=self.from_ or 1,
            memory=self.memory,
            input=self.input if "input" in self.model_fields_set else UNSET,
            draft=self.draft,
            resend=self.resend,
        )


class RetryBody(Body):
    """What runs from the failed node on, and whether calls may be sent again.

    `version`: `same` is the document that the run used, `draft` the draft as it is now, a number
    that published version.
    """

    resend: bool = False
    version: Literal["same", "draft"] | Annotated[int, Field(ge=1, lt=2**31)] = "same"


class RetryView(ApiView):
    """Going on after a failure."""

    refusals: ClassVar[tuple[int, ...]] = (409, 422)

    @extend_schema(request=RetryBody, responses={201: RunItem}, operation_id="retry_run")
    def post(self, request: Request, run_id: object) -> Response:
        """Start a new run from the failed node."""
        run = self.run(run_id)
        body = RetryBody.read(self.request.data)
        member = self.member_of(run.workspace_id)
        new_id = runs.retry_run(
            member, run, resend=body.resend, version=body.version, source=self.source
        )
        return Response(run_items([self.run(new_id)])[0], status=201)


class ForkPlanOut(Wire):
    """What a fork inherits, does again and sends again."""

    from_: JsonMap = Field(alias="from")
    reused: list[JsonMap]
    again: list[JsonMap]
    resent: list[JsonMap]
    earliest_with_changes: JsonMap | None
    points: list[JsonMap]
    stale: list[JsonMap]
    asks: list[str]
    waiting: bool
    run: str | None


class ForkPlanView(ApiView):
    """What a fork would do."""

    query_names: ClassVar[frozenset[str]] = frozenset({"from", "stale"})
    refusals: ClassVar[tuple[int, ...]] = (409, 422)

    @extend_schema(
        responses=ForkPlanOut,
        operation_id="fork_plan",
        parameters=[OpenApiParameter("from"), OpenApiParameter("stale", bool)],
    )
    def get(self, request: Request, run_id: object) -> Response:
        """Return the plan for a point, by default the first, or for what is stale in the draft."""
        run = self.run(run_id)
        if self.text("stale") == "true":
            with turns.taken(self.user.pk):
                return Response(stale.stale_plan(run))
        wanted = self.text("from") or "1"
        at = int(wanted) if wanted.isdecimal() and len(wanted) <= 15 else wanted
        return Response({**engine_door.engine().fork_plan(run.pk, at), "run": None})


class ForkView(ApiView):
    """Going on from a point."""

    max_body: ClassVar[int] = MAX_IMPORT

    @extend_schema(request=ForkBody, responses={201: RunItem}, operation_id="fork_run")
    def post(self, request: Request, run_id: object) -> Response:
        """Start a new run from a point of this one, perhaps with changes."""
        run = self.run(run_id)
        member = self.member_of(run.workspace_id)
        body = ForkBody.read(self.request.data)
        if body.stale:
            stops = body.breakpoints
            new_id = stale.run_stale(
                member, run, breakpoints=stops, resend=body.resend, source=self.source
            )
        else:
            new_id = runs.fork_run(member, run, replace(body.to_fork(), source=self.source))
        return Response(run_items([self.run(new_id)])[0], status=201)


class TestCaseView(ApiView):
    """A run as a test."""

    refusals: ClassVar[tuple[int, ...]] = (422,)

    @extend_schema(responses={(200, "text/x-python"): str}, operation_id="run_as_test")
    def get(self, request: Request, run_id: object) -> HttpResponse:
        """Return the run as a Python test that plays it again with `manage.py run_graph`."""
        run = self.run(run_id)
        answer = HttpResponse(recorded.as_test(run), content_type="text/x-python; charset=utf-8")
        name = f"test_{run.graph_slug.replace('-', '_')}.py"
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer
