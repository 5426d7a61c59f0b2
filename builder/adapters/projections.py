"""From one flush to rows: the only writer of run tables. Rows exist for what a query must find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

import orjson

from builder.adapters.payloads import encode
from builder.adapters.sql_writer import Rows, Statement
from builder.places import SPAN
from engine.breakers import Breaker
from engine.events import Event, node_of
from engine.ledger import Hold, Ledger
from engine.scheduler import next_wake
from engine.state import RunState
from engine.stores.buffered import Batch

PICO: Final = Decimal(10) ** 12
"""USD in rows are pico-dollars: integers, exact for any price per token."""

INSERT_EVENTS: Final = "INSERT INTO builder_runevent (place, type, at, key, cause, data)"

MAX_PICO: Final = 2**63 - 1
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
OPEN_INTERRUPT: Final = (
    "INSERT INTO builder_interrupt (request_id, run, workspace_id, key, node, kind, status, "
    "opened_at, expires_at, opened_seq, content_hash) VALUES (?, ?, ?, ?, ?, ?, 'open', ?, ?, ?, ?)"
)
CLOSE_INTERRUPT: Final = (
    "UPDATE builder_interrupt SET status = ?, outcome = ?, resolved_seq = ?, decided_by = ?, "
    "decided_at = ? WHERE request_id = ?"
)
HOLD_BUDGET: Final = (
    "INSERT INTO builder_budget (id, level, workspace_id, limit_tokens, limit_pico, spent_tokens, "
    "spent_pico, held_tokens, held_pico) VALUES (?, ?, ?, ?, ?, 0, 0, ?, ?) ON CONFLICT (id) DO UPDATE "
    "SET held_tokens = builder_budget.held_tokens + excluded.held_tokens, "
    "held_pico = builder_budget.held_pico + excluded.held_pico"
)
SETTLE_BUDGET: Final = (
    "UPDATE builder_budget SET held_tokens = held_tokens - ?, held_pico = held_pico - ?, "
    "spent_tokens = spent_tokens + ?, spent_pico = spent_pico + ? "
    "WHERE id = ? AND EXISTS (SELECT 1 FROM builder_budgethold h WHERE h.id = ?)"
)
"""Amounts are added, never overwritten: each commit carries what its own run's events say, so rows
stay the sum of committed logs whatever becomes of other runs' writes."""
SAVE_BREAKER: Final = (
    "INSERT INTO builder_breaker (id, workspace_id, node, target, state, failures, successes, "
    "opened_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
    "state = excluded.state, failures = excluded.failures, successes = excluded.successes, "
    "opened_at = excluded.opened_at"
)
RAISE_BUDGET: Final = (
    "INSERT INTO builder_budget (id, level, workspace_id, limit_tokens, limit_pico, spent_tokens, "
    "spent_pico, held_tokens, held_pico) VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0) ON CONFLICT (id) DO UPDATE "
    "SET limit_tokens = builder_budget.limit_tokens + ?, limit_pico = builder_budget.limit_pico + ?"
)
DROP_BUDGET: Final = "DELETE FROM builder_budget WHERE id = ?"
SAVE_HOLD: Final = (
    "INSERT INTO builder_budgethold (id, run, key, budgets, tokens, pico, state) "
    "VALUES (?, ?, ?, ?, ?, ?, 'held') ON CONFLICT DO NOTHING"
)
DROP_HOLD: Final = "DELETE FROM builder_budgethold WHERE id = ?"
INSERT_SIGNAL: Final = (
    "INSERT INTO builder_outbox (topic, ref, payload, available_at, tries) VALUES (?, ?, ?, ?, 0)"
)


def pico(usd: Decimal | None) -> int | None:
    """Return USD as pico-dollars, rounded up: money is never under-counted.

    Nine million dollars are the most that a row can hold: a higher limit is kept as that.
    """
    if usd is None:
        return None
    scaled = usd * PICO
    whole = int(scaled)
    return min(whole if scaled == whole else whole + 1, MAX_PICO)


def from_pico(amount: int | None) -> Decimal | None:
    """Return pico-dollars as USD."""
    return None if amount is None else Decimal(amount) / PICO


@dataclass(slots=True)
class Known:
    """What the rows of one run say: timers by name, activations by key, the summary."""

    timers: dict[str, int] = field(default_factory=dict)
    activations: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    summary: tuple[Any, ...] | None = None


class Projector:
    """Turns batches into statements. Knows what rows a run has, so as to write only changes.

    `home` is the workspace of runs that name none.
    """

    def __init__(self, ledger: Ledger, worker: str, home: str | None = None) -> None:
        self._ledger = ledger
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
        self._money(out, batch)
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
        if event.type == "InterruptOpened":
            workspace = state.started.get("workspace_id") or self._home
            out.append(
                (
                    OPEN_INTERRUPT,
                    (
                        data["request_id"], run_id, workspace, event.key, node_of(event.key or ""),
                        data["kind"], event.at, data.get("expires_at"), event.seq,
                        data.get("content_hash") or "",
                    ),
                )
            )  # fmt: skip
        elif event.type == "InterruptResolved":
            outcome = data["outcome"]
            said = data.get("decision") or outcome
            out.append(
                (
                    CLOSE_INTERRUPT,
                    (outcome, said, event.seq, data.get("by"), event.at, data["request_id"]),
                )
            )
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

    def _money(self, out: list[Statement], batch: Batch) -> None:
        """What the events say about budgets. Finished holds are forgotten by `committed`."""
        self._ledger.dirty_rows.clear()
        self._ledger.dirty_holds.clear()
        for event in batch.events:
            hold = event.data.get("hold")
            if event.type == "StepIntended" and hold:
                self._held(out, batch, event)
            elif event.type in ("StepCompleted", "StepFailed") and hold:
                self._settled(out, event)
            elif event.type == "BudgetRaised":
                self._raised(out, batch, event)
        if batch.state.terminal and not batch.state.handed_over:
            mine = self._ledger.of_run.get(batch.run_id, ())
            out += [(DROP_BUDGET, (row_id,)) for row_id in sorted(mine)]

    def _held(self, out: list[Statement], batch: Batch, event: Event) -> None:
        hold = event.data["hold"]
        tokens, amount = hold["tokens"], pico(Decimal(hold["usd"]))
        out += [
            (HOLD_BUDGET, (*self._budget(batch, row_id), tokens, amount))
            for row_id in hold["budgets"]
        ]
        ids = orjson.dumps(hold["budgets"]).decode()
        out.append((SAVE_HOLD, (hold["id"], batch.run_id, event.key, ids, tokens, amount)))

    def _settled(self, out: list[Statement], event: Event) -> None:
        data = event.data
        hold = self._ledger.holds.get(data["hold"])
        if hold is None:
            return  # the same outcome was recorded before
        spent = (data.get("tokens") or 0, pico(Decimal(data.get("cost_usd") or 0)))
        for row_id in hold.budgets:
            amounts = (hold.tokens, pico(hold.usd), *spent)
            out.append((SETTLE_BUDGET, (*amounts, row_id, hold.id)))
        out.append((DROP_HOLD, (hold.id,)))

    def _raised(self, out: list[Statement], batch: Batch, event: Event) -> None:
        data = event.data
        more = (data.get("add_tokens") or 0, pico(Decimal(data.get("add_usd") or 0)))
        out.append((RAISE_BUDGET, (*self._budget(batch, data["budget"]), *more)))

    def _budget(self, batch: Batch, row_id: str) -> tuple[Any, ...]:
        row = self._ledger.rows[row_id]
        workspace = batch.state.started.get("workspace_id")
        return row.id, row.level, workspace, row.limit_tokens, pico(row.limit_usd)

    def committed(self, batch: Batch) -> None:
        """Forget holds and budgets that a durable batch has finished."""
        events = (e for e in batch.events if e.type in ("StepCompleted", "StepFailed"))
        self._ledger.drop_holds([e.data["hold"] for e in events if e.data.get("hold")])
        if batch.over and not batch.state.handed_over:
            self._ledger.drop_run(batch.run_id)


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


def release(hold: Hold) -> list[Statement]:
    """Return what gives a hold back of which no log knows."""
    amounts = (hold.tokens, pico(hold.usd), 0, 0)
    settled: list[Statement] = [
        (SETTLE_BUDGET, (*amounts, row_id, hold.id)) for row_id in hold.budgets
    ]
    return [*settled, (DROP_HOLD, (hold.id,))]


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


def _update_run(state: RunState, run_id: str, known: Known) -> Statement:
    """Return the update of the run's row: only `seq`, where nothing else changed."""
    waiting = [f"{o.kind}: {node_of(o.key)}" for o in state.interrupts.values()]
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
