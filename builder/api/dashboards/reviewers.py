"""Who decides in which way: of everybody for admins, of themselves for everybody else."""

from __future__ import annotations

from typing import Literal

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.dashboards.board import PARAMETERS, Board
from builder.api.http.files import csv_file, wants_csv
from builder.api.http.schema.api_schema import with_csv
from builder.api.http.wire import Wire, time
from builder.base import clock
from builder.reads.reviews import reviewers
from builder.reads.reviews.judged import QUICK_MS, Among
from builder.services.permissions import Right, may


class ReviewerWarning(Wire):
    """What is odd, in a sentence; `about` names the decisions, as `review` of the inbox does."""

    about: Literal["quick", "overturned"]
    text: str


class ReviewerLine(Wire):
    """What one person decided, or what was decided of one step, and what is odd about it."""

    who: str
    graph: str
    node: str
    name: str
    decided: int
    approved: int
    approved_share: float
    seen: int
    quick: int
    unopened: int
    edited: int
    back: int
    overturned: int
    median_ms: int | None
    median_seen_ms: int | None
    warnings: list[ReviewerWarning]


class ReviewersOut(Wire):
    """Lines of people and steps; `scope` says of whose decisions."""

    since: str
    until: str
    scope: Literal["all", "mine"]
    quick_ms: int
    people: list[ReviewerLine]
    steps: list[ReviewerLine]


class ReviewersView(Board):
    """How each person decides in the current workspace."""

    @extend_schema(
        responses=with_csv(ReviewersOut), operation_id="reviewers", parameters=PARAMETERS
    )
    def get(self, request: Request) -> Response | HttpResponse:
        """Return the lines of everybody for an admin, of the caller for others."""
        member, now = self.member(), clock.now_ms()
        days = self.days(str(member.workspace.all_settings["timezone"]))
        since = now - self.hours() * clock.HOUR_MS if days is None else days.since
        until = now if days is None else days.until
        whole = may(member, Right.ADMIN)
        who = "" if whole else member.user_id
        among = Among(member.workspace_id, since, until, who, self.graph_id())
        if wants_csv(self.text("format")):
            return csv_file(reviewers.as_csv(among), "reviewers")
        people, steps = reviewers.lines(among)
        return Response(
            ReviewersOut(
                since=time(since),
                until=time(until),
                scope="all" if whole else "mine",
                quick_ms=QUICK_MS,
                people=[_line(line) for line in people],
                steps=[_line(line) for line in steps],
            )
        )


def _line(line: reviewers.Line) -> ReviewerLine:
    told = {name: getattr(line, name) for name in ReviewerLine.model_fields if name != "warnings"}
    odd = [ReviewerWarning(about=one.about, text=one.text) for one in line.warnings]
    return ReviewerLine(**told, warnings=odd)
