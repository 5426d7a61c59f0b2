"""The reviewers' dashboard: how people decide."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.dashboards.board import PARAMETERS, Board
from builder.api.http.files import csv_file, wants_csv
from builder.api.http.schema.api_schema import with_csv
from builder.api.http.wire import Wire, time, time_or_none
from builder.base import clock
from builder.reads.reviews import approvals as approval_figures
from builder.reads.reviews.approval_lines import as_csv


class DecisionTotal(Wire):
    """What became of approvals, and how long people took."""

    decided: int
    approved: int
    edited: int
    rejected: int
    expired: int
    edit_rate: float | None
    rejection_rate: float | None
    expiry_rate: float | None
    median_ms: int | None
    p95_ms: int | None


class AskedOut(DecisionTotal):
    """The approvals that ask one group, role or person; `anyone` by role where nobody is named."""

    asked: str
    name: str
    open: int
    overdue: int


class ApprovalsOut(Wire):
    """How people decide."""

    since: str
    until: str
    open: int
    overdue: int
    oldest_at: str | None
    total: DecisionTotal
    before: DecisionTotal
    by_asked: list[AskedOut]


class ApprovalsView(Board):
    """How people decide in the current workspace."""

    @extend_schema(
        responses=with_csv(ApprovalsOut), operation_id="approvals", parameters=PARAMETERS
    )
    def get(self, request: Request) -> Response | HttpResponse:
        """Return what is open, what became of what closed, and how long it took, by who is asked."""
        member, now = self.member(), clock.now_ms()
        days = self.days(str(member.workspace.all_settings["timezone"]))
        since = now - self.hours() * clock.HOUR_MS if days is None else days.since
        until = now if days is None else days.until
        span = approval_figures.Span(member.workspace_id, since, until, self.graph_id())
        if wants_csv(self.text("format")):
            return csv_file(as_csv(span, member), "approvals")
        standing = approval_figures.standing(span, now)
        return Response(
            ApprovalsOut(
                since=time(span.since),
                until=time(span.until),
                open=standing["open"],
                overdue=standing["overdue"],
                oldest_at=time_or_none(standing["oldest"]),
                total=DecisionTotal(**_tally(approval_figures.tally(span))),
                before=DecisionTotal(**_tally(approval_figures.tally(span.before()))),
                by_asked=[_asked(line) for line in approval_figures.by_asked(span, now)],
            )
        )


def _tally(found: approval_figures.Tally) -> dict[str, Any]:
    return {
        "decided": found.decided,
        "approved": found.approved,
        "edited": found.edited,
        "rejected": found.rejected,
        "expired": found.expired,
        "edit_rate": found.share(found.edited),
        "rejection_rate": found.share(found.rejected),
        "expiry_rate": found.expiry_rate,
        "median_ms": found.at(0.5),
        "p95_ms": found.at(0.95),
    }


def _asked(line: dict[str, Any]) -> AskedOut:
    where = {name: line[name] for name in ("asked", "name", "open", "overdue")}
    return AskedOut(**where, **_tally(line["tally"]))
