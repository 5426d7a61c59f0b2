"""Budgets of the workspace and its graphs, and where they stand."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from drf_spectacular.utils import extend_schema
from pydantic import Field, model_validator
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.pagination import page
from builder.api.http.view import ApiView, no_content
from builder.api.http.wire import Body, Listing, Name, Tokens, Usd, Wire, time_or_none
from builder.base.errors import NotFound
from builder.models import BudgetLimit, Membership, Trigger
from builder.reads.money.budgets import BudgetStatus, budget_statuses
from builder.services import budgets
from builder.services.permissions import Right, may
from engine.core.budgets.money import usd, usd_or_none

PeriodName = Literal["day", "week", "month", "total"]


class BudgetBody(Body):
    """A new limit: of a graph, of what a trigger of one starts, or else of the workspace."""

    graph: Name | None = None
    trigger: Name | None = None
    period: PeriodName = "month"
    limit_usd: Usd | None = None
    limit_tokens: Tokens | None = None


class BudgetChange(Body):
    """What changes of a limit; null takes a cap away."""

    period: PeriodName | None = None
    limit_usd: Usd | None = None
    limit_tokens: Tokens | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("give period, limit_usd or limit_tokens")
        return self


class BudgetGraph(Wire):
    """Which workflow a limit holds for."""

    id: str
    slug: str
    name: str


class BudgetTrigger(Wire):
    """Which trigger a limit holds for: its workflow is the limit's graph."""

    id: str
    name: str
    kind: str


class BudgetOut(Wire):
    """A limit and where it stands in its present period."""

    id: str
    level: Literal["trigger", "graph", "workspace"]
    graph: BudgetGraph | None
    trigger: BudgetTrigger | None
    period: PeriodName
    limit_usd: str | None
    limit_tokens: int | None
    raised_usd: str
    raised_tokens: int
    used_usd: str
    used_tokens: int
    held_usd: str
    held_tokens: int
    left_usd: str | None
    left_tokens: int | None
    taken: Annotated[float, Field(description="used and held of the limit, may be above 1")]
    forecast_usd: str | None
    forecast_tokens: int | None
    current: Annotated[str, Field(description="2026-11-22, 2026-W47, 2026-11 or total")]
    starts_at: str | None
    ends_at: str | None


class BudgetList(Listing[BudgetOut]):
    """The budgets of a workspace, and whether the caller may change them."""

    can_edit: bool


class BudgetsView(ApiView):
    """The budgets of the current workspace."""

    @extend_schema(responses=BudgetList, operation_id="budgets")
    def get(self, request: Request) -> Response:
        """List budgets with what is used, held and left."""
        member = self.member()
        rows = self.visible(BudgetLimit.objects.in_workspace(member.workspace_id).standing())
        found = page(
            rows.select_related("graph", "trigger"),
            self.window(),
            field="created_at",
            newest_first=False,
        )
        zone = str(member.workspace.all_settings["timezone"])
        return Response(
            BudgetList(
                results=[budget_out(standing) for standing in budget_statuses(found.rows, zone)],
                next=found.next,
                total=found.total,
                total_is_more=found.total_is_more,
                can_edit=may(member, Right.BUDGET),
            )
        )

    @extend_schema(request=BudgetBody, responses={201: BudgetOut}, operation_id="create_budget")
    def post(self, request: Request) -> Response:
        """Set a limit; it holds from the next call on."""
        member = self.member()
        body = BudgetBody.read(self.request.data)
        graph = None if body.graph is None else self.graph(body.graph)
        trigger = None if body.trigger is None else self._trigger(body.trigger)
        limit = budgets.create_budget(
            member,
            graph=graph,
            trigger=trigger,
            period=body.period,
            limit_usd=body.limit_usd,
            limit_tokens=body.limit_tokens,
        )
        return Response(_standing_of(limit, member), status=201)

    def _trigger(self, trigger_id: str) -> Trigger:
        rows = self.visible(Trigger.objects.select_related("graph"))
        found = rows.filter(pk=trigger_id, graph__archived_at__isnull=True).first()
        if found is None:
            raise NotFound("no such trigger", code="TriggerNotFound")
        return found


class BudgetView(ApiView):
    """A limit: changed or taken away, from the next call on."""

    def _limit(self, budget_id: object) -> BudgetLimit:
        rows = BudgetLimit.objects.standing().select_related("graph", "trigger")
        found = self.visible(rows).filter(pk=str(budget_id)).first()
        if found is None:
            raise NotFound("no such budget", code="BudgetNotFound")
        return found

    @extend_schema(request=BudgetChange, responses=BudgetOut, operation_id="change_budget")
    def patch(self, request: Request, budget_id: object) -> Response:
        """Change a limit; what is spent and held stays."""
        limit = self._limit(budget_id)
        body = BudgetChange.read(self.request.data)
        member = self.member_of(limit.workspace_id)
        budgets.change_budget(member, limit, body.model_dump(exclude_unset=True))
        return Response(_standing_of(limit, member))

    @extend_schema(responses={204: None}, operation_id="delete_budget")
    def delete(self, request: Request, budget_id: object) -> Response:
        """Take a limit away."""
        limit = self._limit(budget_id)
        budgets.delete_budget(self.member_of(limit.workspace_id), limit)
        return no_content()


def _standing_of(limit: BudgetLimit, member: Membership) -> BudgetOut:
    zone = str(member.workspace.all_settings["timezone"])
    return budget_out(budget_statuses([limit], zone)[0])


def budget_out(standing: BudgetStatus) -> BudgetOut:
    """Return a budget as on the wire."""
    limit, row = standing.limit, standing.row
    graph, trigger = limit.graph, limit.trigger
    forecast = standing.forecast
    return BudgetOut(
        id=limit.pk,
        level=limit.level,
        graph=graph and BudgetGraph(id=graph.pk, slug=graph.slug, name=graph.name),
        trigger=trigger and BudgetTrigger(id=trigger.pk, name=trigger.name, kind=trigger.kind),
        period=limit.period,
        limit_usd=usd_or_none(standing.limit_pico),
        limit_tokens=standing.limit_tokens,
        raised_usd=usd(row.raised_pico),
        raised_tokens=row.raised_tokens,
        used_usd=usd(row.spent_pico),
        used_tokens=row.spent_tokens,
        held_usd=usd(row.held_pico),
        held_tokens=row.held_tokens,
        left_usd=usd_or_none(standing.left_pico),
        left_tokens=standing.left_tokens,
        taken=round(standing.taken, 4),
        forecast_usd=usd_or_none(forecast(row.spent_pico)),
        forecast_tokens=forecast(row.spent_tokens),
        current=standing.period.name,
        starts_at=time_or_none(standing.period.starts_at),
        ends_at=time_or_none(standing.period.ends_at),
    )
