"""A run's log as spans: the run, its activations, their calls, and what they waited for.

Names of models, tools and errors, tokens and money are told; nothing that people or models wrote.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from builder.models import Run
from builder.reads.event_log import events_of
from engine.core.state.events import node_of

MAX_SPANS: Final = 5_000
"""Spans of one run; a wider one is cut, and says so."""
ENDS: Final = ("NodeCompleted", "NodeFailed", "NodeSkipped", "NodeCancelled")
CALL_ENDS: Final = ("StepCompleted", "StepFailed")
KINDS: Final = (
    *("RunStarted", "NodeStarted", "AttemptFailed", *ENDS),
    *("StepIntended", *CALL_ENDS, "InterruptOpened", "InterruptResolved"),
)
Fact = tuple[str, int, str | None, Mapping[str, Any]]
"""Type, milliseconds since the epoch, key of the activation, data of an event."""
Value = str | int | float | bool


@dataclass(slots=True)
class Span:
    """A stretch of a run. Times are milliseconds since the epoch, ids 16 hexadecimal digits."""

    id: str
    parent: str | None
    name: str
    since: int
    until: int | None = None
    is_call: bool = False
    """Whether it is a call of the outside."""
    error: str = ""
    """The code of the error that ended it, empty without one."""
    attributes: dict[str, Value] = field(default_factory=dict)
    moments: list[tuple[str, int, dict[str, Value]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Trace:
    """The spans of one run, the run's own first; a child run names the one that asked for it."""

    id: str
    spans: list[Span]
    parent: tuple[str, str] | None
    """Trace and span of the run that asked for this one."""


def trace_of(run: Run) -> Trace:
    """Return the trace of a run that is over."""
    rows = events_of(run.pk, kinds=tuple(KINDS))
    facts = ((kind, at, key, orjson.loads(data)) for _seq, kind, at, key, data in rows)
    root = Span(span_id(run.pk), None, f"run {run.graph_slug}", run.started_at, run.ended_at)
    root.attributes |= {
        "graphwright.run.id": run.pk,
        "graphwright.workflow": run.graph_slug,
        "graphwright.workspace.id": run.workspace_id,
        "graphwright.run.status": run.status,
        "graphwright.run.tokens": run.spent_tokens,
        "graphwright.run.cost_usd": run.spent_pico / 1e12,
    }
    root.error = "" if run.status == Run.Status.COMPLETED else str(run.status)
    spans = list(spans_of(run.pk, facts, root))
    asked_by = (trace_id(run.parent_run), span_id(run.parent_run)) if run.parent_run else None
    return Trace(trace_id(run.pk), spans, asked_by)


def spans_of(run_id: str, facts: Iterable[Fact], root: Span) -> Iterator[Span]:
    """Return the root and what is within it; what never ended ends with the run."""
    reading = _Reading(run_id, root)
    for kind, at, key, data in facts:
        if key is not None:
            reading.take(kind, at, key, data)
        if len(reading.found) >= MAX_SPANS:
            root.attributes["graphwright.spans_cut"] = True
            break
    yield root
    for span in reading.found.values():
        span.until = root.until if span.until is None else span.until
        yield span


class _Reading:
    """The spans of a run, by their place in it, as its log is read."""

    def __init__(self, run_id: str, root: Span) -> None:
        self.found: dict[tuple[str, ...], Span] = {}
        self._run_id = run_id
        self._root = root

    def take(self, kind: str, at: int, key: str, data: Mapping[str, Any]) -> None:
        """Begin or end what an event begins or ends."""
        if kind == "NodeStarted":
            if (key,) not in self.found:
                self.found[key,] = _activation(self._id(key), self._root, at, key, data)
        elif kind == "StepIntended":
            place = _call_at(key, data)
            self.found[place] = _call(self._id(*place), self._above(key), at, data)
        elif kind == "InterruptOpened":
            place, name = _question_at(key, data), f"wait for {data.get('kind', 'a person')}"
            self.found[place] = Span(self._id(*place), self._above(key), name, at)
        elif kind == "AttemptFailed" and (key,) in self.found:
            failed: dict[str, Value] = {"error.type": _code(data)}
            self.found[key,].moments.append(("attempt failed", at, failed))
        else:
            self._end(kind, at, key, data)

    def _end(self, kind: str, at: int, key: str, data: Mapping[str, Any]) -> None:
        if kind in ENDS:
            span = self.found.get((key,))
        else:
            span = self.found.get((_call_at if kind in CALL_ENDS else _question_at)(key, data))
        if span is not None:
            span.until, span.error = at, _code(data)
            if kind in CALL_ENDS:
                span.attributes |= _spent(data)

    def _id(self, *place: str) -> str:
        return span_id(self._run_id, *place)

    def _above(self, key: str) -> str:
        parent = self.found.get((key,))
        return self._root.id if parent is None else parent.id


def _activation(name: str, root: Span, at: int, key: str, data: Mapping[str, Any]) -> Span:
    node, kind = node_of(key), str(data.get("node_type", ""))
    span = Span(name, root.id, f"{kind} {node}", at)
    span.attributes |= {
        "graphwright.node.id": node,
        "graphwright.node.type": kind,
        "graphwright.activation": key,
    }
    return span


def _call(name: str, parent: str, at: int, data: Mapping[str, Any]) -> Span:
    """Return a call, named as the conventions for generative AI name it."""
    kind = str(data.get("kind", ""))
    span = Span(name, parent, kind, at, is_call=True)
    span.attributes["graphwright.effect"] = str(data.get("effect_class", ""))
    if kind == "model":
        model = str(data.get("model", ""))
        span.name = f"chat {model}"
        span.attributes |= {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": model.partition("/")[0],
            "gen_ai.request.model": model.partition("/")[2] or model,
        }
        if data.get("agent"):
            span.attributes["gen_ai.agent.name"] = str(data["agent"])
    elif data.get("tool"):
        span.name = f"execute_tool {data['tool']}"
        span.attributes |= {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": str(data["tool"]),
        }
    return span


def _spent(data: Mapping[str, Any]) -> dict[str, Value]:
    usage = data.get("usage") or {}
    told: dict[str, Value] = {
        f"gen_ai.usage.{name}": usage[name]
        for name in ("input_tokens", "output_tokens")
        if isinstance(usage.get(name), int)
    }
    if data.get("cost_usd") is not None:
        told["graphwright.cost_usd"] = float(data["cost_usd"])
    return told


def _call_at(key: str, data: Mapping[str, Any]) -> tuple[str, ...]:
    return key, str(data.get("path", "")), str(data.get("attempt", ""))


def _question_at(key: str, data: Mapping[str, Any]) -> tuple[str, ...]:
    return key, "asked", str(data.get("request_id", ""))


def _code(data: Mapping[str, Any]) -> str:
    error = data.get("error")
    return str(error.get("code") or "error") if isinstance(error, Mapping) else ""


def trace_id(run_id: str) -> str:
    """Return the 32 digits under which a run's spans stand: the same whoever tells of them."""
    return hashlib.sha256(run_id.encode()).hexdigest()[:32]


def span_id(run_id: str, *place: str) -> str:
    """Return the 16 digits of a stretch of a run."""
    return hashlib.sha256("\0".join((run_id, *place)).encode()).hexdigest()[:16]
