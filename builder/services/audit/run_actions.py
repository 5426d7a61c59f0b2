"""Enters into the audit log what the logs of runs say people did.

The engine's store writes a `PendingDeed` in the commit of the event, so a process that dies leaves
nothing out; here it becomes an entry of its workspace's chain, once, in one transaction. The entry
is read from the event: there is no second record of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import orjson
from django.db import connection, transaction

from builder.base.audited_events import AUDITED, is_audited
from builder.models import HeldDecision, Interrupt, PendingDeed, Run, RunEvent
from builder.models.prepared import Prepared
from builder.reads import event_log as log
from builder.services.audit import chain as audit
from builder.services.audit.chain import AuditAction
from engine.core.state.events import node_of
from engine.core.values.json import digest
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

AT_ONCE: Final = 200
INLINE: Final = 300
"""Bytes of JSON up to which a value stands in the audit log itself; of others its hash does."""
MAX_CHANGES: Final = 50
PENDING: Final = Prepared(lambda: PendingDeed.objects.values_list("place")[:1])
"""Whether there is anything: each second, mostly not."""
BULK: Final = "bulk:"
"""How the trigger keys of runs begin that a bulk job retried: its id follows, then the old run's."""


def enter_all() -> int:
    """Enter everything that is pending and return how many actions that were."""
    total = 0
    while entered := enter_due():
        total += entered
    return total


def enter_due(limit: int = AT_ONCE) -> int:
    """Enter up to `limit` pending actions, in the order of their events; return how many were seen."""
    if not PENDING.tuples():
        return 0
    with transaction.atomic():
        rows = PendingDeed.objects.order_by("place")
        if connection.vendor == "postgresql":
            rows = rows.select_for_update(skip_locked=True)
        places = list(rows.values_list("place", flat=True)[:limit])
        if places:
            for workspace_id, actions in _by_workspace(places).items():
                audit.append(workspace_id, sorted(actions, key=lambda action: action.at))
            PendingDeed.objects.filter(place__in=places).delete()
    return len(places)


def _by_workspace(places: Sequence[int]) -> dict[str, list[AuditAction]]:
    events = list(RunEvent.objects.filter(place__in=places, type__in=AUDITED).order_by("place"))
    numbers = {event.number for event in events}
    runs = {run.number or 0: run for run in Run.objects.filter(number__in=numbers)}
    carried = [(event, orjson.loads(bytes(event.data))) for event in events]
    asked = _asked(data.get("request_id") for _, data in carried)
    held = _held(data.get("request_id") for _, data in carried)
    found: dict[str, list[AuditAction]] = defaultdict(list)
    for event, data in carried:
        run = runs.get(event.number)
        if run is not None and is_audited(event.type, data):
            question = asked.get(data.get("request_id") or "", {})
            since = held.get((data.get("request_id") or "", data.get("by") or ""))
            action = _action_of(run, event, data, question)
            if since is not None:
                action.detail["held_ms"] = event.at - since
            found[run.workspace_id].append(action)
    return found


def _asked(ids: Iterable[str | None]) -> dict[str, dict[str, Any]]:
    """Return what the events carry that opened these questions."""
    rows = Interrupt.objects.filter(pk__in={one for one in ids if one})
    places = {row.pk: (row.run, row.opened_seq) for row in rows}
    events = log.data_at(places.values())
    return {pk: events.get(place, {}) for pk, place in places.items()}


def _held(ids: Iterable[str | None]) -> dict[tuple[str, str], int]:
    """Return since when these decisions were held, by question and person, before they were sent."""
    states = (HeldDecision.State.SENDING, HeldDecision.State.SENT)
    rows = HeldDecision.objects.filter(interrupt__in={one for one in ids if one}, state__in=states)
    return {(row.interrupt_id, row.user_id): row.made_at for row in rows.order_by("pk")}


def ref_of(run_id: str, place: int) -> str:
    """Return how an audit entry names the event at `place` of a run."""
    return f"{run_id}:{place % EVENTS_PER_RUN}"


def _action_of(
    run: Run, event: RunEvent, data: Mapping[str, Any], asked: Mapping[str, Any]
) -> AuditAction:
    at = datetime.fromtimestamp(event.at / 1000, UTC)
    ref = ref_of(run.pk, event.place)
    if event.type == "RunStarted":
        action, actor, detail = _started(data, run.trigger_key or "")
    elif event.type == "RunEnding":
        action, actor, detail = "run.cancelled", data["by"], {"reason": _short(data["reason"])}
    elif event.type == "BudgetRaised":
        said = {"run": run.pk, "usd": data.get("add_usd"), "tokens": data.get("add_tokens")}
        return AuditAction(data.get("by"), "budget.raised", data["budget"], at, said, ref)
    else:
        detail = {"run": run.pk, **_decision(event, data, asked)}
        action = _action(event.type, data, asked)
        return AuditAction(data.get("by"), action, data["request_id"], at, _plain(detail), ref)
    return AuditAction(actor, action, run.pk, at, _plain({"graph": run.graph_slug, **detail}), ref)


def _started(data: Mapping[str, Any], key: str) -> tuple[str, str | None, dict[str, Any]]:
    names = ("version_id", "until", "only", "breakpoints", "forked_from")
    detail = {name: data[name] for name in names if data.get(name)}
    if data.get("pins"):
        detail["pins"] = sorted(data["pins"])
    kind = "started"
    if data.get("forked_from"):
        kind = "retried" if data.get("retry") else "forked"
        if key.startswith(BULK):
            detail["job"] = key.split(":")[1]
    return f"run.{kind}", data.get("started_by"), detail


def _action(kind: str, data: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    if kind == "InterruptAskedBack":
        return "interrupt.asked_back"
    if kind == "InterruptAnsweredBack":
        return f"interrupt.asking_{data['outcome']}"
    if kind != "InterruptResolved":
        return "decision.recorded" if kind == "DecisionRecorded" else "decision.lapsed"
    if data["outcome"] != "answered":
        return f"interrupt.{data['outcome']}"
    decides = asked.get("kind") in (None, "approval", "budget", "in_doubt")
    return "interrupt.decided" if decides else "interrupt.answered"


def _decision(event: RunEvent, data: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was decided, on what content, under which policy, and by which channel."""
    request = asked.get("request") if isinstance(asked.get("request"), dict) else {}
    found: dict[str, Any] = {
        "node": node_of(event.key or ""),
        "kind": asked.get("kind"),
        "decision": data.get("decision"),
        "content_hash": data.get("content_hash") or asked.get("content_hash"),
        "request_hash": asked.get("request_hash"),
        "changes": _changes(data.get("changes")),
        "policy": _short((request or {}).get("policy") or None),
        "via": data.get("via"),
        "stands_for": data.get("stands_for"),
        "comment": _short(data.get("comment")),
        "reason": data.get("reason"),
        "to": data.get("to"),
        "question": _short(data.get("question")),
        "reply": _short(data.get("reply")),
    }
    if data.get("answer") != data.get("decision"):
        found["answer"] = _short(data.get("answer"))
    return found


def _changes(found: Any) -> Any:
    if not isinstance(found, list):
        return _short(found)
    told = [{name: _short(value) for name, value in one.items()} for one in found[:MAX_CHANGES]]
    return [*told, {"more": len(found) - MAX_CHANGES}] if len(found) > MAX_CHANGES else told


def _short(value: Any) -> Any:
    """Return a value as it stands in the audit log: of a long one its hash and size."""
    size = len(orjson.dumps(value))
    return value if size <= INLINE else {"sha256": digest(value), "bytes": size}


def _plain(detail: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in detail.items() if value is not None}
