"""Events of the house that start workflows: each a delivery, one for each trigger and event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson

from builder.base.clock import now_ms
from builder.base.errors import InvalidInput
from builder.doors.house import facts
from builder.doors.house.consumer import Consumer, Wait
from builder.doors.triggers.chains import DEEPEST, depth_of
from builder.doors.triggers.mapping import MappingFailed, mapped
from builder.doors.triggers.refusing import TurnedAway, note
from builder.models import Delivery, Graph, HouseEvent, Run, Trigger
from builder.models.doors.house_kinds import BUDGET_MARK, ITEM_WAITING, KINDS

A_MINUTE: Final = 60
"""Starts of a trigger within a minute; more wait for the next one."""
MOST_WAITING: Final = 1_000
"""Deliveries of a trigger that wait; more are turned away."""
MINUTE_MS: Final = 60_000


def hear(event: HouseEvent) -> None:
    """Take an event in at each trigger that waits for it; what was taken in is begun by the scan."""
    rows = Trigger.objects.filter(workspace=event.workspace_id, kind=Trigger.Kind.EVENT, on=True)
    live = rows.filter(graph__archived_at__isnull=True).select_related("workspace")
    found = [trigger for trigger in live if wants(trigger, event)]
    if not found or (event.kind != BUDGET_MARK and _of_draft(event)):
        return
    body, depth = facts.facts_of(event, with_result=True), depth_of(event.run) + 1
    for trigger in found:
        _take(trigger, event, body, depth)


def wants(trigger: Trigger, event: HouseEvent) -> bool:
    """Return whether the trigger waits for the event: never for what its own workflow does.

    A run that ended as a person said no has not failed: that is the decision's event. A budget's mark is told once in its period, whoever has passed it.
    """
    config, said = trigger.config, orjson.loads(event.data)
    if event.kind not in config["on"]:
        return False
    if event.kind == BUDGET_MARK:
        marked = said["percent"] == config["percent"]
        return marked and config.get("workflow") in (None, event.graph)
    if said.get("rejected") or (event.graph is not None and event.graph == trigger.graph_id):
        return False
    if event.kind == ITEM_WAITING and said["minutes"] != config["minutes"]:
        return False
    return config.get("workflow") in (None, event.graph)


def waits() -> Iterable[Wait]:
    """Return after how many minutes triggers want to hear that an item of a workspace still waits."""
    rows = Trigger.objects.filter(kind=Trigger.Kind.EVENT, on=True)
    for workspace, config in rows.values_list("workspace", "config"):
        if ITEM_WAITING in config["on"]:
            yield workspace, config["minutes"]


def listening() -> Iterable[str]:
    """Return the workspaces with a trigger that waits for an event."""
    rows = Trigger.objects.filter(kind=Trigger.Kind.EVENT, on=True)
    return rows.values_list("workspace", flat=True).distinct()


def check_watched(graph: Graph, config: Mapping[str, Any]) -> None:
    """Raise `InvalidInput` for a workflow that there is not, or that would start itself."""
    watched = config.get("workflow")
    if watched is None:
        return
    if watched == graph.pk and config["on"] != [BUDGET_MARK]:
        raise InvalidInput("a workflow is not started by what it does", path="config.workflow")
    rows = Graph.objects.filter(workspace=graph.workspace_id, archived_at__isnull=True)
    if not rows.filter(pk=watched).exists():
        raise InvalidInput("there is no such workflow here", path="config.workflow")


def watched_of(rows: Iterable[Trigger]) -> dict[str, str]:
    """Return the names of the workflows that triggers wait for, by id; of those still there."""
    ids = {row.config["workflow"] for row in rows if row.config.get("workflow")}
    live = (
        Graph.objects.filter(pk__in=ids, archived_at__isnull=True) if ids else Graph.objects.none()
    )
    return dict(live.values_list("pk", "name"))


CONSUMER: Final = Consumer("triggers", frozenset(KINDS), hear, waits, listening)


def _of_draft(event: HouseEvent) -> bool:
    """Return whether it happened in a run of a draft: somebody tries something out."""
    return Run.objects.filter(pk=event.run, version__is_draft=True).exists()


def _take(trigger: Trigger, event: HouseEvent, body: Mapping[str, Any], depth: int) -> None:
    now, sample = now_ms(), {"body": body, "headers": {}, "query": {}}
    try:
        wait_ms = _wait_ms(trigger, now)
        if depth > DEEPEST:
            words = f"{DEEPEST} workflows have started one another by events: no more follow"
            raise TurnedAway(422, "ChainTooLong", words)
        given = orjson.dumps(mapped(trigger.mapping, sample)).decode()
    except TurnedAway as refusal:
        note(trigger, refusal, now, sample)
    except MappingFailed as failed:
        note(trigger, TurnedAway(422, "MappingFailed", str(failed)), now, sample)
    else:
        Delivery.objects.get_or_create(
            door=trigger,
            key=f"event:{event.pk}:{event.kind}",
            defaults={
                "sample": orjson.dumps(sample).decode(),
                "input": given,
                "at": now,
                "available_at": now + wait_ms,
                "cause": event.run,
                "depth": depth,
            },
        )


def _wait_ms(trigger: Trigger, now: int) -> int:
    """Return how long a start has to wait for those before it. Raises `TurnedAway`."""
    rows = Delivery.objects.filter(door=trigger)
    waiting = rows.filter(state=Delivery.State.RECEIVED)[:MOST_WAITING].count()
    if waiting >= MOST_WAITING:
        raise TurnedAway(429, "TooManyRequests", f"{MOST_WAITING} starts wait already")
    return rows.filter(at__gt=now - MINUTE_MS).count() // A_MINUTE * MINUTE_MS
