"""The report of a run: what `run_graph` prints, folded from its log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from engine.core.people.edits import edited_request
from engine.core.people.quorum import ANYONE, missing
from engine.core.state.events import Event, node_of
from engine.core.state.requests import resume_token
from engine.core.state.run_state import OpenInterrupt, RunState
from engine.core.state.wire import public_request

STATUS_OF = {
    "NodeQueued": "queued",
    "NodeStarted": "running",
    "AttemptFailed": "retrying",
    "NodeInDoubt": "in_doubt",
    "NodeCompleted": "completed",
    "NodeFailed": "failed",
    "NodeSkipped": "skipped",
    "NodeCancelled": "cancelled",
}
ENDED = frozenset({"completed", "failed", "skipped", "cancelled"})


@dataclass(slots=True)
class NodeReport:
    """One activation as the report lists it."""

    key: str
    status: str = "queued"
    attempts: int = 0
    began: int = 0
    ended: int = 0
    output: Any = None
    error: Any = None

    def to_json(self) -> dict[str, Any]:
        data = {
            "node": place_of(self.key),
            "visit": int(self.key.rsplit("#", 1)[1]),
            "status": self.status,
            "attempts": self.attempts,
            "duration_ms": max(self.ended - self.began, 0),
            "output": self.output,
        }
        if self.error is not None:
            data["error"] = self.error
        return data


def place_of(key: str) -> str:
    """Return the node of an activation with its item: `mapper#1/worker[0]#1` → `worker[0]`."""
    return key.rsplit("/", 1)[-1].rsplit("#", 1)[0]


@dataclass(slots=True)
class LogReport:
    """What the log alone says: activations in order of their start, and the path."""

    nodes: dict[str, NodeReport] = field(default_factory=dict)
    path: list[str] = field(default_factory=list)
    transition: dict[str, Any] | None = None

    def add(self, event: Event) -> None:
        """Take one event into account."""
        key = event.key
        if event.type == "RunTransitioned":
            self.transition = {"run_id": event.data["run_id"], "graph_id": event.data["graph_id"]}
        if key is None:
            return
        if event.type == "CompensationRun":
            self.nodes.pop(key, None)
            return
        status = self._status_after(event)
        if status is None:
            return
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = NodeReport(key, began=event.at)
        node.status, node.ended = status, event.at
        node.attempts = event.data.get("attempts", event.data.get("attempt", node.attempts))
        if status in ENDED:
            node.output = output_of(event)
            node.error = event.data.get("error")
            if event.type in ("NodeCompleted", "NodeFailed"):
                self.path.append(place_of(key))

    def _status_after(self, event: Event) -> str | None:
        """Return the status the activation of an event has after it; None where it keeps its own."""
        if event.type == "NodeWaiting":
            return "waiting" if event.data["on"] == "interrupt" else None
        if event.type == "ChildRunWaiting":
            return "waiting" if event.data["waiting"] else "running"
        if event.type == "InterruptResolved":
            node = self.nodes.get(event.key or "")
            return "running" if node is not None and node.status not in ENDED else None
        return STATUS_OF.get(event.type)


def output_of(event: Event) -> Any:
    """Return what the activation left as its output; without one of its own, its writes."""
    if "output" in event.data or event.type != "NodeCompleted":
        return event.data.get("output")
    return event.data.get("writes", {})


def report_of(state: RunState, events: Sequence[Event], secret: bytes) -> dict[str, Any]:
    """Return the run report in the form of docs/DOCUMENT.md section 3."""
    log = LogReport()
    for event in events:
        log.add(event)
    status = state.status if state.status not in ("ending", "queued") else "running"
    if state.status == "ending" and state.is_idle:
        status = "waiting"  # an undo in doubt: only a person moves it on
    report: dict[str, Any] = {
        "run_id": state.run_id,
        "graph_id": state.started["graph_id"],
        "status": status,
        "result": state.result if status == "completed" else None,
        "error": _error(state),
        "memory": state.memory,
        "outputs": state.outputs,
        "metadata": state.metadata,
        "ui": {
            "messages": [{**m, "at": _iso(m["at"])} for m in state.messages],
            "structured": state.structured,
        },
        "path": log.path,
        "iterations": state.iterations,
        "spend": spend_json(state),
        "interrupts": [
            interrupt_json(state, secret, opened) for opened in state.interrupts.values()
        ],
        "nodes": [node.to_json() for node in log.nodes.values()],
    }
    if log.transition is not None:
        report["transition"] = log.transition
    return report


def _iso(ms: int) -> str:
    from engine.core.state.events import iso

    return iso(ms)


def _error(state: RunState) -> dict[str, Any] | None:
    if state.status == "cancelled":
        return {"code": "RunCancelled", "message": "the run was cancelled", "node": None}
    if state.error is None or state.status not in ("failed", "timeout", "ending"):
        return None
    error = dict(state.error)
    return {"code": error["code"], "message": error["message"], "node": error.get("node")} | (
        {"detail": error["detail"]} if "detail" in error else {}
    )


def money(value: Decimal) -> str:
    """Return USD as text without exponent, with at least six places."""
    exponent = value.normalize().as_tuple().exponent
    places = max(6, -exponent if isinstance(exponent, int) else 6)
    return f"{value:.{places}f}"


def spend_json(state: RunState) -> dict[str, Any]:
    """Return what the run has cost, in all and by node, failed attempts included."""
    return {
        "tokens": state.spent_tokens,
        "cost_usd": money(state.spent_usd),
        "by_node": {
            node: {
                "tokens": spend.tokens,
                "cost_usd": money(spend.usd),
                "attempts": spend.attempts,
            }
            for node, spend in state.spend.items()
            if spend.tokens or spend.usd
        },
    }


def interrupt_json(state: RunState, secret: bytes, opened: OpenInterrupt) -> dict[str, Any]:
    """Return an open interrupt with the token that answers it."""
    return {
        "request_id": opened.request_id,
        "resume_token": resume_token(secret, opened.request_id),
        "node": node_of(opened.key),
        "kind": opened.kind,
        "request": public_request(edited_request(opened)),
        **({"quorum": quorum_json(opened)} if opened.seats else {}),
    }


def quorum_json(opened: OpenInterrupt) -> dict[str, Any]:
    """Return how many people must approve, who said what, and which places are empty."""
    said = opened.decisions
    empty = missing(
        opened.seats, [one["fills"] for one in said.values() if one["decision"] == "approved"]
    )
    return {
        "rule": opened.rule,
        "needed": len(opened.seats),
        "remaining": len(empty),
        "approvals": [
            {"by": person, "decision": one["decision"], "comment": one.get("comment")}
            for person, one in said.items()
        ],
        "missing": [seat for seat in empty if seat != ANYONE],
    }


Now = Callable[[], int]
