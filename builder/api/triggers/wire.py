"""Triggers and deliveries on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

import orjson
from pydantic import Field

from builder.api.http.wire import Body, JsonMap, Named, Text, Wire, time, time_or_none
from builder.base.address import public
from builder.base.clock import now_ms
from builder.doors.triggers.house_events import watched_of
from builder.doors.triggers.times import next_times
from builder.doors.triggers.verbs import Wanted
from builder.models import Delivery, Run, Trigger
from builder.reads.runs import queue

DUE_SHOWN: Final = 5
Name = Annotated[Text, Field(min_length=1, max_length=120)]
Secret = Annotated[Text, Field(max_length=200)]
Mapping = dict[
    Annotated[Text, Field(min_length=1, max_length=64)], Annotated[Text, Field(max_length=2000)]
]


class TriggerBody(Body):
    """A trigger as it is to be. A `secret` that the sender made; without one we make it."""

    kind: Literal["webhook", "schedule", "event"]
    name: Name | None = None
    config: JsonMap = {}
    mapping: Mapping = {}
    on: bool = True
    secret: Secret | None = None

    def wanted(self) -> Wanted:
        """Return it as the service takes it."""
        return Wanted(self.name, self.config, self.mapping, self.on, self.secret, self.kind)


class TriggerChange(Body):
    """What is to change; what is not given stays."""

    name: Name | None = None
    config: JsonMap | None = None
    mapping: Mapping | None = None
    on: bool | None = None

    def wanted(self) -> Wanted:
        """Return it as the service takes it."""
        return Wanted(self.name, self.config, self.mapping, self.on)


class SecretBody(Body):
    """Another secret; without one we make it."""

    secret: Secret | None = None


class SampleBody(Body):
    """What a call would bring."""

    body: Any = None
    headers: dict[Text, Text] = {}
    query: dict[Text, Text] = {}


class DeliveryOut(Wire):
    """What came in, and what became of it.

    Of an event `event` says of which kind, and `cause` is the run in which it happened.
    `queued_behind`: how many runs come before its run while that waits for its turn.
    """

    id: str
    event: str
    cause: str | None
    state: str
    code: str
    reason: str
    key: str
    run: str | None
    at: str
    repeats: int
    differed: bool
    can_repeat: bool
    queued_behind: int | None = None


class TriggerOut(Wire):
    """A trigger; `address` is the whole one, `sample` the newest delivery that has one.

    `watched` is the workflow whose events start it, without name once it is gone.
    """

    id: str
    graph: Named
    kind: str
    name: str
    on: bool
    config: JsonMap
    mapping: dict[str, str]
    account: Named
    switched_by: Named | None
    watched: Named | None
    address: str | None
    former_secret_until: str | None
    last_at: str | None
    next_at: str | None
    due: list[str]
    sample: JsonMap | None


class TriggerCardOut(Wire):
    """A trigger as it stands beside the start; `refused` is what it turned away within a day."""

    id: str
    kind: str
    name: str
    on: bool
    last_at: str | None
    next_at: str | None
    refused: int


class DueOut(Wire):
    """The next five times of a schedule."""

    due: list[str]


class NewTriggerOut(TriggerOut):
    """A new trigger; `secret` is shown in this answer only, null where the caller brought it."""

    secret: str | None


class SecretOut(Wire):
    """The new secret, shown in this answer only; null where the caller brought it."""

    secret: str | None
    former_until: str | None


def deliveries_out(rows: Sequence[Delivery]) -> list[DeliveryOut]:
    """Return deliveries as on the wire, with how long the lines before their runs are."""
    runs = Run.objects.filter(pk__in=[row.run for row in rows if row.run], status="queued")
    behind = queue.before(list(runs))
    return [delivery_out(row, behind.get(row.run or "")) for row in rows]


def delivery_out(row: Delivery, queued_behind: int | None = None) -> DeliveryOut:
    """Return a delivery as on the wire."""
    kind, _, key = row.key.partition(":")
    return DeliveryOut(
        id=row.pk,
        event=key.partition(":")[2] if kind == "event" else "",
        cause=row.cause,
        state=row.state,
        code=row.code,
        reason=row.reason,
        key=key if kind in ("id", "due") else "",
        run=row.run,
        at=time(row.at),
        repeats=row.repeats,
        differed=row.differed,
        can_repeat=row.sample != "null",
        queued_behind=queued_behind,
    )


def trigger_out(row: Trigger) -> TriggerOut:
    """Return a trigger as on the wire, with the last delivery as the sample."""
    by, former = row.switched_by, _former(row)
    return TriggerOut(
        id=row.pk,
        graph=Named(id=row.graph_id, name=row.graph.name),
        kind=row.kind,
        name=row.name,
        on=row.on,
        config=row.config,
        mapping=row.mapping,
        account=Named(id=row.account_id, name=str(row.account)),
        switched_by=None if by is None else Named(id=by.pk, name=str(by)),
        watched=_watched(row),
        address=None if row.address is None else f"{public()}/hooks/{row.address}",
        former_secret_until=time_or_none(former),
        last_at=time_or_none(row.last_at),
        next_at=time_or_none(row.next_at),
        due=due_out(row.config) if row.kind == Trigger.Kind.SCHEDULE else [],
        sample=_sample(row),
    )


def card_out(row: Trigger, refused: int) -> TriggerCardOut:
    """Return a trigger as on a card."""
    return TriggerCardOut(
        id=row.pk,
        kind=row.kind,
        name=row.name,
        on=row.on,
        last_at=time_or_none(row.last_at),
        next_at=time_or_none(row.next_at),
        refused=refused,
    )


def due_out(config: JsonMap) -> list[str]:
    """Return the next five times of a schedule, whether it is on or off."""
    return [time(at) for at in next_times(config["cron"], config["zone"], now_ms(), DUE_SHOWN)]


def _watched(row: Trigger) -> Named | None:
    pk = row.config.get("workflow")
    return None if pk is None else Named(id=pk, name=watched_of([row]).get(pk, ""))


def _former(row: Trigger) -> int | None:
    held = row.secrets.filter(until__gt=now_ms())
    return held.values_list("until", flat=True).first()


def _sample(row: Trigger) -> JsonMap | None:
    rows = row.deliveries.exclude(sample="null").order_by("-at")
    text = rows.values_list("sample", flat=True).first()
    return None if text is None else orjson.loads(text)
