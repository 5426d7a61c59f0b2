"""A store on a real database, and the processes that use it one after the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest

from builder.adapters.run_store.database import DatabaseRunStore
from engine.core.budgets.ledger import BudgetRef, Hold
from engine.core.decide.start import begin_run
from engine.core.decide.transition import Transition
from engine.core.effects import EffectClass
from engine.core.graph.document import parse_document
from engine.core.state.events import Event
from engine.core.state.fold.run import fold
from engine.core.state.program import Program
from engine.core.state.requests import CLI, Answer, StartRun
from engine.core.state.run_state import RunState
from engine.core.values.json import freeze
from engine.local import Local, LocalGraphs, make_local
from engine.runtime.stores.buffered import Batch
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN, IN_LOG
from engine.runtime.stores.sql.payloads import decode
from engine.runtime.system import NoFeed, SystemClock
from engine.scripted.script import Script
from tests.builder.databases import (
    HOME,
    Database,
)

USAGE = {"input_tokens": 30, "output_tokens": 5}
QUICK = {"failure_policy": {"initial_backoff_ms": 1, "max_backoff_ms": 5}}


def spec(nodes: list[dict[str, Any]], edges: list[tuple[str, str]], **more: Any) -> Any:
    """Return a graph of the document's parts."""
    document = {
        "graphwright": 1,
        "id": "g",
        "name": "g",
        "nodes": nodes,
        "agents": [{"id": "writer", "max_output_tokens": 50}],
        "edges": [{"source": a, "target": b} for a, b in edges],
        **more,
    }
    found, problems = parse_document(document)
    assert found is not None, problems
    return found


def agent(name: str, **more: Any) -> dict[str, Any]:
    config = {"agent_id": "writer", "prompt": "Say it.", "frame": "bare"}
    return {"id": name, "type": "agent", "config": config, "write_keys": ["note"], **more}


APPROVAL = {"id": "review", "type": "approval", "config": {"review_keys": ["note"]}}
BUSY = spec(
    [
        agent("first", budget={"max_tokens": 5_000}, **QUICK),
        agent("second"),
        {"id": "pause", "type": "delay", "config": {"duration_ms": 20}},
        {**APPROVAL, "read_keys": ["note"]},
        {"id": "out", "type": "output"},
    ],
    [
        ("__start__", "first"),
        ("first", "second"),
        ("first", "pause"),
        ("second", "review"),
        ("pause", "review"),
        ("review", "out"),
    ],
    limits={"max_token_budget": 10_000},
)
WAITING = spec([APPROVAL], [("__start__", "review")])
SCRIPT = Script.model_validate(
    {
        "nodes": {
            "first": [{"error": {"status": 503, "message": "busy"}}, {"text": "a", "usage": USAGE}],
        },
        "default": [{"text": "b", "usage": USAGE}],
        "repeat_last": True,
    }
)


class WatchedStore(DatabaseRunStore):
    """Compares every row of a run with the fold of its log after each of its commits (I11)."""

    compared = 0
    seen: set[str]
    look: Database
    program: Program

    def _persist_at_once(self, batch: Batch) -> bool:
        done = super()._persist_at_once(batch)
        if done:
            self._compare(batch)
        return done

    async def _persist(self, batch: Batch) -> None:
        await super()._persist(batch)
        self._compare(batch)

    def _compare(self, batch: Batch) -> None:
        events = log_of(self.look, batch.run_id)
        rows = rows_of(self.look, batch.run_id)
        self.seen |= {name for name, found in rows.items() if found}
        assert rows == rows_by_fold(
            fold(self.program, events), spends=any(event.data.get("hold") for event in events)
        )
        self.compared += 1


def log_of(look: Database, run_id: str) -> list[Event]:
    """Return the durable log of a run."""
    rows = look.rows(
        f"SELECT place, type, at, key, data FROM builder_runevent WHERE {IN_LOG} ORDER BY place",
        (run_id, 0, run_id),
    )

    def blob(digest: str) -> bytes:
        return bytes(look.rows("SELECT data FROM builder_blob WHERE hash = ?", (digest,))[0][0])

    return [Event(r[0] % EVENTS_PER_RUN, r[1], r[2], r[3], decode(bytes(r[4]), blob)) for r in rows]


def rows_of(look: Database, run_id: str) -> dict[str, Any]:
    """Return everything that the tables say about a run."""
    return {
        "run": look.rows(
            "SELECT status, spent_tokens, spent_pico, held_tokens, held_pico FROM builder_run "
            "WHERE id = ?",
            (run_id,),
        ),
        "activations": sorted(
            look.rows(
                "SELECT a.key, a.node, a.status, a.attempt, a.epoch FROM builder_activation a "
                f"JOIN builder_run r ON a.place / {EVENTS_PER_RUN} = r.number WHERE r.id = ?",
                (run_id,),
            )
        ),
        "timers": sorted(
            look.rows("SELECT key, fire_at FROM builder_timer WHERE run = ?", (run_id,))
        ),
        "interrupts": sorted(
            look.rows(
                "SELECT request_id, key, kind, opened_seq, content_hash FROM builder_interrupt "
                "WHERE run = ? AND status = 'open'",
                (run_id,),
            )
        ),
        "decisions": sorted(
            look.rows(
                "SELECT d.interrupt_id, d.decided_by, d.decision, d.decided_at FROM builder_decision d "
                "JOIN builder_interrupt i ON i.request_id = d.interrupt_id "
                "WHERE i.run = ? AND i.status = 'open'",
                (run_id,),
            )
        ),
        "holds": sorted(
            look.rows(
                "SELECT id, key, tokens, pico FROM builder_budgethold WHERE run = ?", (run_id,)
            )
        ),
        "budget": look.rows(
            "SELECT spent_tokens, held_tokens FROM builder_budget WHERE id = ?", (f"run:{run_id}",)
        ),
    }


def rows_by_fold(state: RunState, *, spends: bool) -> dict[str, Any]:
    """Return the same as the folded log has it; a budget has a row from the first hold on."""

    def pico(usd: Decimal) -> int:
        return int(usd * 10**12)

    return {
        "run": [
            (
                state.status,
                state.spent_tokens,
                pico(state.spent_usd),
                state.held_tokens,
                pico(state.held_usd),
            )
        ],
        "activations": sorted(
            (a.key, a.node, a.status, a.attempt or 1, a.epoch) for a in state.activations.values()
        ),
        "timers": sorted((key, at) for at, key in state.timers.values()),
        "interrupts": sorted(
            (i.request_id, i.key, i.kind, i.seq, i.content_hash or "")
            for i in state.interrupts.values()
            if i.kind != "breakpoint"  # it is in no inbox
        ),
        "decisions": sorted(
            (i.request_id, person, said["decision"], said["at"])
            for i in state.interrupts.values()
            for person, said in i.decisions.items()
        ),
        "holds": sorted((id_, h.key, h.tokens, pico(h.usd)) for id_, h in state.holds.items()),
        "budget": [(state.spent_tokens, state.held_tokens)]
        if spends and not state.terminal
        else [],
    }


@dataclass
class Bare:
    """A store and the graphs of its runs."""

    store: DatabaseRunStore
    graphs: LocalGraphs


class Installation:
    """A database and the processes that work on it, one after the other."""

    def __init__(self, look: Database) -> None:
        self.look = look
        self.open_stores: list[DatabaseRunStore] = []

    async def process(
        self,
        graph: Any = BUSY,
        *,
        kind: type[DatabaseRunStore] = DatabaseRunStore,
        script: Any = SCRIPT,
    ) -> Local:
        """Return a fresh process: nothing in memory, everything from the database."""
        store = kind(self.look.dialect, SystemClock(), LocalGraphs([graph]), NoFeed())
        self.open_stores.append(store)
        await store.open()
        return make_local([graph], script=script, store=lambda *_parts: store)

    async def bare(self, graph: Any = BUSY) -> Bare:
        """Return a fresh store that no runner watches."""
        graphs = LocalGraphs([graph])
        store = DatabaseRunStore(self.look.dialect, SystemClock(), graphs, NoFeed())
        self.open_stores.append(store)
        await store.open()
        return Bare(store, graphs)

    def close(self) -> None:
        for store in self.open_stores:
            store.close()


@pytest.fixture
async def installation(database: Database) -> AsyncIterator[Installation]:
    made = Installation(database)
    yield made
    made.close()


def store_of(local: Local) -> DatabaseRunStore:
    assert isinstance(local.store, DatabaseRunStore)
    return local.store


def request(run_id: str, **more: Any) -> StartRun:
    return StartRun(run_id, "g", workspace_id=more.pop("workspace_id", HOME), **more)


async def start(local: Local, graph: Any, run_id: str, **more: Any) -> str:
    return await local.runner.start(request(run_id, **more), local.graphs.program_of(graph))


async def create(local: Local | Bare, graph: Any, run_id: str, **more: Any) -> None:
    """Make a run that nobody moves."""
    asked = request(run_id, **more)

    def begin(tx: Transition) -> None:
        begin_run(tx, asked, graph)

    await local.store.create(asked, local.graphs.program_of(graph), begin)


def note(text: str) -> Callable[[Transition], None]:
    def emit(tx: Transition) -> None:
        tx.append("WriteDropped", None, {"keys": freeze([text]), "reason": "test"})

    return emit


def hold_of(run_id: str, name: str = "h") -> Hold:
    return Hold(f"{run_id}:{name}", run_id, "a#1", (f"run:{run_id}",), 100, Decimal(0))


def lives(installation: Installation, store: DatabaseRunStore) -> None:
    """Write that a worker was just seen."""
    installation.look.change(
        "INSERT INTO builder_worker (boot_id, host, pid, started_at, last_seen_at) "
        "VALUES (?, 'here', 1, NOW_MS, NOW_MS)",
        (store.owned.worker,),
    )


async def approve(local: Local, run_id: str) -> None:
    """Say yes to the run's only interrupt."""
    (opened,) = (await local.runner.settled(run_id)).interrupts.values()
    token = local.runner.token(opened.request_id)
    await local.runner.answer(
        opened.request_id, Answer(token, opened.content_hash, "approved"), CLI
    )


async def reserve(local: Local | Bare, run_id: str, hold: Hold, *, flush: bool = True) -> None:
    def intend(tx: Transition) -> None:
        ref = BudgetRef(f"run:{run_id}", "run", 1_000, None)
        assert tx.ledger.reserve(hold, [ref]) is None
        described = {"id": hold.id, "tokens": 100, "usd": "0", "budgets": hold.budgets}
        data = {
            "path": hold.id,
            "attempt": 1,
            "kind": "model",
            "request": {},
            "effect_class": EffectClass.LLM.value,
            "request_hash": "x",
            "hold": described,
        }
        tx.append("StepIntended", "a#1", data)

    await local.store.transact(run_id, None, intend, flush=flush)


async def settle(
    local: Local | Bare, run_id: str, hold: Hold, tokens: int, *, flush: bool = True
) -> None:
    def done(tx: Transition) -> None:
        tx.ledger.settle(hold.id, tokens, Decimal(0))
        tx.emit(
            "StepCompleted",
            hold.key,
            {
                "path": hold.id,
                "attempt": 1,
                "result": None,
                "hold": hold.id,
                "tokens": tokens,
                "cost_usd": "0",
            },
        )

    await local.store.transact(run_id, None, done, flush=flush)
