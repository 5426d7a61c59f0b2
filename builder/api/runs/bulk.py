"""Many runs at once over HTTP: what it would do, doing it, and what became of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.files import csv_file, wants_csv
from builder.api.http.pagination import page
from builder.api.http.schema.api_schema import with_csv
from builder.api.http.view import ApiView
from builder.api.http.wire import Body, Listing, Named, Wire, time, time_or_none
from builder.api.runs.lists import ChoiceBody
from builder.base.errors import InvalidInput, NotFound
from builder.models import BulkItem, BulkJob, Run
from builder.models.querysets import RunQuerySet
from builder.reads import figures
from builder.reads.operations.job_lines import (
    RunName,
    RunOfJob,
    job_lines,
    names_of_runs,
    runs_of_job,
)
from builder.reads.runs.choice import RunChoice
from builder.services.runs.bulk import jobs
from builder.services.runs.bulk.preview import MAX_RUNS, NAMED, VALID_MS, Preview, preview
from engine.core.budgets.money import usd_text

Id = Annotated[str, Field(min_length=1, max_length=64)]


class SelectBody(Body):
    """Which runs: by id, all that a list shows, or all that failed of one or more causes."""

    ids: Annotated[list[Id], Field(min_length=1, max_length=MAX_RUNS)] | None = None
    filter: ChoiceBody | None = None
    cause: Id | Annotated[list[Id], Field(min_length=1, max_length=200)] | None = None


class PreviewBody(Body):
    """What is to be done, and with which runs."""

    select: SelectBody
    action: Literal["retry", "cancel"]


class BulkBody(Body):
    """A preview that is to be carried out. `version` is what runs, as for one retry."""

    preview: Id
    resend: bool = False
    version: Literal["same", "draft"] | Annotated[int, Field(ge=1, lt=2**31)] = "same"


class AgainOut(Wire):
    """A step that runs again, how often, and what it cost the first time."""

    node: str
    label: str
    times: int
    usd: str
    tokens: int


class CallOut(Wire):
    """Calls that change something outside and are made again; `consent`: they did not fail before.

    `unsafe`: nobody can tell whether they may happen twice.
    """

    node: str
    label: str
    method: str
    target: str
    times: int
    consent: bool
    unsafe: bool


class RunNameOut(Wire):
    """What a run is called, and how it stands: its status, `asleep` or `rejected`."""

    id: str
    title: Annotated[str, Field(description="empty where it has none")]
    graph: Annotated[str, Field(description="the name of its workflow")]
    status: str


class LeftOutOut(Wire):
    """Runs with which nothing is done, why, and the first of them."""

    result: str
    code: str
    why: str
    times: int
    runs: list[RunNameOut]


class PreviewOut(Wire):
    """What an action would do with `count` runs; the logs of `looked_at` of `included` were read."""

    id: str
    action: str
    count: int
    included: int
    first: Annotated[list[RunNameOut], Field(description="some of `included`")]
    looked_at: int
    resends: Annotated[
        int, Field(description="how many of `looked_at` are left out unless they may resend")
    ]
    valid_until: str
    again: list[AgainOut]
    usd: str
    calls: list[CallOut]
    left_out: list[LeftOutOut]


class JobOut(Wire):
    """A job and how far it is."""

    id: str
    action: str
    status: str
    by: Named
    resend: bool
    version: str
    started_at: str | None
    ended_at: str | None
    paused_for: str
    count: Annotated[int, Field(description="runs that it does something with")]
    left_out: Annotated[int, Field(description="runs that were left out before it began")]
    pending: int
    done: int
    skipped: int
    refused: int
    new_runs: Annotated[
        dict[str, int],
        Field(description="how the runs stand that it made for others, by status or `rejected`"),
    ]


class ItemOut(Wire):
    """One run of a job; `new_status` is how the run that goes on for it stands, or `rejected`."""

    place: int
    run: str
    title: str
    graph: Annotated[str, Field(description="the name of its workflow")]
    result: str
    new_run: str | None
    new_status: str | None
    code: str
    why: str


class PreviewView(ApiView):
    """What doing something with many runs would do."""

    @extend_schema(request=PreviewBody, responses={201: PreviewOut}, operation_id="preview_bulk")
    def post(self, request: Request) -> Response:
        """Fix the runs for ten minutes, and say what would happen."""
        member = self.member()
        body = PreviewBody.read(request.data)
        rows = self.visible(Run.objects.in_workspace(member.workspace_id))
        found = preview(member, _chosen(rows, body.select, member.workspace_id), body.action)
        return Response(_preview_out(found), status=201)


class BulkView(ApiView):
    """What is and was done with many runs at once."""

    refusals: ClassVar[tuple[int, ...]] = (409,)

    @extend_schema(
        responses=Listing[JobOut],
        operation_id="bulk_jobs",
        parameters=[OpenApiParameter("cursor")],
    )
    def get(self, request: Request) -> Response:
        """List the jobs so far, the newest first."""
        rows = self.visible(BulkJob.objects.in_workspace(self.member().workspace_id))
        begun = rows.exclude(status=BulkJob.Status.PREVIEW)
        found = page(begun, self.window(), field="made_at")
        return Response(Listing[JobOut].of(found, jobs_out(found.rows)))

    @extend_schema(request=BulkBody, responses={202: JobOut}, operation_id="start_bulk")
    def post(self, request: Request) -> Response:
        """Begin what a preview showed."""
        member = self.member()
        body = BulkBody.read(request.data)
        job = jobs.start_job(member, body.preview, resend=body.resend, version=body.version)
        return Response(job_out(job), status=202)


class _OfJob(ApiView):
    def job(self, job_id: object) -> BulkJob:
        """Return the job. Raises `NotFound` `BulkNotFound`."""
        rows = self.visible(BulkJob.objects.all()).exclude(status=BulkJob.Status.PREVIEW)
        found = rows.filter(pk=str(job_id)).first()
        if found is None:
            raise NotFound("no such job", code="BulkNotFound")
        return found


class BulkJobView(_OfJob):
    """A bulk job."""

    @extend_schema(responses=JobOut, operation_id="bulk")
    def get(self, request: Request, job_id: object) -> Response:
        """Return how far it is."""
        return Response(job_out(self.job(job_id)))


class BulkItemsView(_OfJob):
    """What became of each run of a job."""

    query_names: ClassVar[frozenset[str]] = frozenset({"result", "format"})

    @extend_schema(
        responses=with_csv(Listing[ItemOut]),
        operation_id="bulk_items",
        parameters=[
            *(OpenApiParameter(name) for name in ("result", "cursor")),
            OpenApiParameter("format", enum=["json", "csv"]),
        ],
    )
    def get(self, request: Request, job_id: object) -> Response | HttpResponse:
        """List the runs of a job, in their order."""
        rows = self.job(job_id).items.all()
        if result := self.text("result"):
            if result not in BulkItem.Result.values:
                raise InvalidInput(f"one of {', '.join(BulkItem.Result.values)}", path="result")
            rows = rows.filter(result=result)
        if wants_csv(self.text("format")):
            return csv_file(job_lines(list(rows.order_by("place"))), "bulk")
        found = page(rows, self.window(), field="place", newest_first=False)
        results = [_item_out(one) for one in runs_of_job(found.rows)]
        return Response(Listing[ItemOut].of(found, results))


class StopBulkView(_OfJob):
    """Stopping a job."""

    @extend_schema(request=None, responses=JobOut, operation_id="stop_bulk")
    def post(self, request: Request, job_id: object) -> Response:
        """Do nothing more of it; what is done stays done."""
        job = self.job(job_id)
        return Response(job_out(jobs.stop_job(self.member_of(job.workspace_id), job.pk)))


class ResumeBulkView(_OfJob):
    """Going on with a job that has paused."""

    @extend_schema(request=None, responses=JobOut, operation_id="resume_bulk")
    def post(self, request: Request, job_id: object) -> Response:
        """Go on."""
        job = self.job(job_id)
        return Response(job_out(jobs.resume_job(self.member_of(job.workspace_id), job.pk)))


def _chosen(rows: RunQuerySet, select: SelectBody, workspace_id: str) -> RunQuerySet:
    given = [name for name in SelectBody.model_fields if getattr(select, name) is not None]
    if len(given) != 1:
        raise InvalidInput("one of ids, filter and cause", path="select")
    if select.ids is not None:
        return rows.filter(pk__in=select.ids)
    if select.filter is not None:
        return select.filter.to_choice(workspace_id).among(rows)
    causes = [select.cause] if isinstance(select.cause, str) else select.cause
    return RunChoice(cause=causes or ()).among(rows)


def _preview_out(found: Preview) -> PreviewOut:
    job, named = found.job, defaultdict(list)
    for run, verdict in found.left_out.items():
        named[(verdict.result, verdict.code, verdict.why)].append(run)
    few = [run for runs in named.values() for run in runs[:NAMED]]
    names = names_of_runs([*found.first, *few])
    return PreviewOut(
        id=job.pk,
        action=job.action,
        count=found.runs,
        included=found.runs - len(found.left_out),
        first=_named(found.first, names),
        looked_at=found.looked_at,
        resends=found.resends,
        valid_until=time(job.made_at + VALID_MS),
        again=[
            AgainOut(
                node=node,
                label=found.labels.get(node, node),
                times=step.times,
                usd=usd_text(step.usd),
                tokens=step.tokens,
            )
            for node, step in found.again.items()
        ],
        usd=usd_text(found.usd),
        calls=[
            CallOut(
                node=call.node,
                label=found.labels.get(call.node, call.node),
                method=call.method,
                target=call.target,
                times=times,
                consent=call.consent,
                unsafe=call.unsafe,
            )
            for call, times in found.calls.most_common()
        ],
        left_out=[
            LeftOutOut(
                result=result,
                code=code,
                why=why,
                times=len(runs),
                runs=_named(runs[:NAMED], names),
            )
            for (result, code, why), runs in named.items()
        ],
    )


def _named(ids: Sequence[str], names: Mapping[str, RunName]) -> list[RunNameOut]:
    return [
        RunNameOut(id=each, title=name.title, graph=name.graph, status=name.status)
        for each in ids
        if (name := names.get(each)) is not None
    ]


def job_out(job: BulkJob) -> JobOut:
    """Return a job as on the wire."""
    return jobs_out([job])[0]


def jobs_out(rows: Sequence[BulkJob]) -> list[JobOut]:
    """Return jobs as on the wire, with three queries."""
    counts, new_runs = jobs.tallies(rows), jobs.gone_on(rows)
    names = figures.people({job.by_id for job in rows})
    return [
        _job_out(job, counts[job.pk], names.get(job.by_id, ""), new_runs[job.pk]) for job in rows
    ]


def _job_out(
    job: BulkJob, counts: Mapping[str, int], name: str, new_runs: dict[str, int]
) -> JobOut:
    return JobOut(
        id=job.pk,
        action=job.action,
        status=job.status,
        by=Named(id=job.by_id, name=name),
        resend=job.resend,
        version=job.version,
        started_at=time_or_none(job.started_at),
        ended_at=time_or_none(job.ended_at),
        paused_for=job.paused_for,
        count=sum(counts.values()) - counts[jobs.OUT],
        **counts,
        new_runs=new_runs,
    )


def _item_out(one: RunOfJob) -> ItemOut:
    item = one.item
    return ItemOut(
        place=item.place,
        run=item.run,
        title=one.title,
        graph=one.graph,
        result=item.result,
        new_run=item.new_run,
        new_status=one.new_status,
        code=item.code,
        why=item.why,
    )
