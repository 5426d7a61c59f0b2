"""The first dashboard."""

from __future__ import annotations

from typing import Annotated, ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Named, Wire
from builder.reads import figures
from engine.core.budgets.money import usd


class RunCounts(Wire):
    """Runs now, and in the last 24 hours."""

    running: int
    waiting: int
    asleep: Annotated[int, Field(description="wait for a moment alone; not in `running`")]
    failed_24h: Annotated[int, Field(description="without those that a person rejected")]
    completed_24h: int


class HourOut(Wire):
    """Runs that ended within one hour."""

    hour: str
    completed: int
    failed: int
    cancelled: int
    timeout: int
    rejected: int


class GraphSpend(Wire):
    """What a graph cost this month."""

    graph: Named
    usd: str
    tokens: int


class OverviewOut(Wire):
    """The workspace at a glance."""

    runs: RunCounts
    open_interrupts: int
    open_tests: Annotated[int, Field(description="of these, of runs that try a draft")]
    spend_today_usd: str
    spend_month_usd: str
    runs_per_hour: list[HourOut]
    spend_by_graph: list[GraphSpend]


class OverviewView(ApiView):
    """The workspace at a glance, or one workflow of it."""

    query_names: ClassVar[frozenset[str]] = frozenset({"graph"})

    @extend_schema(
        responses=OverviewOut,
        operation_id="overview",
        parameters=[OpenApiParameter("graph", description="id of one workflow")],
    )
    def get(self, request: Request) -> Response:
        """Return counts and spend."""
        member = self.member()
        zone = str(member.workspace.all_settings["timezone"])
        wanted = self.text("graph")
        graph = self.graph(wanted) if wanted else None
        seen = figures.overview(member.workspace_id, zone, graph)
        return Response(
            OverviewOut(
                runs=RunCounts(
                    running=seen.running,
                    waiting=seen.waiting,
                    asleep=seen.asleep,
                    failed_24h=seen.failed_24h,
                    completed_24h=seen.completed_24h,
                ),
                open_interrupts=seen.open_interrupts,
                open_tests=seen.open_tests,
                spend_today_usd=usd(seen.spend_today_pico),
                spend_month_usd=usd(seen.spend_month_pico),
                runs_per_hour=[HourOut(**row) for row in seen.per_hour],
                spend_by_graph=[
                    GraphSpend(
                        graph=Named(id=row["graph"], name=row["graph__name"]),
                        usd=usd(row["pico"] or 0),
                        tokens=row["tokens"] or 0,
                    )
                    for row in seen.by_graph
                ],
            )
        )
