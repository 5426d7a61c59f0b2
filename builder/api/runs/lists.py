"""The runs of a workspace, narrowed and in order; every figure that counts runs leads here."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, ClassVar, Final, Literal

from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.pagination import USUAL, FirstPage, page
from builder.api.http.view import ApiView, scoped
from builder.api.http.wire import Body, Listing, Text
from builder.api.runs.views import RunItem, run_items
from builder.base.errors import InvalidInput
from builder.models import Run
from builder.models.querysets import RunQuerySet
from builder.reads.run_choice import WAITS, RunChoice

DURATION: Final = "duration_sorted"
ORDERINGS: Final[Mapping[str, str]] = {
    "started": "started_at",
    "duration": DURATION,
    "status": "status",
    "tokens": "spent_tokens",
    "spend": "spent_pico",
}
"""What a list of runs may be ordered by."""
MOMENTS: Final = ("since", "until", "ended_since", "ended_until")
Short = Annotated[Text, Field(max_length=200)]


class ChoiceBody(Body):
    """Which runs: what is not given says nothing. Times are RFC 3339 with their zone."""

    graph: Short = ""
    status: Short = ""
    since: Short = ""
    until: Short = ""
    ended_since: Short = ""
    ended_until: Short = ""
    search: Short = ""
    node: Short = ""
    cause: Short = ""
    person: Short = ""
    waiting: Short = ""
    job: Short = ""
    spent: Literal["", "true"] = ""

    def to_choice(self) -> RunChoice:
        """Return the choice as lists read it. Raises `InvalidInput`."""
        times = {name: _moment(name, getattr(self, name)) for name in MOMENTS}
        if self.waiting and self.waiting not in WAITS:
            raise InvalidInput(f"one of {', '.join(WAITS)}", path="waiting")
        return RunChoice(
            graph=self.graph,
            status=_statuses(self.status),
            search=self.search,
            node=self.node,
            cause=[self.cause] if self.cause else [],
            person=self.person,
            waiting=self.waiting,
            job=self.job,
            spent=bool(self.spent),
            **times,
        )


NARROWING: Final = tuple(ChoiceBody.model_fields)


def listed(user_id: str, workspace_id: str) -> RunQuerySet:
    """Return the runs of a workspace that a person may see, as lists show them."""
    return scoped(Run.objects.all(), user_id, workspace_id).for_lists()


NEWEST: Final = FirstPage(listed, newest_by="started_at")


class RunsView(ApiView):
    """The runs of the current workspace."""

    query_names: ClassVar[frozenset[str]] = frozenset({*NARROWING, "ordering"})

    @extend_schema(
        responses=Listing[RunItem],
        operation_id="runs",
        parameters=[OpenApiParameter(name) for name in (*NARROWING, "ordering", "cursor")],
    )
    def get(self, request: Request) -> Response:
        """List runs, the newest first unless `ordering` says otherwise."""
        workspace = self.member().workspace_id
        field, largest_first = self._ordering()
        window = self.window()
        if window in USUAL and not self.given(self.query_names):
            found = NEWEST.read(self.user.pk, workspace, window)
        else:
            rows = self._choice().among(listed(self.user.pk, workspace))
            rows = rows.with_duration() if field == DURATION else rows
            found = page(rows, window, field=field, newest_first=largest_first)
        return Response(Listing[RunItem].of(found, run_items(found.rows)))

    def _choice(self) -> RunChoice:
        given = {name: text for name in NARROWING if (text := self.text(name))}
        return ChoiceBody.read(given).to_choice()

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


def _moment(name: str, text: str) -> int | None:
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo:
            return int(at.timestamp() * 1000)
    except (ValueError, OverflowError):
        pass
    raise InvalidInput("a time with its zone, like 2026-01-31T09:00:00Z", path=name)
