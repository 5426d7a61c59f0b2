"""The runs of a workspace, narrowed and in order; every figure that counts runs leads here."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, ClassVar, Final, Literal

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.files import csv_file, wants_csv
from builder.api.http.pagination import USUAL, FirstPage, page
from builder.api.http.schema.api_schema import with_csv
from builder.api.http.view import ApiView, scoped
from builder.api.http.wire import Body, Listing, Text
from builder.api.runs.views import RunItem, run_items
from builder.base.clock import now_ms
from builder.base.errors import InvalidInput
from builder.models import Run
from builder.models.querysets import RunQuerySet
from builder.reads.operations.alarms import alarms
from builder.reads.runs.calls import NOBODY, CallChoice
from builder.reads.runs.choice import BULK, WAITS, RunChoice
from builder.reads.runs.files import run_lines
from builder.reads.runs.marks import with_wait

DURATION: Final = "duration_sorted"
WAIT: Final = "wait_sorted"
ORDERINGS: Final[Mapping[str, str]] = {
    "started": "started_at",
    "duration": DURATION,
    "status": "status",
    "tokens": "spent_tokens",
    "spend": "spent_pico",
    "wait": WAIT,
}
"""What a list of runs may be ordered by."""
MOMENTS: Final = ("since", "until", "ended_since", "ended_until")
DAYS: Final = ("spent_since", "spent_until")
SOURCES: Final = (
    "person",
    "api",
    "chat",
    "openai",
    "mcp",
    "webhook",
    "schedule",
    "event",
    BULK,
    NOBODY,
)
"""What starts runs, `bulk` of jobs that try others again; of those that other runs start it is not noted: `-`."""
STUCK: Final = "stuck"
"""Beside `WAITS`: runs that should have moved and did not."""
Short = Annotated[Text, Field(max_length=200)]
Yes = Literal["", "true"]


class ChoiceBody(Body):
    """Which runs: what is not given says nothing. Times are RFC 3339 with their zone, days `2026-11-22`.

    `person`, `source`, `worker`, `spent_on` and `spent_by` may be `-`: without one. `worker` is the id
    of the process that has them in hand, or `any`.
    """

    graph: Short = ""
    slug: Short = ""
    status: Short = ""
    since: Short = ""
    until: Short = ""
    ended_since: Short = ""
    ended_until: Short = ""
    search: Short = ""
    node: Short = ""
    cause: Short = ""
    code: Short = ""
    person: Short = ""
    waiting: Short = ""
    job: Short = ""
    tag: Short = ""
    source: Short = ""
    trigger: Short = ""
    worker: Short = ""
    tried: Yes = ""
    awake: Yes = ""
    asleep: Yes = ""
    rejected: Literal["", "true", "false"] = ""
    tests: Literal["", "true", "false"] = ""
    spent: Yes = ""
    spent_since: Short = ""
    spent_until: Short = ""
    spent_at: Short = ""
    spent_on: Short = ""
    spent_by: Short = ""
    unpriced: Yes = ""

    def to_choice(self, workspace_id: str) -> RunChoice:
        """Return the choice as lists of a workspace read it. Raises `InvalidInput`."""
        times = {name: moment(name, getattr(self, name)) for name in MOMENTS}
        if self.waiting and self.waiting not in (*WAITS, STUCK):
            raise InvalidInput(f"one of {', '.join((*WAITS, STUCK))}", path="waiting")
        if self.source and self.source not in SOURCES:
            raise InvalidInput(f"one of {', '.join(SOURCES)}", path="source")
        stuck = self.waiting == STUCK
        return RunChoice(
            graph=self.graph,
            slug=self.slug,
            status=_statuses(self.status),
            search=self.search,
            node=self.node,
            cause=[self.cause] if self.cause else [],
            code=self.code.split(",") if self.code else [],
            person=self.person,
            waiting="" if stuck else self.waiting,
            job=self.job,
            tag=self.tag,
            source=self.source,
            trigger=self.trigger,
            worker=self.worker,
            tried=bool(self.tried),
            awake=bool(self.awake),
            asleep=bool(self.asleep),
            rejected=self.rejected == "true" if self.rejected else None,
            tests=self.tests == "true" if self.tests else None,
            spent=bool(self.spent),
            calls=self._calls(),
            ids=[found.run.pk for found in alarms(workspace_id, now_ms())] if stuck else None,
            **times,
        )

    def _calls(self) -> CallChoice:
        first, last = (_day(name, getattr(self, name)) for name in DAYS)
        calls = (self.spent_at, self.spent_on, self.spent_by, bool(self.unpriced))
        return CallChoice(first, last, *calls)


NARROWING: Final = tuple(ChoiceBody.model_fields)


def listed(user_id: str, workspace_id: str) -> RunQuerySet:
    """Return the runs of a workspace that a person may see, as lists show them."""
    return scoped(Run.objects.all(), user_id, workspace_id).for_lists()


NEWEST: Final = FirstPage(listed, newest_by="started_at")


class RunsView(ApiView):
    """The runs of the current workspace."""

    query_names: ClassVar[frozenset[str]] = frozenset({*NARROWING, "ordering", "format"})

    @extend_schema(
        responses=with_csv(Listing[RunItem]),
        operation_id="runs",
        parameters=[
            *(OpenApiParameter(name) for name in (*NARROWING, "ordering", "cursor")),
            OpenApiParameter("format", enum=["json", "csv"]),
        ],
    )
    def get(self, request: Request) -> Response | HttpResponse:
        """List runs, the newest first unless `ordering` says otherwise; as CSV up to 10,000 of them."""
        workspace = self.member().workspace_id
        field, largest_first = self._ordering()
        window = self.window()
        limited = bool(self.token and self.token.graphs)
        if window in USUAL and not limited and not self.given(self.query_names):
            found = NEWEST.read(self.user.pk, workspace, window)
            return Response(Listing[RunItem].of(found, run_items(found.rows)))
        rows = self._choice(workspace).among(self.visible(listed(self.user.pk, workspace)))
        if wants_csv(self.text("format")):
            return csv_file(run_lines(in_order(rows, field, largest_first)), "runs")
        found = page(sortable(rows, field), window, field=field, newest_first=largest_first)
        return Response(Listing[RunItem].of(found, run_items(found.rows)))

    def _choice(self, workspace: str) -> RunChoice:
        given = {name: text for name in NARROWING if (text := self.text(name))}
        return ChoiceBody.read(given).to_choice(workspace)

    def _ordering(self) -> tuple[str, bool]:
        wanted = self.text("ordering") or "-started"
        field = ORDERINGS.get(wanted.removeprefix("-"))
        if field is None:
            known = ", ".join(ORDERINGS)
            raise InvalidInput(
                f"one of {known}, with - before it the largest first", path="ordering"
            )
        return field, wanted.startswith("-")


def _statuses(text: str) -> list[str]:
    wanted = text.split(",") if text else []
    if unknown := set(wanted) - set(Run.Status.values):
        raise InvalidInput(f"no such status: {min(unknown)!r}", path="status")
    return wanted


def sortable(rows: RunQuerySet, field: str) -> RunQuerySet:
    """Return the rows with what `field` of `ORDERINGS` sorts by."""
    if field == DURATION:
        return rows.with_duration()
    return with_wait(rows) if field == WAIT else rows


def in_order(rows: RunQuerySet, field: str, largest_first: bool) -> RunQuerySet:
    """Return the rows in the order of a list."""
    sign = "-" if largest_first else ""
    return sortable(rows, field).order_by(f"{sign}{field}", f"{sign}pk")


def _day(name: str, text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise InvalidInput("a day like 2026-11-22", path=name) from None


def moment(name: str, text: str) -> int | None:
    """Return a moment in milliseconds, None where none is given. Raises `InvalidInput`."""
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo:
            return int(at.timestamp() * 1000)
    except (ValueError, OverflowError):
        pass
    raise InvalidInput("a time with its zone, like 2026-01-31T09:00:00Z", path=name)
