"""The run store on real databases: what is acknowledged is there, and rows say what the log says."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import orjson
import pytest

from builder.adapters.projections import from_pico
from builder.adapters.run_store import SqlRunStore
from builder.adapters.sql_writer import Conflict, SqlWriter, Statement
from engine.effects import EffectClass
from engine.errors import StoreError
from engine.graph import parse_document
from engine.ledger import BudgetRef, Hold
from engine.local import Local, LocalGraphs, make_local
from engine.program import Program
from engine.requests import CLI, Answer, StartRun
from engine.script import Script
from engine.services import NoFeed, SystemClock
from engine.start import begin_run
from engine.state import RunState
from engine.stores.buffered import Batch, RunExists, fold
from engine.transition import Transition
from engine.values import freeze
from tests.builder.databases import (
    AWAY,
    HOME,
    Database,
    database,
    postgres_template,
    sqlite_template,
)

__all__ = ["database", "postgres_template", "sqlite_template"]

USAGE = {"input_tokens": 30, "output_tokens": 5}
QUICK = {"failure_policy": {"initial_backoff_ms": 1, "max_backoff_ms": 5}}


def spec(nodes: list[dict[str, Any]], edges: list[tuple[str, str]], **more: Any) -> Any:
    """Return a graph of the document's parts."""
    document = {
        "graphwright": 1, "id": "g", "name": "g", "nodes": nodes,
        "agents": [{"id": "writer", "max_output_tokens": 50}],
        "edges": [{"source": a, "target": b} for a, b in edges], **more,
    }  # fmt: skip
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
    [("__start__", "first"), ("first", "second"), ("first", "pause"), ("second", "review"),
     ("pause", "review"), ("review", "out")],
    limits={"max_token_budget": 10_000},
)  # fmt: skip
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


class WatchedStore(SqlRunStore):
    """Compares every row of a run with the fold of its log after each of its commits (I11)."""

    compared = 0
    seen: set[str]
    look: Database
    program: Program

    async def _persist(self, batch: Batch) -> None:
        await super()._persist(batch)
        events = await self._read(batch.run_id, 0, None)
        rows = rows_of(self.look, batch.run_id)
        self.seen |= {name for name, found in rows.items() if found}
        assert rows == rows_by_fold(
            fold(self.program, events), spends=any(event.data.get("hold") for event in events)
        )
        self.compared += 1


def rows_of(look: Database, run_id: str) -> dict[str, Any]:
    """Return everything that the tables say about a run."""
    return {
        "run": look.rows(
            "SELECT status, seq, spent_tokens, spent_pico, held_tokens, held_pico FROM builder_run "
            "WHERE id = ?", (run_id,),
        ),
        "activations": sorted(look.rows(
            "SELECT key, node, status, attempt, epoch FROM builder_activation WHERE run = ?",
            (run_id,),
        )),
        "timers": sorted(look.rows("SELECT key, fire_at FROM builder_timer WHERE run = ?", (run_id,))),
        "interrupts": sorted(look.rows(
            "SELECT request_id, key, kind, opened_seq FROM builder_interrupt "
            "WHERE run = ? AND status = 'open'", (run_id,),
        )),
        "holds": sorted(look.rows(
            "SELECT id, key, tokens, pico FROM builder_budgethold WHERE run = ?", (run_id,)
        )),
        "budget": look.rows(
            "SELECT spent_tokens, held_tokens FROM builder_budget WHERE id = ?", (f"run:{run_id}",)
        ),
    }  # fmt: skip


def rows_by_fold(state: RunState, *, spends: bool) -> dict[str, Any]:
    """Return the same as the folded log has it; a budget has a row from the first hold on."""

    def pico(usd: Decimal) -> int:
        return int(usd * 10**12)

    return {
        "run": [(state.status, state.seq, state.spent_tokens, pico(state.spent_usd),
                 state.held_tokens, pico(state.held_usd))],
        "activations": sorted(
            (a.key, a.node, a.status, a.attempt or 1, a.epoch) for a in state.activations.values()
        ),
        "timers": sorted((key, at) for at, key in state.timers.values()),
        "interrupts": sorted((i.request_id, i.key, i.kind, i.seq) for i in state.interrupts.values()),
        "holds": sorted((id_, h.key, h.tokens, pico(h.usd)) for id_, h in state.holds.items()),
        "budget": [(state.spent_tokens, state.held_tokens)] if spends and not state.terminal else [],
    }  # fmt: skip


@dataclass
class Bare:
    """A store and the graphs of its runs."""

    store: SqlRunStore
    graphs: LocalGraphs


class Installation:
    """A database and the processes that work on it, one after the other."""

    def __init__(self, look: Database) -> None:
        self.look = look
        self.open_stores: list[SqlRunStore] = []

    async def process(
        self, graph: Any = BUSY, *, kind: type[SqlRunStore] = SqlRunStore, script: Any = SCRIPT
    ) -> Local:
        """Return a fresh process: nothing in memory, everything from the database."""
        store = kind(self.look.dialect, SystemClock(), LocalGraphs([graph]), NoFeed())
        self.open_stores.append(store)
        await store.open()
        return make_local([graph], script=script, store=store)

    async def bare(self, graph: Any = BUSY) -> Bare:
        """Return a fresh store that no runner watches."""
        graphs = LocalGraphs([graph])
        store = SqlRunStore(self.look.dialect, SystemClock(), graphs, NoFeed())
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


def store_of(local: Local) -> SqlRunStore:
    assert isinstance(local.store, SqlRunStore)
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
        tx.emit("WriteDropped", None, {"keys": freeze([text]), "reason": "test"})

    return emit


def hold_of(run_id: str, name: str = "h") -> Hold:
    return Hold(f"{run_id}:{name}", run_id, "a#1", (f"run:{run_id}",), 100, Decimal(0))


async def approve(local: Local, run_id: str) -> None:
    """Say yes to the run's only interrupt."""
    (opened,) = (await local.runner.settled(run_id)).interrupts.values()
    token = local.runner.token(opened.request_id)
    await local.runner.answer(
        opened.request_id, Answer(token, opened.content_hash, "approved"), CLI
    )


# --- what is kept ------------------------------------------------------------------------------


async def test_a_run_is_there_for_another_process_I1(installation: Installation) -> None:
    local = await installation.process()
    await create(local, BUSY, "r1", input={"a": 1})
    for text in ("one", "two", "three"):
        await local.store.transact("r1", None, note(text))

    other = await installation.process()
    assert [e.seq for e in await other.store.events("r1")] == [1, 2, 3, 4]
    assert await other.store.events("r1") == await local.store.events("r1")
    assert [e.data["keys"][0] for e in await other.store.events("r1", 2, 1)] == ["two"]
    assert (await other.store.state("r1", 2)).seq == 2
    assert (await other.store.state("r1")).input == {"a": 1}
    assert list(await other.store.unfinished()) == ["r1"]


async def test_events_come_in_pages_I9(installation: Installation) -> None:
    local = await installation.process()
    await create(local, BUSY, "r1")

    def many(tx: Transition) -> None:
        for number in range(2_500):
            note(str(number))(tx)

    await local.store.transact("r1", None, many)

    assert len(await local.store.events("r1", 0, 10_000)) == 2_501
    assert [e.seq for e in await local.store.events("r1", 1_998, 3)] == [1_999, 2_000, 2_001]
    assert (await local.store.state("r1")).seq == 2_501


async def test_a_start_counts_once_for_a_trigger_key_I1(installation: Installation) -> None:
    local = await installation.process()
    made = await asyncio.gather(
        *(create(local, BUSY, f"r{n}", trigger_key="k") for n in range(5)),
        create(local, BUSY, "elsewhere", trigger_key="k", workspace_id=AWAY),
        return_exceptions=True,
    )

    winners = [f"r{n}" for n in range(5) if made[n] is None]
    assert len(winners) == 1
    assert {error.run_id for error in made if isinstance(error, RunExists)} == set(winners)
    assert made[5] is None
    assert set(await local.store.unfinished()) == {*winners, "elsewhere"}
    with pytest.raises(RunExists):
        await create(local, BUSY, winners[0])


async def test_what_was_not_flushed_is_lost_and_nothing_else(installation: Installation) -> None:
    local = await installation.process()
    await create(local, BUSY, "r1")
    await local.store.transact("r1", None, note("kept"))
    await local.store.transact("r1", None, note("lost"), flush=False)
    local.store.forget("r1")

    assert (await local.store.warm("r1")).seq == 2


# --- large and strange values ------------------------------------------------------------------


async def test_a_large_value_is_stored_once_and_read_back_S38_I20(
    installation: Installation,
) -> None:
    local = await installation.process()
    text = "ä" * 70_000
    await create(local, BUSY, "r1", input={"text": text, "small": 1})
    await create(local, BUSY, "r2", input={"text": text, "small": 2})
    await create(local, BUSY, "r3", input={"parts": {"left": text, "rest": ["x" * 900] * 100}})

    state = await (await installation.process()).store.state("r2")
    assert state.input == {"text": text, "small": 2}
    assert (await local.store.state("r3")).input["parts"]["left"] == text
    digest = hashlib.sha256(orjson.dumps(text)).hexdigest()
    held = installation.look.rows("SELECT hash, size FROM builder_blob WHERE hash = ?", (digest,))
    assert held == [(digest, len(text.encode()) + 2)]
    of_runs = installation.look.rows("SELECT run FROM builder_runblob WHERE hash = ?", (digest,))
    assert sorted(of_runs) == [("r1",), ("r2",), ("r3",)]
    (length,) = installation.look.rows("SELECT MAX(LENGTH(data)) FROM builder_runevent")[0]
    assert length < 64 * 1024


async def test_a_value_that_looks_like_a_reference_is_only_a_value_I12_S38(
    installation: Installation,
) -> None:
    local = await installation.process()
    secret = "s" * 70_000
    await create(local, BUSY, "theirs", input=secret, workspace_id=AWAY)
    stolen = {"$blob": hashlib.sha256(orjson.dumps(secret)).hexdigest(), "bytes": 70_002}

    await create(local, BUSY, "mine", input={"deep": [stolen, '"$blob"'], "flat": stolen})

    other = await installation.process()
    assert (await other.store.state("mine")).input == {"deep": [stolen, '"$blob"'], "flat": stolen}


# --- money -------------------------------------------------------------------------------------


async def reserve(local: Local, run_id: str, hold: Hold, *, flush: bool = True) -> None:
    def intend(tx: Transition) -> None:
        ref = BudgetRef(f"run:{run_id}", "run", 1_000, None)
        assert tx.ledger.reserve(hold, [ref]) is None
        described = {"id": hold.id, "tokens": 100, "usd": "0", "budgets": hold.budgets}
        data = {"path": hold.id, "attempt": 1, "kind": "model", "request": {},
                "effect_class": EffectClass.LLM.value, "request_hash": "x", "hold": described}  # fmt: skip
        tx.emit("StepIntended", "a#1", data)

    await local.store.transact(run_id, None, intend, flush=flush)


async def settle(local: Local, run_id: str, hold: Hold, tokens: int, *, flush: bool = True) -> None:
    def done(tx: Transition) -> None:
        tx.ledger.settle(hold.id, tokens, Decimal(0))
        tx.emit("StepCompleted", hold.key, {"path": hold.id, "attempt": 1, "result": None,
                "hold": hold.id, "tokens": tokens, "cost_usd": "0"})  # fmt: skip

    await local.store.transact(run_id, None, done, flush=flush)


async def test_holds_and_budgets_are_loaded_at_start_I6(installation: Installation) -> None:
    local = await installation.process()
    await create(local, BUSY, "r1")
    one, two = hold_of("r1", "one"), hold_of("r1", "two")
    await reserve(local, "r1", one)
    await settle(local, "r1", one, 40)
    await reserve(local, "r1", two)

    ledger = (await installation.process()).store.ledger
    row = ledger.rows["run:r1"]
    assert (row.limit_tokens, row.spent_tokens, row.held_tokens) == (1_000, 40, 100)
    assert ledger.holds == {two.id: two}
    assert ledger.of_run == {"r1": {"run:r1"}}


async def test_a_commit_carries_only_what_its_own_run_did_with_money_I6_I11(
    installation: Installation,
) -> None:
    """Another run's reservation that was never flushed leaves nothing behind."""
    local = await installation.process()
    await create(local, BUSY, "r1")
    await create(local, BUSY, "r2")
    await reserve(local, "r1", hold_of("r1"), flush=False)
    local.store._warm["r1"].timer.cancel()  # type: ignore[union-attr]
    await local.store.transact("r2", None, note("flushed"))

    assert installation.look.rows("SELECT id FROM builder_budgethold") == []
    assert installation.look.rows("SELECT id FROM builder_budget") == []


async def test_a_hold_that_no_log_knows_is_released_at_start_I6(installation: Installation) -> None:
    local = await installation.process()
    await create(local, BUSY, "r1")
    await reserve(local, "r1", hold_of("r1", "known"))
    orphan = (
        "INSERT INTO builder_budgethold VALUES ('x', 'r1', 'a#1', '[\"run:r1\"]', 50, 0, 'held')"
    )
    installation.look.change(orphan)
    installation.look.change("UPDATE builder_budget SET held_tokens = held_tokens + 50")

    ledger = (await installation.process()).store.ledger
    assert list(ledger.holds) == ["r1:known"]
    assert ledger.rows["run:r1"].held_tokens == 100
    assert installation.look.rows("SELECT id FROM builder_budgethold") == [("r1:known",)]
    assert installation.look.rows("SELECT held_tokens FROM builder_budget") == [(100,)]


async def test_a_limit_above_what_a_row_can_hold_is_kept_as_that(
    installation: Installation,
) -> None:
    local = await installation.process()
    await create(local, BUSY, "r1", budget_usd=Decimal(10) ** 9)

    ((limit,),) = installation.look.rows("SELECT limit_pico FROM builder_run")
    kept = from_pico(limit)
    assert kept is not None
    assert kept > 9_000_000


async def test_a_late_outcome_on_the_budget_of_a_run_that_is_over_counts_I6(
    installation: Installation,
) -> None:
    """A child's call may end after its parent: its own budgets are settled all the same."""
    local = await installation.process()
    await create(local, BUSY, "child")
    hold = replace(hold_of("child"), budgets=("run:child", "run:parent"))
    ledger = local.store.ledger
    refs = [BudgetRef(row_id, "run", 1_000, None) for row_id in hold.budgets]
    assert ledger.reserve(hold, refs) is None
    ledger.drop_run("parent")

    await settle(local, "child", hold, 40)

    assert ledger.rows["run:child"].spent_tokens == 40
    assert ledger.rows["run:child"].held_tokens == 0


# --- rows equal the fold -----------------------------------------------------------------------


async def test_rows_equal_the_folded_log_after_every_commit_I11(installation: Installation) -> None:
    local = await installation.process(kind=WatchedStore)
    store = local.store
    assert isinstance(store, WatchedStore)
    store.seen, store.look, store.program = set(), installation.look, local.graphs.program_of(BUSY)
    run_id = await start(local, BUSY, "r1")
    await local.runner.settled(run_id)
    assert store.seen == {"run", "activations", "timers", "interrupts", "holds", "budget"}
    await local.runner.close()
    store.close()

    again = await installation.process(kind=WatchedStore)
    store = again.store
    assert isinstance(store, WatchedStore)
    store.seen, store.look, store.program = set(), installation.look, again.graphs.program_of(BUSY)
    await again.runner.recover()
    await approve(again, run_id)
    state = await again.runner.settled(run_id)

    assert state.status == "completed"
    assert store.compared > 0
    for table in ("activation", "timer", "budgethold", "budget"):
        assert installation.look.rows(f"SELECT * FROM builder_{table}") == [], table
    await again.runner.close()


async def test_a_timer_of_a_former_process_is_dropped_when_it_fired_I11(
    installation: Installation,
) -> None:
    graph = spec(
        [{"id": "d", "type": "delay", "config": {"duration_ms": 400}}], [("__start__", "d")]
    )
    local = await installation.process(graph)
    await start(local, graph, "r1")
    async with asyncio.timeout(10):
        while not (await local.store.warm("r1")).timers:  # noqa: ASYNC110  the runner rings no bell
            await asyncio.sleep(0)
    await local.store.flush("r1")
    await local.runner.close()

    def timers() -> int:
        return len(installation.look.rows("SELECT id FROM builder_timer"))

    assert timers() == 1
    again = await installation.process(graph)
    await again.runner.recover()
    assert (await again.runner.settled("r1")).status == "completed"
    assert timers() == 0
    await again.runner.close()


# --- signals, requests -------------------------------------------------------------------------


async def test_a_signal_waits_until_it_was_delivered_once_I1(installation: Installation) -> None:
    local = await installation.bare()
    await create(local, BUSY, "r1")

    def leave_word(tx: Transition) -> None:
        note("asked")(tx)
        tx.signal("cancel_run", "r9", {"by": "x", "reason": "y"})

    await local.store.transact("r1", None, leave_word)

    other = await installation.bare()
    ((number, signal),) = await other.store.signals()
    assert signal == ("cancel_run", "r9", {"by": "x", "reason": "y"})
    await other.store.delivered(number)
    assert await local.store.signals() == []


async def test_a_request_leads_to_its_run_I7(installation: Installation) -> None:
    local = await installation.process(WAITING)
    await start(local, WAITING, "r1")
    state = await local.runner.settled("r1")
    (request_id,) = state.interrupts

    other = await installation.process(WAITING)
    assert await other.store.run_of_request(request_id) == "r1"
    assert await other.store.run_of_request("unknown") is None


# --- many at once, and refusals ----------------------------------------------------------------


async def test_fifty_runs_share_commits(installation: Installation) -> None:
    local = await installation.process()
    for n in range(50):
        await create(local, BUSY, f"r{n}")
    before = store_of(local).writer.commits

    await asyncio.gather(*(local.store.transact(f"r{n}", None, note("x")) for n in range(50)))

    assert store_of(local).writer.commits - before <= 10
    assert {(await local.store.state(f"r{n}")).seq for n in range(50)} == {2}


async def test_a_refused_job_takes_no_other_down(installation: Installation) -> None:
    """A conflict and a value that no column holds fail alone; the writer goes on."""
    writer = SqlWriter(installation.look.dialect)
    insert = "INSERT INTO builder_blob (hash, size, data) VALUES (?, ?, ?)"

    def job(name: str, size: Any = 1) -> list[Statement]:
        return [(insert, (f"{name} first", 1, b"x")), (insert, (name, size, b"x"))]

    await writer.write(job("taken"))
    ends = await asyncio.gather(
        writer.write(job("a")), writer.write(job("taken")), writer.write(job("b", 2**70)),
        writer.write(job("c")), return_exceptions=True,
    )  # fmt: skip
    alone = await asyncio.gather(writer.write(job("d", 2**70)), return_exceptions=True)
    await writer.write(job("e"))
    writer.close()

    assert [type(end) for end in ends] == [type(None), Conflict, StoreError, type(None)]
    assert type(alone[0]) is StoreError
    kept = {row[0] for row in installation.look.rows("SELECT hash FROM builder_blob")}
    assert kept == {f"{n}{s}" for n in ("a", "c", "e", "taken") for s in ("", " first")}


async def test_who_stops_waiting_stops_no_write(installation: Installation) -> None:
    """A cancelled executor must not end the writer, nor part memory from the log."""
    local = await installation.process()
    await create(local, BUSY, "r1")
    for n in range(20):
        waiter = asyncio.ensure_future(local.store.transact("r1", None, note(str(n))))
        await asyncio.sleep(0)
        waiter.cancel()
        await asyncio.gather(waiter, return_exceptions=True)

    await local.store.transact("r1", None, note("last"))

    assert len(await local.store.events("r1")) == (await local.store.warm("r1")).seq == 22


class BrokenStore(SqlRunStore):
    """Refuses the next writes as a full disk would, when told to."""

    refuse = 0

    async def _persist(self, batch: Batch) -> None:
        if self.refuse:
            self.refuse -= 1
            real, self.writer = self.writer, FullDisk()
            try:
                await super()._persist(batch)
            finally:
                self.writer = real
        await super()._persist(batch)


class FullDisk(SqlWriter):
    """A writer without a database."""

    def __init__(self) -> None:
        self.commits = 0

    async def write(self, statements: list[Statement]) -> None:
        raise StoreError("the database refused to write: database or disk is full")


async def test_a_refused_write_loses_no_committed_event_and_the_run_comes_back_I1_I3(
    installation: Installation,
) -> None:
    local = await installation.process(kind=BrokenStore)
    store = local.store
    assert isinstance(store, BrokenStore)
    run_id = await start(local, BUSY, "r1")
    await local.runner.settled(run_id)
    before = await store.events(run_id)
    store.refuse = 1

    with pytest.raises(StoreError):
        await approve(local, run_id)

    assert await store.events(run_id) == before
    await local.runner.recover()
    assert store.peek(run_id) is not None
    await approve(local, run_id)
    state = await local.runner.settled(run_id)
    assert state.status == "completed"
    events = await store.events(run_id)
    assert events[: len(before)] == before
    assert [e.seq for e in events] == list(range(1, len(events) + 1))
    await local.runner.close()


async def test_money_of_a_refused_write_is_put_right_when_the_run_comes_back_I6(
    installation: Installation,
) -> None:
    local = await installation.process(kind=BrokenStore)
    store = local.store
    assert isinstance(store, BrokenStore)
    await create(local, BUSY, "r1")
    ghost, real = hold_of("r1", "ghost"), hold_of("r1", "real")
    await reserve(local, "r1", real)
    store.refuse = 1
    with pytest.raises(StoreError):
        await reserve(local, "r1", ghost)
    await store.warm("r1")
    assert (store.ledger.rows["run:r1"].held_tokens, list(store.ledger.holds)) == (100, [real.id])

    store.refuse = 1
    with pytest.raises(StoreError):
        await settle(local, "r1", real, 40)
    await store.warm("r1")
    assert store.ledger.rows["run:r1"].held_tokens == 100

    await settle(local, "r1", real, 40)
    assert store.ledger.rows["run:r1"].held_tokens == 0
    assert store.ledger.rows["run:r1"].spent_tokens >= 40
    counted = "SELECT spent_tokens, held_tokens FROM builder_budget"
    assert installation.look.rows(counted) == [(40, 0)]


async def test_a_database_that_turns_read_only_refuses_and_recovers_I1(
    database: Database,
) -> None:
    if database.path is None:
        pytest.skip("a file's property")
    dialect = database.dialect
    broken = [False]

    def connect() -> Any:
        connection = dialect.connect()
        connection.execute(f"PRAGMA query_only={int(broken[0])}")
        return connection

    installation = Installation(Database(replace(dialect, connect=connect), database.path))
    local = await installation.process()
    writer = store_of(local).writer
    await create(local, BUSY, "r1")
    writer._connection.execute("PRAGMA query_only=1")

    with pytest.raises(StoreError):
        await local.store.transact("r1", None, note("refused"))

    await local.store.transact("r1", None, note("kept"))
    assert [e.type for e in await local.store.events("r1")] == ["RunStarted", "WriteDropped"]
    installation.close()


# --- taking over -------------------------------------------------------------------------------


async def test_two_hundred_waiting_runs_are_taken_over_quickly_I8(
    installation: Installation,
) -> None:
    local = await installation.process(WAITING)
    for n in range(200):
        await start(local, WAITING, f"r{n}")
        await local.runner.settled(f"r{n}")
    await local.runner.close()

    again = await installation.process(WAITING)
    began = time.process_time()
    assert await again.runner.recover() == 200
    assert time.process_time() - began < 2
    await approve(again, "r199")
    assert (await again.runner.settled("r199")).status == "completed"
    await again.runner.close()


async def test_a_run_that_cannot_be_read_stops_no_other_I1(installation: Installation) -> None:
    local = await installation.process(WAITING)
    for n in range(3):
        await start(local, WAITING, f"r{n}")
        await local.runner.settled(f"r{n}")
    await local.runner.close()
    installation.look.change("UPDATE builder_runevent SET data = ? WHERE run = 'r0'", (b"{",))

    again = await installation.process(WAITING)
    heard: list[BaseException] = []
    again.runner.services.report = heard.append
    await again.runner.recover()

    assert all("r0 cannot be read" in str(error) for error in heard)
    await approve(again, "r2")
    assert (await again.runner.settled("r2")).status == "completed"
    await again.runner.close()
