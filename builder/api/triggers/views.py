"""The triggers of workflows: made, changed, tried, and what came in at them."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.pagination import page
from builder.api.http.view import ApiView, no_content
from builder.api.http.wire import Listing, time_or_none
from builder.api.triggers.wire import (
    DeliveryOut,
    DueOut,
    NewTriggerOut,
    SampleBody,
    SecretBody,
    SecretOut,
    TriggerBody,
    TriggerCardOut,
    TriggerChange,
    TriggerOut,
    card_out,
    deliveries_out,
    delivery_out,
    due_out,
    trigger_out,
)
from builder.base.clock import now_ms
from builder.base.errors import NotFound
from builder.doors.telling.refused import refused_lately
from builder.doors.triggers import times, trying
from builder.doors.triggers import verbs as triggers
from builder.models import Delivery, Trigger


class DueView(ApiView):
    """When a schedule would be due."""

    query_names: ClassVar[frozenset[str]] = frozenset({"cron", "zone"})

    @extend_schema(
        responses=DueOut,
        operation_id="due",
        parameters=[OpenApiParameter("cron"), OpenApiParameter("zone")],
    )
    def get(self, request: Request) -> Response:
        """Return the next five times of a cron line in a time zone."""
        cron, zone = times.check(self.text("cron") or "0 * * * *", self.text("zone") or "UTC")
        return Response(DueOut(due=due_out({"cron": cron, "zone": zone})))


class _TriggerView(ApiView):
    """A route of one trigger."""

    def trigger(self, trigger_id: object) -> Trigger:
        """Return the trigger. Raises `NotFound` `TriggerNotFound`."""
        rows = self.visible(Trigger.objects.filter(graph__archived_at__isnull=True))
        found = rows.select_related("graph", "account", "switched_by")
        row = found.filter(pk=str(trigger_id)).first()
        if row is None:
            raise NotFound("no such trigger", code="TriggerNotFound")
        return row


class TriggersView(ApiView):
    """The triggers of a workflow."""

    @extend_schema(responses=Listing[TriggerOut], operation_id="triggers")
    def get(self, request: Request, graph_id: object) -> Response:
        """List them, the first made first."""
        graph = self.graph(graph_id)
        rows = Trigger.objects.filter(graph=graph)
        rows = rows.select_related("graph", "account", "switched_by")
        found = page(rows, self.window(), field="made_at", newest_first=False)
        return Response(Listing[TriggerOut].of(found, [trigger_out(row) for row in found.rows]))

    @extend_schema(
        request=TriggerBody, responses={201: NewTriggerOut}, operation_id="create_trigger"
    )
    def post(self, request: Request, graph_id: object) -> Response:
        """Make one; the secret that we make is shown in this answer only."""
        graph = self.graph(graph_id)
        member = self.member_of(graph.workspace_id)
        row, secret = triggers.create(member, graph, TriggerBody.read(request.data).wanted())
        out = NewTriggerOut(**trigger_out(row).model_dump(), secret=secret)
        return Response(out, status=201)


class TriggerCardsView(ApiView):
    """The triggers of a workflow in short, to be asked often."""

    @extend_schema(responses=Listing[TriggerCardOut], operation_id="trigger_cards")
    def get(self, request: Request, graph_id: object) -> Response:
        """List them, the first made first, with what was refused within a day."""
        rows = Trigger.objects.filter(graph=self.graph(graph_id))
        found = page(rows, self.window(), field="made_at", newest_first=False)
        refused = refused_lately(found.rows, now_ms())
        cards = [card_out(row, refused.get(row.pk, 0)) for row in found.rows]
        return Response(Listing[TriggerCardOut].of(found, cards))


class TriggerView(_TriggerView):
    """One trigger."""

    @extend_schema(responses=TriggerOut, operation_id="trigger")
    def get(self, request: Request, trigger_id: object) -> Response:
        """Return it, with the last delivery as the sample."""
        return Response(trigger_out(self.trigger(trigger_id)))

    @extend_schema(request=TriggerChange, responses=TriggerOut, operation_id="change_trigger")
    def patch(self, request: Request, trigger_id: object) -> Response:
        """Change it, or switch it on or off."""
        row = self.trigger(trigger_id)
        wanted = TriggerChange.read(request.data).wanted()
        return Response(trigger_out(triggers.change(self.member_of(row.workspace_id), row, wanted)))

    @extend_schema(responses={204: None}, operation_id="remove_trigger")
    def delete(self, request: Request, trigger_id: object) -> Response:
        """Remove it with what came in; its runs stay."""
        row = self.trigger(trigger_id)
        triggers.remove(self.member_of(row.workspace_id), row)
        return no_content()


class TriggerSecretView(_TriggerView):
    """The secret that calls are signed with."""

    @extend_schema(request=SecretBody, responses=SecretOut, operation_id="rotate_trigger_secret")
    def post(self, request: Request, trigger_id: object) -> Response:
        """Take another one; the former one holds for a day longer."""
        row = self.trigger(trigger_id)
        given = SecretBody.read(request.data).secret
        text = triggers.rotate(self.member_of(row.workspace_id), row, given)
        until = row.secrets.filter(until__isnull=False).values_list("until", flat=True).first()
        return Response(SecretOut(secret=text, former_until=time_or_none(until)))


class TryTriggerView(_TriggerView):
    """A delivery as if it had come."""

    @extend_schema(request=SampleBody, responses={201: DeliveryOut}, operation_id="test_trigger")
    def post(self, request: Request, trigger_id: object) -> Response:
        """Start a run of what a call would bring, whether the trigger is on or off."""
        row = self.trigger(trigger_id)
        sample = SampleBody.read(request.data).model_dump()
        made = trying.test(self.member_of(row.workspace_id), row, sample)
        return Response(delivery_out(made), status=201)


class DeliveriesView(_TriggerView):
    """What came in at a trigger."""

    query_names: ClassVar[frozenset[str]] = frozenset({"state"})

    @extend_schema(
        responses=Listing[DeliveryOut],
        operation_id="deliveries",
        parameters=[
            OpenApiParameter("state", enum=Delivery.State.values),
            OpenApiParameter("cursor"),
        ],
    )
    def get(self, request: Request, trigger_id: object) -> Response:
        """List it, the newest first."""
        rows = self.trigger(trigger_id).deliveries.all()
        if state := self.text("state"):
            rows = rows.filter(state=state)
        found = page(rows.defer("input", "sample"), self.window(), field="at")
        return Response(Listing[DeliveryOut].of(found, deliveries_out(found.rows)))


class RepeatView(_TriggerView):
    """Once more."""

    @extend_schema(request=None, responses={201: DeliveryOut}, operation_id="repeat_delivery")
    def post(self, request: Request, delivery_id: object) -> Response:
        """Start a run of what came in before, mapped as the trigger maps today."""
        rows = self.visible(Delivery.objects.select_related("door__graph", "door__account"))
        row = rows.filter(pk=str(delivery_id)).first()
        if row is None:
            raise NotFound("no such delivery", code="DeliveryNotFound")
        made = trying.again(self.member_of(row.door.workspace_id), row)
        return Response(delivery_out(made), status=201)
