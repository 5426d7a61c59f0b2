"""How long runs are kept: the rule of a workflow, and what is done with one old run."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import FileResponse
from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.adapters.run_store.archive.shelf import archived_run
from builder.api.http.view import ApiView, no_content
from builder.api.http.wire import Body, Wire
from builder.base.errors import NotFound
from builder.models import Graph, RetentionRule
from builder.services.runs.retention import policy, single


class RetentionBody(Body):
    """For how many days after their end runs are kept, and what then; without days for ever."""

    days: Annotated[int, Field(ge=1, le=policy.MAX_DAYS)] | None
    then: Literal["archive", "delete"] = "archive"


class RetentionOut(Wire):
    """What counts for the runs of a workflow; `own` says whether it is a rule of its own."""

    own: bool
    days: int | None
    then: str


class RetentionView(ApiView):
    """How long a workflow keeps its runs."""

    @extend_schema(responses=RetentionOut, operation_id="retention")
    def get(self, request: Request, graph_id: object) -> Response:
        """Return the rule that counts."""
        return Response(_rule_of(self.graph(graph_id)))

    @extend_schema(
        request=RetentionBody, responses={200: RetentionOut}, operation_id="set_retention"
    )
    def post(self, request: Request, graph_id: object) -> Response:
        """Give the workflow a rule of its own."""
        graph = self.graph(graph_id)
        body = RetentionBody.read(request.data)
        policy.set_rule(self.member_of(graph.workspace_id), graph, body.days, body.then)
        return Response(_rule_of(graph))

    @extend_schema(responses={204: None}, operation_id="clear_retention")
    def delete(self, request: Request, graph_id: object) -> Response:
        """Let the rule of the workspace count."""
        graph = self.graph(graph_id)
        policy.clear_rule(self.member_of(graph.workspace_id), graph)
        return no_content()


class KeptView(ApiView):
    """A run that stays, whatever its age."""

    @extend_schema(request=None, responses={204: None}, operation_id="keep_run")
    def post(self, request: Request, run_id: object) -> Response:
        """Keep the run."""
        run = self.run(run_id)
        single.keep(self.member_of(run.workspace_id), run)
        return no_content()

    @extend_schema(responses={204: None}, operation_id="let_go_run")
    def delete(self, request: Request, run_id: object) -> Response:
        """Let the rules count for it again."""
        run = self.run(run_id)
        single.let_go(self.member_of(run.workspace_id), run)
        return no_content()


class ArchiveView(ApiView):
    """The file of an archived run."""

    @extend_schema(responses={(200, "application/gzip"): bytes}, operation_id="run_archive")
    def get(self, request: Request, run_id: object) -> FileResponse:
        """Return the file: lines of JSON, compressed."""
        run = self.run(run_id)
        kept = archived_run(run.pk)
        if kept is None:
            raise NotFound("this run is not archived yet", code="RunNotArchived")
        path = kept.whole()
        return FileResponse(
            path.open("rb"),
            as_attachment=True,
            filename=f"{run.graph_slug}-{run.pk}.jsonl.gz",
            content_type="application/gzip",
        )

    @extend_schema(responses={204: None}, operation_id="delete_archived_run")
    def delete(self, request: Request, run_id: object) -> Response:
        """Delete the run for good."""
        run = self.run(run_id)
        single.delete_archived(self.member_of(run.workspace_id), run)
        return no_content()


def _rule_of(graph: Graph) -> RetentionOut:
    row = RetentionRule.objects.filter(graph=graph).first()
    if row is not None:
        return RetentionOut(own=True, days=row.days, then=row.then)
    said = graph.workspace.all_settings
    return RetentionOut(own=False, days=said[policy.SETTING], then=said[policy.THEN])
