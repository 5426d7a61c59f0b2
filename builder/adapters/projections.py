"""From one flush to rows: the only writer of run tables. Rows exist for what a query must find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

import orjson

from builder.adapters.money_rows import MoneyRows, pico
from builder.adapters.payloads import encode
from builder.adapters.people_rows import mail_statements, people_statements
from builder.adapters.sql_writer import Rows, Statement
from builder.places import SPAN
from engine.breakers import Breaker
from engine.events import Event, node_of
from engine.ledger import Ledger
from engine.scheduler import next_wake
from engine.state import OpenInterrupt, RunState
from engine.stores.buffered import Batch

INSERT_EVENTS: Final = "INSERT INTO builder_runevent (place, type, at, key, cause, data)"

INSERT_BLOB: Final = (
    "INSERT INTO builder_blob (hash, size, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
)
INSERT_RUN_BLOB: Final = (
    "INSERT INTO builder_runblob (run, hash) VALUES (?, ?) ON CONFLICT DO NOTHING"
)
INSERT_RUN: Final = (
    "INSERT INTO builder_run (id, workspace_id, graph_id, version_id, graph_slug, status, seq, "
    "trigger_key, body_hash, started_by, started_at, waiting_for, spent_tokens, spent_pico, "
    "held_tokens, held_pico, limit_tokens, limit_pico, parent_run, parent_key, number) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '[]', 0, 0, 0, 0, ?, ?, ?, ?, ?)"
)
UPDATE_RUN: Final = (
    "UPDATE builder_run SET status = ?, seq = ?, ended_at = ?, wake_at = ?, waiting_for = ?, "
    "error = ?, spent_tokens = ?, spent_pico = ?, held_tokens = ?, held_pico = ? WHERE id = ?"
)
UPDATE_SEQ: Final = "UPDATE builder_run SET seq = ? WHERE id = ?"
SAVE_ACTIVATION: Final = (
    "INSERT INTO builder_activation (run, key, node, status, attempt, epoch, worker) "
    "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run, key) DO UPDATE SET status = excluded.status, "
    "attempt = excluded.attempt, epoch = excluded.epoch, worker = excluded.worker"
)
MOVE_ACTIVATION: Final = (
    "UPDATE builder_activation SET key = ?, node = ?, status = ?, attempt = ?, epoch = ?, "
    "worker = ? WHERE run = ? AND key = ?"
)
DROP_ACTIVATION: Final = "DELETE FROM builder_activation WHERE run = ? AND key = ?"
DROP_ACTIVATIONS: Final = "DELETE FROM builder_activation WHERE run = ?"
SAVE_TIMER: Final = (
    "INSERT INTO builder_timer (id, run, key, kind, fire_at) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (id) DO UPDATE SET fire_at = excluded.fire_at"
)
DROP_TIMER: Final = "DELETE FROM builder_timer WHERE id = ?"
DROP_TIMERS: Final = "DELETE FROM builder_timer WHERE run = ?"
SAVE_BREAKER: Final = (
    "INSERT INTO builder_breaker (id, workspace_id, node, target, state, failures, successes, "
    "opened_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
    "state = excluded.state, failures = excluded.failures, successes = excluded.successes, "
    "opened_at = excluded.opened_at"
)
INSERT_SIGNAL: Final = (
    "INSERT INTO builder_outbox (topic, ref, payload, available_at, tries) VALUES (?, ?, ?, ?, 0)"
)


@dataclass(slots=True)
class Known:
    """What the rows of one run say: timers by name, activations by key, the summary."""

    timers: dict[str, int] = field(default_factory=dict)
    activations: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    summary: tuple[Any, ...] | None = None


class Projector:
    """Turns batches into statements. Knows what rows a run has, so as to write only changes.

    `home` is the workspace of runs that name none; with `mail` people are told of what waits.
    """

    def __init__(
        self, ledger: Ledger, worker: str, home: str | None = None, *, mail: bool = False
    ) -> None:
        self.mail = mail
        self.money = MoneyRows(ledger, home)
        self._worker = worker
        self._home = home
        self._known: dict[str, Known] = {}
        self.numbers: dict[str, int] = {}
        """The numbers of the runs that are in memory: where their logs begin."""

    def statements(self, batch: Batch) -> tuple[list[Statement], Rows]:
        """Return everything one flush of one run writes: statements in order, and its events."""
        out: list[Statement] = []
        state = batch.state
        known = self._known.get(batch.run_id)
        if batch.start is not None:
            out.append(_insert_run(batch, self._home, self.numbers[batch.run_id]))
        elif known is None:  # the run was made before this process: write its live rows anew
            out += [(DROP_ACTIVATIONS, (batch.run_id,)), (DROP_TIMERS, (batch.run_id,))]
            batch.dirty = set(state.activations)
        if known is None:
            known = self._known[batch.run_id] = Known()
        events = [self._event(out, batch.run_id, event, state) for event in batch.events]
        self._activations(out, batch, known)
        _save_timers(out, batch, known)
        if not state.terminal or batch.events:
            out.append(_update_run(state, batch.run_id, known))
        out += self.money.statements(batch)
        for topic, ref, payload in batch.signals:
            out.append((INSERT_SIGNAL, (topic, ref, orjson.dumps(payload).decode(), 0)))
        if state.terminal:
            self.forget(batch.run_id)
        return out, Rows(INSERT_EVENTS, events)

    def forget(self, run_id: str) -> None:
        """Know nothing of a run's rows any more, because it is over or a write failed."""
        self._known.pop(run_id, None)

    def _event(
        self, out: list[Statement], run_id: str, event: Event, state: RunState
    ) -> Sequence[Any]:
        """Return the event's row; add to `out` what else it writes."""
        data = event.data
        raw, blobs = encode(data)
        for digest, value in blobs:
            out.append((INSERT_BLOB, (digest, len(value), value)))
            out.append((INSERT_RUN_BLOB, (run_id, digest)))
        workspace = state.started.get("workspace_id") or self._home
        out += people_statements(run_id, workspace, event)
        if self.mail:
            out += mail_statements(event)
        number, cause = self.numbers[run_id], data.get("cause")
        named = None if cause is None else f"{number}:{cause}"
        return (number * SPAN + event.seq, event.type, event.at, event.key, named, raw)

    def _activations(self, out: list[Statement], batch: Batch, known: Known) -> None:
        """Write the live activations that changed; one that began and ended since has no row.

        The row of one that ended goes to one that began: in a chain one update, not two writes.
        """
        run_id, live, rows = batch.run_id, batch.state.activations, known.activations
        ended = [key for key in batch.dirty if key not in live and key in rows]
        for key in ended:
            del rows[key]
        for key in batch.dirty:
            act = live.get(key)
            if act is None:
                continue
            row = (act.node, act.status, act.attempt or 1, act.epoch, self._worker)
            old = rows.get(key)
            if old == row:
                continue
            rows[key] = row
            if old is None and ended:
                out.append((MOVE_ACTIVATION, (key, *row, run_id, ended.pop())))
            else:
                out.append((SAVE_ACTIVATION, (run_id, key, *row)))
        out += [(DROP_ACTIVATION, (run_id, key)) for key in ended]

    def loaded(self, run_id: str, state: RunState) -> None:
        """Forget what was known of a run that was just folded from its log: its rows are rewritten."""
        state.dirty.clear()
        self.forget(run_id)


def save_breaker(breaker: Breaker, home: str | None = None) -> Statement:
    """Return what writes down where a circuit breaker stands; a row names `graph/node`."""
    place = f"{breaker.graph_id}/{breaker.node}"
    return (
        SAVE_BREAKER,
        (
            breaker.id, breaker.workspace_id or home, place[:128], breaker.target[:200],
            breaker.state, breaker.failures, breaker.successes, breaker.opened_at,
        ),
    )  # fmt: skip


def _insert_run(batch: Batch, home: str | None, number: int) -> Statement:
    start, state = batch.start, batch.state
    assert start is not None
    limits = state.started["limits"]
    usd = limits.get("budget_usd")
    parent = start.parent
    version, graph = state.program.reference
    return (
        INSERT_RUN,
        (
            batch.run_id, start.workspace_id or home, graph, start.version_id or version, start.graph_id,
            state.status, state.seq, start.trigger_key, start.body_hash, start.started_by,
            state.started_at, limits.get("max_token_budget"),
            None if usd is None else pico(Decimal(usd)),
            None if parent is None else parent.run_id, None if parent is None else parent.key,
            number,
        ),
    )  # fmt: skip


def _save_timers(out: list[Statement], batch: Batch, known: Known) -> None:
    now, timers = batch.state.timers, known.timers
    for name, (at, key) in now.items():
        if timers.get(name) != at:
            timers[name] = at
            row_id = f"{batch.run_id}:{name}"
            out.append((SAVE_TIMER, (row_id, batch.run_id, key, name.split(":")[0], at)))
    for name in [name for name in timers if name not in now]:
        del timers[name]
        out.append((DROP_TIMER, (f"{batch.run_id}:{name}",)))


def _waits_for(state: RunState, interrupt: OpenInterrupt) -> str:
    """Return what a list says about a pause: its kind, and the node as people call it."""
    node_id = node_of(interrupt.key)
    node = state.program.spec.nodes_by_id.get(node_id)
    label = node.label if node is not None and node.label else node_id
    return f"{interrupt.kind.replace('_', ' ')}: {label}"


def _update_run(state: RunState, run_id: str, known: Known) -> Statement:
    """Return the update of the run's row: only `seq`, where nothing else changed."""
    waiting = [_waits_for(state, o) for o in state.interrupts.values()]
    summary = (
        state.status, state.ended_at, None if state.terminal else next_wake(state), waiting,
        state.error, state.spent_tokens, state.spent_usd, state.held_tokens, state.held_usd,
    )  # fmt: skip
    if summary == known.summary:
        return UPDATE_SEQ, (state.seq, run_id)
    known.summary = summary
    error = None if state.error is None else orjson.dumps(state.error).decode()
    return (
        UPDATE_RUN,
        (
            state.status, state.seq, state.ended_at, summary[2],
            orjson.dumps(waiting).decode() if waiting else "[]", error, state.spent_tokens,
            pico(state.spent_usd), state.held_tokens, pico(state.held_usd), run_id,
        ),
    )  # fmt: skip
