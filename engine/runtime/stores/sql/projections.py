"""From one flush to rows: the only writer of run tables. Rows exist for what a query must find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

import orjson

from engine.core.budgets.ledger import Ledger
from engine.core.budgets.money import pico
from engine.core.decide.begin.places import rests
from engine.core.state.deadlines import next_wake
from engine.core.state.events import node_of
from engine.core.state.run_state import OpenInterrupt, RunState
from engine.runtime.stores.buffered import Batch
from engine.runtime.stores.sql.beside import NothingBeside, RowsBeside
from engine.runtime.stores.sql.budget_rows import MoneyRows
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from engine.runtime.stores.sql.inbox_rows import ABOUT_PEOPLE, people_statements
from engine.runtime.stores.sql.payloads import encode
from engine.runtime.stores.sql.statements import Rows, Statement

INSERT_EVENTS: Final = "INSERT INTO builder_runevent (place, type, at, key, cause, data)"

INSERT_BLOB: Final = (
    "INSERT INTO builder_blob (hash, size, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
)
INSERT_RUN_BLOB: Final = (
    "INSERT INTO builder_runblob (run, hash) VALUES (?, ?) ON CONFLICT DO NOTHING"
)
INSERT_RUN: Final = (
    "INSERT INTO builder_run (id, workspace_id, graph_id, version_id, graph_slug, status, "
    "trigger_key, body_hash, started_by, started_at, waiting_for, spent_tokens, spent_pico, "
    "held_tokens, held_pico, limit_tokens, limit_pico, parent_run, parent_key, number, owner, "
    "owner_epoch, source, trigger, place_at) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '[]', 0, 0, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
UPDATE_RUN: Final = (
    "UPDATE builder_run SET status = ?, ended_at = ?, wake_at = ?, waiting_for = ?, "
    "error = ?, spent_tokens = ?, spent_pico = ?, held_tokens = ?, held_pico = ?, "
    "place_at = CASE WHEN ? = 'queued' AND place_at > 0 THEN place_at ELSE ? END WHERE id = ?"
)
"""A place that was given is kept as long as the run has not moved: who gives it does not ask the run."""
RESTS: Final = -1
"""Stands for the place of a run that is under way and needs none."""
INSERT_ACTIVATION: Final = (
    "INSERT INTO builder_activation (key, node, status, attempt, epoch, worker, place) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)"
)
UPDATE_ACTIVATION: Final = (
    "UPDATE builder_activation SET key = ?, node = ?, status = ?, attempt = ?, epoch = ?, "
    "worker = ? WHERE place = ?"
)
DROP_ACTIVATION: Final = "DELETE FROM builder_activation WHERE place = ?"
DROP_ACTIVATIONS: Final = "DELETE FROM builder_activation WHERE place >= ? AND place < ?"
SAVE_TIMER: Final = (
    "INSERT INTO builder_timer (id, run, key, kind, fire_at) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (id) DO UPDATE SET fire_at = excluded.fire_at"
)
DROP_TIMER: Final = "DELETE FROM builder_timer WHERE id = ?"
DROP_TIMERS: Final = "DELETE FROM builder_timer WHERE run = ?"
INSERT_SIGNAL: Final = (
    "INSERT INTO builder_outbox (topic, ref, payload, available_at, tries) VALUES (?, ?, ?, ?, 0)"
)


@dataclass(slots=True)
class RowState:
    """What the rows of one run say: timers by name, activations by key, the summary."""

    timers: dict[str, int] = field(default_factory=dict)
    activations: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    slots: dict[str, int] = field(default_factory=dict)
    """By the key of an activation that has a row: which of the run's slots it is."""
    free: list[int] = field(default_factory=list)
    """Slots below the highest that have no row."""
    summary: tuple[Any, ...] | None = None


class Projector:
    """Turns batches into statements. Knows what rows a run has, so as to write only changes.

    `home` is the workspace of runs that name none; `beside` adds rows of its own.
    """

    def __init__(
        self,
        ledger: Ledger,
        worker: str,
        home: str | None = None,
        beside: RowsBeside | None = None,
        *,
        owner: str | None,
    ) -> None:
        self.beside = beside or NothingBeside()
        self.money = MoneyRows(ledger, home, self.beside.hold_shared)
        self._worker = worker
        self._owner = owner
        self._home = home
        self._known: dict[str, RowState] = {}
        self.numbers: dict[str, int] = {}
        """The numbers of the runs that are in memory: where their logs begin."""

    def statements(self, batch: Batch) -> tuple[list[Statement], Rows]:
        """Return everything one flush of one run writes: statements in order, and its events."""
        out: list[Statement] = []
        state = batch.state
        known = self._known.get(batch.run_id)
        if batch.start is not None:
            out.append(_insert_run(batch, self._home, self.numbers[batch.run_id], self._owner))
            out += self.beside.of_start(self.numbers[batch.run_id], batch)
        elif known is None:  # the run was made before this process: write its live rows anew
            first = self.numbers[batch.run_id] * EVENTS_PER_RUN
            out += [
                (DROP_ACTIVATIONS, (first, first + EVENTS_PER_RUN)),
                (DROP_TIMERS, (batch.run_id,)),
            ]
            batch.dirty = set(state.activations)
        if known is None:
            known = self._known[batch.run_id] = RowState()
        events = self._events(out, batch)
        self._activations(out, batch, known)
        _save_timers(out, batch, known)
        if not state.terminal or batch.events:
            _update_run(out, state, batch.run_id, known, self._wake_at(state))
        out += self.money.statements(batch)
        for topic, ref, payload in batch.signals:
            out.append((INSERT_SIGNAL, (topic, ref, orjson.dumps(payload).decode(), 0)))
        if state.terminal:
            if batch.events:
                out += self.beside.of_end(self.numbers[batch.run_id], batch)
            self.forget(batch.run_id)
        return out, Rows(INSERT_EVENTS, events)

    def _wake_at(self, state: RunState) -> int | None:
        """Return when somebody has to look at a run; at one that nobody owns yet, now."""
        if state.terminal:
            return None
        if self._owner is None and state.status != "queued":
            return state.started_at
        return next_wake(state)

    def forget(self, run_id: str) -> None:
        """Know nothing of a run's rows any more, because it is over or a write failed."""
        self._known.pop(run_id, None)

    def _events(self, out: list[Statement], batch: Batch) -> list[Sequence[Any]]:
        """Return the events' rows; add to `out` what else they write."""
        run_id = batch.run_id
        number = self.numbers[run_id]
        first = number * EVENTS_PER_RUN
        beside = self.beside
        rows: list[Sequence[Any]] = []
        for event in batch.events:
            data = event.data
            raw, blobs = encode(data)
            for digest, value in blobs:
                out.append((INSERT_BLOB, (digest, len(value), value)))
                out.append((INSERT_RUN_BLOB, (run_id, digest)))
            if event.type in ABOUT_PEOPLE:
                workspace = batch.state.started.get("workspace_id") or self._home
                out += people_statements(run_id, workspace, event)
            if event.type in beside.types:
                out += beside.of_event(number, event, batch.state.started)
            cause = data.get("cause")
            named = None if cause is None else f"{number}:{cause}"
            rows.append((first + event.seq, event.type, event.at, event.key, named, raw))
        return rows

    def _activations(self, out: list[Statement], batch: Batch, known: RowState) -> None:
        """Write the live activations that changed; one that began and ended since has no row.

        The row of one that ended goes to one that began: in a chain one update, not two writes.
        """
        live, rows, slots = batch.state.activations, known.activations, known.slots
        first = self.numbers[batch.run_id] * EVENTS_PER_RUN
        ended = [key for key in batch.dirty if key not in live and key in rows]
        left = [slots.pop(key) for key in ended]
        for key in ended:
            del rows[key]
        for key in batch.dirty:
            act = live.get(key)
            if act is None:
                continue
            row = (key, act.node, act.status, act.attempt or 1, act.epoch, self._worker)
            old = rows.get(key)
            if old == row:
                continue
            rows[key] = row
            sql = UPDATE_ACTIVATION
            if old is None and left:
                slots[key] = left.pop()
            elif old is None:
                sql = INSERT_ACTIVATION
                slots[key] = known.free.pop() if known.free else len(slots)
            out.append((sql, (*row, first + slots[key])))
        out += [(DROP_ACTIVATION, (first + slot,)) for slot in left]
        known.free += left

    def loaded(self, run_id: str, state: RunState) -> None:
        """Forget what was known of a run that was just folded from its log: its rows are rewritten."""
        state.dirty.clear()
        self.forget(run_id)


def _insert_run(batch: Batch, home: str | None, number: int, owner: str | None) -> Statement:
    start, state = batch.start, batch.state
    assert start is not None
    limits = state.started["limits"]
    usd = limits.get("budget_usd")
    parent = start.parent
    version, graph = state.program.reference
    return (
        INSERT_RUN,
        (
            batch.run_id,
            start.workspace_id or home,
            graph,
            start.version_id or version,
            start.graph_id,
            state.status,
            start.trigger_key,
            start.body_hash,
            start.started_by,
            state.started_at,
            limits.get("max_token_budget"),
            None if usd is None else pico(Decimal(usd)),
            None if parent is None else parent.run_id,
            None if parent is None else parent.key,
            number,
            owner,
            0 if owner is None else 1,
            start.source,
            start.trigger,
            0,
        ),
    )


def _save_timers(out: list[Statement], batch: Batch, known: RowState) -> None:
    now, timers = batch.state.timers, known.timers
    if not now and not timers:
        return
    for name, (at, key) in now.items():
        if timers.get(name) != at:
            timers[name] = at
            row_id = f"{batch.run_id}:{name}"
            out.append((SAVE_TIMER, (row_id, batch.run_id, key, name.split(":")[0], at)))
    for name in [name for name in timers if name not in now]:
        del timers[name]
        out.append((DROP_TIMER, (f"{batch.run_id}:{name}",)))


def waits_of(state: RunState) -> list[str]:
    """Return what a list says a run waits for: people, servers, and what asked for a pause."""
    return [_waits_for(state, o) for o in state.interrupts.values()] + _waits_to_retry(state)


def _waits_for(state: RunState, interrupt: OpenInterrupt) -> str:
    """Return what a list says about a pause: its kind, and the node as people call it."""
    return f"{interrupt.kind.replace('_', ' ')}: {_label(state, node_of(interrupt.key))}"


def _label(state: RunState, node_id: str) -> str:
    node = state.program.spec.nodes_by_id.get(node_id)
    return node.label if node is not None and node.label else node_id


WAITS = {"server": "model server that is away", "retry_after": "pause that was asked for"}


def _waits_to_retry(state: RunState) -> list[str]:
    """Return what lists say about attempts that wait for a server, or as long as it asked."""
    keys = [name.partition(":")[2] for name in state.timers if name.startswith("retry:")]
    waiting = [act for key in keys if (act := state.activations.get(key)) is not None]
    return [f"{WAITS[a.waits_for]}: {_label(state, a.node)}" for a in waiting if a.waits_for]


def _update_run(
    out: list[Statement], state: RunState, run_id: str, known: RowState, wake_at: int | None
) -> None:
    """Write the run's row where it changed."""
    waiting = waits_of(state) if state.interrupts or state.timers else []
    summary = (
        state.status,
        state.ended_at,
        wake_at,
        waiting,
        state.error,
        state.spent_tokens,
        state.spent_usd,
        state.held_tokens,
        state.held_usd,
        RESTS if state.status != "queued" and rests(state) else 0,
    )
    if summary == known.summary:
        return
    known.summary = summary
    error = None if state.error is None else orjson.dumps(state.error).decode()
    row = (
        state.status,
        state.ended_at,
        summary[2],
        orjson.dumps(waiting).decode() if waiting else "[]",
        error,
        state.spent_tokens,
        pico(state.spent_usd),
        state.held_tokens,
        pico(state.held_usd),
        state.status,
        summary[-1],
        run_id,
    )
    out.append((UPDATE_RUN, row))
