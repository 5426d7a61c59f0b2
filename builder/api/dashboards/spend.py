"""The spend of the workspace: sums for the dashboard, and every sum as CSV."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, ClassVar, Final
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.dashboards.board import check_days, day_of
from builder.api.http.files import csv_file, wants_csv
from builder.api.http.schema.api_schema import with_csv
from builder.api.http.view import ApiView
from builder.api.http.wire import Wire
from builder.base.errors import InvalidInput
from builder.reads.money import spend as spend_figures
from builder.reads.money.spend import Span
from engine.core.budgets.money import usd

DEFAULT_DAYS: Final = 30
MAX_DAYS: Final = 400
NAMED: Final = frozenset({"graph", "person"})
"""What has a name beside its id, and without it goes by that."""


class SpendSum(Wire):
    """Calls, tokens and USD; `unpriced` calls had a model without a price."""

    calls: int
    unpriced: int
    tokens: int
    usd: str


class SpendBy(SpendSum):
    """The sum of one day, workflow, node, model, agent, person or trigger.

    Beside a node's id `graph` is the workflow's name, `graph_slug` its name in addresses.
    """

    id: str
    name: str
    graph: str | None = None
    graph_slug: str | None = None


class SpendOut(Wire):
    """The spend of days, both included, and of as many before."""

    since: str
    until: str
    total: SpendSum
    before: SpendSum
    by_day: list[SpendBy]
    by_graph: list[SpendBy]
    by_node: list[SpendBy]
    by_model: list[SpendBy]
    by_agent: list[SpendBy]
    by_person: list[SpendBy]
    by_trigger: list[SpendBy]


class SpendView(ApiView):
    """What the current workspace spent."""

    query_names: ClassVar[frozenset[str]] = frozenset(
        {"since", "until", "graph", "format", "ordering"}
    )

    @extend_schema(
        responses=with_csv(SpendOut),
        operation_id="spend",
        parameters=[
            OpenApiParameter("since", description="first day, 2026-11-22"),
            OpenApiParameter("until", description="last day"),
            OpenApiParameter("graph", description="slug of one workflow"),
            OpenApiParameter("format", enum=["json", "csv"]),
            OpenApiParameter("ordering", enum=list(spend_figures.ORDERS)),
        ],
    )
    def get(self, request: Request) -> Response | HttpResponse:
        """Return sums by day, workflow, node, model, agent, person and trigger, or all rows as CSV."""
        member = self.member()
        span = self._span(member.workspace_id, str(member.workspace.all_settings["timezone"]))
        if wants_csv(self.text("format")):
            return csv_file(spend_figures.as_csv(span), f"spend-{span.first}-{span.last}")
        order = self.text("ordering") or "spend"
        if order not in spend_figures.ORDERS:
            raise InvalidInput(f"one of {', '.join(spend_figures.ORDERS)}", path="ordering")
        return Response(_spend_out(span, order))

    def _span(self, workspace_id: str, zone: str) -> Span:
        today = datetime.now(ZoneInfo(zone)).date()
        last = day_of("until", self.text("until")) or today
        first = day_of("since", self.text("since")) or last - timedelta(days=DEFAULT_DAYS - 1)
        span = Span(workspace_id, first, last, self.text("graph"))
        check_days(first, last, MAX_DAYS)
        return span


def _spend_out(span: Span, order: str) -> SpendOut:
    rows = {what: spend_figures.by(span, what, order) for what in spend_figures.BY}
    names = spend_figures.names(span, rows)
    shown = {f"by_{what}": [_by(row, what, names) for row in found] for what, found in rows.items()}
    return SpendOut(
        since=span.first.isoformat(),
        until=span.last.isoformat(),
        total=SpendSum(**_sums(spend_figures.total(span))),
        before=SpendSum(**_sums(spend_figures.total(span.before()))),
        **shown,
    )


def _sums(row: dict[str, Any]) -> dict[str, Any]:
    counted = {name: row[name] for name in ("calls", "unpriced", "tokens")}
    return {**counted, "usd": usd(row["pico"])}


def _by(row: dict[str, Any], what: str, names: dict[str, str]) -> SpendBy:
    id_ = row[what]
    name = names.get(id_, id_) if what in NAMED else id_
    if what == "node":
        name = names.get(spend_figures.node_key(row), id_)
    elif what == "trigger":
        name = names.get(id_, "")
    graph = names.get(row["graph"], row["graph"]) if what == "node" else None
    slug = row["graph"] if what == "node" else None
    return SpendBy(id=id_, name=name, graph=graph, graph_slug=slug, **_sums(row))
