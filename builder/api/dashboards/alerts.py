"""What people are told of while they do not look: the rules, and what is so now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field, model_validator
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.files import csv_file, wants_csv
from builder.api.http.pagination import page
from builder.api.http.schema.api_schema import with_csv
from builder.api.http.view import ApiView, no_content
from builder.api.http.wire import Body, Listing, Moment, Name, Named, Usd, Wire, time, time_or_none
from builder.base.clock import now_ms
from builder.base.errors import NotFound
from builder.models import Alert, AlertRule, Graph, Membership
from builder.reads.operations.told_lines import MAX_ROWS, alert_lines
from builder.services.mail.alert_words import headline, headline_now
from builder.services.permissions import Right, may
from builder.services.runs.alerts import rules
from builder.services.runs.alerts.counts import Look, rows_of
from builder.services.runs.alerts.rules import Rule
from engine.core.budgets.money import pico, usd

What = Literal["failures", "spend", "budget", "waiting", "stuck", "in_doubt", "provider_down"]


class AlertBody(Body):
    """A rule. `threshold` counts runs or items, of a budget percent; `spend` has `threshold_usd`."""

    what: What
    threshold: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    threshold_usd: Usd | None = None
    window_minutes: Annotated[int, Field(ge=1)] = 60
    graph: Name | None = None
    to: Annotated[list[Name], Field(max_length=rules.MAX_TO)] = []

    @model_validator(mode="after")
    def _one_threshold(self) -> Self:
        wanted = "threshold_usd" if self.what == "spend" else "threshold"
        given = [n for n in ("threshold", "threshold_usd") if getattr(self, n) is not None]
        if given != [wanted]:
            raise ValueError(f"{self.what} takes {wanted}, and only that")
        return self

    def to_rule(self, graph: Graph | None) -> Rule:
        """Return the rule as the service takes it."""
        threshold = self.threshold if self.threshold_usd is None else pico(self.threshold_usd)
        return Rule(self.what, threshold or 0, self.window_minutes, graph, self.to)


class AlertChange(AlertBody):
    """What changes of a rule."""


class MuteBody(Body):
    """Until when no mail is sent; null sends it again."""

    until: Moment | None


class OpenAlertOut(Wire):
    """That a rule is met: since when, what was counted at `looked_at`, and where its rows are."""

    since: str
    looked_at: str
    value: int
    value_usd: str | None
    said: str
    rows: str


class AlertOut(Wire):
    """A rule, and its alert while it is met."""

    id: str
    what: What
    threshold: int | None
    threshold_usd: str | None
    window_minutes: int
    graph: Named | None
    to: list[str]
    muted_until: str | None
    open: OpenAlertOut | None


class AlertList(Listing[AlertOut]):
    """The rules of a workspace, and whether the caller may change them."""

    can_edit: bool


class AlertsView(ApiView):
    """The alerts of the current workspace."""

    query_names: ClassVar[frozenset[str]] = frozenset({"format"})

    @extend_schema(
        responses=with_csv(AlertList),
        operation_id="alerts",
        parameters=[
            OpenApiParameter("cursor"),
            OpenApiParameter("format", enum=["json", "csv"]),
        ],
    )
    def get(self, request: Request) -> Response | HttpResponse:
        """List the rules, those that are met with what is so; as CSV each time that one was met."""
        member = self.member()
        rows = self.visible(AlertRule.objects.in_workspace(member.workspace_id))
        rows = rows.select_related("graph", "workspace").defer("graph__header")
        if wants_csv(self.text("format")):
            met = Alert.objects.filter(rule__in=rows.values("pk")).select_related("rule__graph")
            met = met.defer("rule__graph__header").order_by("-opened_at", "-pk")[:MAX_ROWS]
            said = {one.pk: one.said or headline(one.rule, one.value) for one in met}
            return csv_file(alert_lines(met, said), "alerts")
        found = page(rows, self.window(), field="made_at", newest_first=False)
        return Response(
            AlertList(
                results=alerts_out(found.rows),
                next=found.next,
                total=found.total,
                total_is_more=found.total_is_more,
                can_edit=may(member, Right.RUN),
            )
        )

    @extend_schema(request=AlertBody, responses={201: AlertOut}, operation_id="create_alert")
    def post(self, request: Request) -> Response:
        """Add a rule; it is looked at at once."""
        member = self.member()
        body = AlertBody.read(request.data)
        graph = None if body.graph is None else self.graph(body.graph)
        row = rules.create_rule(member, body.to_rule(graph))
        return Response(alerts_out([row])[0], status=201)


class _OfRule(ApiView):
    def rule(self, alert_id: object) -> tuple[AlertRule, Membership]:
        """Return the rule and the caller's membership. Raises `NotFound` `AlertNotFound`."""
        rows = AlertRule.objects.select_related("graph", "workspace").defer("graph__header")
        found = self.visible(rows).filter(pk=str(alert_id)).first()
        if found is None:
            raise NotFound("no such alert", code="AlertNotFound")
        return found, self.member_of(found.workspace_id)


class AlertView(_OfRule):
    """One rule."""

    @extend_schema(request=AlertChange, responses=AlertOut, operation_id="change_alert")
    def patch(self, request: Request, alert_id: object) -> Response:
        """Change the rule; it is looked at at once."""
        row, member = self.rule(alert_id)
        body = AlertChange.read(_changed(row, request.data))
        graph = None if body.graph is None else self.graph(body.graph)
        rules.change_rule(member, row, body.to_rule(graph))
        return Response(alerts_out([row])[0])

    @extend_schema(responses={204: None}, operation_id="delete_alert")
    def delete(self, request: Request, alert_id: object) -> Response:
        """Take the rule away."""
        row, member = self.rule(alert_id)
        rules.delete_rule(member, row)
        return no_content()


class MuteAlertView(_OfRule):
    """Quiet about one rule."""

    @extend_schema(request=MuteBody, responses=AlertOut, operation_id="mute_alert")
    def post(self, request: Request, alert_id: object) -> Response:
        """Send no mail about it for a while; the dashboard goes on telling."""
        row, member = self.rule(alert_id)
        until = MuteBody.read(request.data).until
        rules.mute_rule(member, row, None if until is None else int(until.timestamp() * 1000))
        return Response(alerts_out([row])[0])


def _changed(row: AlertRule, data: object) -> object:
    """Return a rule as it stands with what is given anew; another kind has another threshold."""
    if not isinstance(data, Mapping):
        return data
    now: dict[str, Any] = {"what": row.what, "window_minutes": row.window_minutes, "to": row.to}
    now["graph"] = row.graph_id
    if not {"threshold", "threshold_usd"} & set(data):
        in_usd = row.what == AlertRule.What.SPEND
        now |= {"threshold_usd": usd(row.threshold)} if in_usd else {"threshold": row.threshold}
    return {**now, **data}


def alerts_out(rows: list[AlertRule]) -> list[AlertOut]:
    """Return rules as on the wire, with two queries."""
    standing = Alert.objects.filter(rule__in=rows, closed_at__isnull=True)
    now_open = {alert.rule_id: alert for alert in standing}
    now = now_ms()
    return [_out(row, now_open.get(row.pk), now) for row in rows]


def _out(row: AlertRule, alert: Alert | None, now: int) -> AlertOut:
    in_usd = row.what == AlertRule.What.SPEND
    muted = row.muted_until if (row.muted_until or 0) > now else None
    return AlertOut(
        id=row.pk,
        what=row.what,
        threshold=None if in_usd else row.threshold,
        threshold_usd=usd(row.threshold) if in_usd else None,
        window_minutes=row.window_minutes,
        graph=None if row.graph is None else Named(id=row.graph.pk, name=row.graph.name),
        to=[str(entry) for entry in row.to],
        muted_until=time_or_none(muted),
        open=None if alert is None else _open_out(row, alert),
    )


def _open_out(row: AlertRule, alert: Alert) -> OpenAlertOut:
    return OpenAlertOut(
        since=time(alert.opened_at),
        looked_at=time(alert.looked_at),
        value=alert.value,
        value_usd=usd(alert.value) if row.what == AlertRule.What.SPEND else None,
        said=headline_now(row, alert.value),
        rows=rows_of(Look(row, alert.looked_at)),
    )
