"""One run: its rows beside what its log comes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from builder.services.verification.run_rows import RunRow
from builder.services.verification.snapshot import Finding, Snapshot
from engine.core.budgets.money import pico
from engine.core.state.events import BREAKPOINT_ID
from engine.core.state.run_state import RunState
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from engine.runtime.stores.sql.projections import waits_of


def check_run(look: Snapshot, row: RunRow, state: RunState) -> Iterator[Finding]:
    """Yield what rows say of a run and its log does not."""
    yield from _summary(row, state)
    yield from _interrupts(look, row, state)
    yield from _decisions(look, row, state)
    yield from _live(look, row, state)


def _summary(row: RunRow, state: RunState) -> Iterator[Finding]:
    error = None if state.error is None else orjson.dumps(state.error).decode()
    waiting = waits_of(state)
    told = {
        "status": state.status,
        "started_at": state.started_at,
        "ended_at": state.ended_at,
        "started_by": state.started.get("started_by"),
        "error": error,
        "waiting_for": orjson.dumps(waiting).decode() if waiting else "[]",
        "spent_tokens": state.spent_tokens,
        "spent_pico": pico(state.spent_usd),
        "held_tokens": state.held_tokens,
        "held_pico": pico(state.held_usd),
    }
    for name, value in told.items():
        if row.values[name] != value:
            said = f"{name} is {row.values[name]!r} in its row, {value!r} by its log"
            yield Finding(f"run {row.id}", said)


def _interrupts(look: Snapshot, row: RunRow, state: RunState) -> Iterator[Finding]:
    columns = ("status", "outcome", "decided_by", "content_hash")
    sql = f"SELECT request_id, {', '.join(columns)} FROM builder_interrupt WHERE run = ?"  # noqa: S608
    rows = {
        found[0]: dict(zip(columns, found[1:], strict=True)) for found in look.rows(sql, [row.id])
    }
    told: dict[str, dict[str, Any]] = {}
    for opened in state.interrupts.values():
        content = opened.content_hash or ""
        told[opened.request_id] = {"status": "open", "decided_by": None, "content_hash": content}
    for request_id, record in state.resolved.items():
        outcome = record["outcome"]
        said = record.get("decision") or outcome
        told[request_id] = {"status": outcome, "outcome": said, "decided_by": record.get("by")}
    asked = {name: said for name, said in told.items() if not name.startswith(BREAKPOINT_ID)}
    yield from _same(f"run {row.id}, question", rows, asked)


def _decisions(look: Snapshot, row: RunRow, state: RunState) -> Iterator[Finding]:
    found = look.rows(
        "SELECT d.interrupt_id, d.decided_by, d.decision FROM builder_decision d "
        "JOIN builder_interrupt i ON i.request_id = d.interrupt_id WHERE i.run = ?",
        [row.id],
    )
    rows = {f"{request} of {who}": {"decision": said} for request, who, said in found}
    told: dict[str, dict[str, Any]] = {}
    kept = {key: opened.decisions for key, opened in state.interrupts.items()}
    kept |= {key: record.get("decisions", {}) for key, record in state.resolved.items()}
    for request_id, decisions in kept.items():
        if "." in request_id:  # a fork inherits what was asked, not who said what
            continue
        for who, one in decisions.items():
            told[f"{request_id} of {who}"] = {"decision": one["decision"]}
    yield from _same(f"run {row.id}, decision on", rows, told)


def _live(look: Snapshot, row: RunRow, state: RunState) -> Iterator[Finding]:
    """Yield what differs of what is alive: activations, timers, holds."""
    first = (row.number or 0) * EVENTS_PER_RUN
    live = {} if state.terminal else state.activations
    activations = look.rows(
        "SELECT key, status FROM builder_activation WHERE place >= ? AND place < ?",
        (first, first + EVENTS_PER_RUN),
    )
    yield from _same(
        f"run {row.id}, activation",
        {key: {"status": status} for key, status in activations},
        {key: {"status": act.status} for key, act in live.items()},
    )
    timers = look.rows("SELECT id, fire_at FROM builder_timer WHERE run = ?", [row.id])
    yield from _same(
        f"run {row.id}, timer",
        {name.removeprefix(f"{row.id}:"): {"due": at} for name, at in timers},
        {name: {"due": at} for name, (at, _key) in state.timers.items()},
    )
    holds = look.rows("SELECT id, tokens, pico FROM builder_budgethold WHERE run = ?", [row.id])
    yield from _same(
        f"run {row.id}, hold",
        {name: {"tokens": tokens, "pico": amount} for name, tokens, amount in holds},
        {name: {"tokens": h.tokens, "pico": pico(h.usd)} for name, h in state.holds.items()},
    )


def _same(
    place: str, rows: Mapping[str, Mapping[str, Any]], told: Mapping[str, Mapping[str, Any]]
) -> Iterator[Finding]:
    """Yield what rows have and logs do not, the other way round, and where they differ."""
    for name in sorted(rows.keys() | told.keys(), key=str):
        if name not in rows:
            yield Finding(f"{place} {name}", "its log has it and no row does")
        elif name not in told:
            yield Finding(f"{place} {name}", "a row has it and its log does not")
        else:
            yield from _differing(f"{place} {name}", rows[name], told[name])


def _differing(
    place: str, row: Mapping[str, Any], told: Mapping[str, Any], names: Sequence[str] = ()
) -> Iterator[Finding]:
    for name in names or told:
        if row[name] != told[name]:
            yield Finding(place, f"{name} is {row[name]!r} in its row, {told[name]!r} by its log")
