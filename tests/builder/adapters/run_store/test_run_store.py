"""The run store on real databases: what is acknowledged is there, and rows say what the log says."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace
from decimal import Decimal

import orjson
import pytest

from engine.core.budgets.ledger import BudgetRef
from engine.core.budgets.money import from_pico
from engine.core.decide.transition import Transition
from engine.runtime.stores.buffered import RunExists
from tests.builder.databases import (
    AWAY,
)
from tests.builder.store_world import (
    BUSY,
    WAITING,
    Installation,
    WatchedStore,
    approve,
    create,
    hold_of,
    installation,
    note,
    reserve,
    settle,
    spec,
    start,
)

__all__ = ["installation"]


# --- what is kept ------------------------------------------------------------------------------


async def test_a_run_is_there_for_another_process(installation: Installation) -> None:
    """I1."""
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


async def test_events_come_in_pages(installation: Installation) -> None:
    """I9."""
    local = await installation.process()
    await create(local, BUSY, "r1")

    def many(tx: Transition) -> None:
        for number in range(2_500):
            note(str(number))(tx)

    await local.store.transact("r1", None, many)

    assert len(await local.store.events("r1", 0, 10_000)) == 2_501
    assert [e.seq for e in await local.store.events("r1", 1_998, 3)] == [1_999, 2_000, 2_001]
    assert (await local.store.state("r1")).seq == 2_501


async def test_a_start_counts_once_for_a_trigger_key(installation: Installation) -> None:
    """I1."""
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


async def test_a_large_value_is_stored_once_and_read_back(
    installation: Installation,
) -> None:
    """S38, I20."""
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


async def test_a_value_that_looks_like_a_reference_is_only_a_value(
    installation: Installation,
) -> None:
    """I12, S38."""
    local = await installation.process()
    secret = "s" * 70_000
    await create(local, BUSY, "theirs", input=secret, workspace_id=AWAY)
    stolen = {"$blob": hashlib.sha256(orjson.dumps(secret)).hexdigest(), "bytes": 70_002}

    await create(local, BUSY, "mine", input={"deep": [stolen, '"$blob"'], "flat": stolen})

    other = await installation.process()
    assert (await other.store.state("mine")).input == {"deep": [stolen, '"$blob"'], "flat": stolen}


# --- money -------------------------------------------------------------------------------------


async def test_holds_and_budgets_are_loaded_at_start(installation: Installation) -> None:
    """I6."""
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


async def test_a_commit_carries_only_what_its_own_run_did_with_money(
    installation: Installation,
) -> None:
    """I6, I11: Another run's reservation that was never flushed leaves nothing behind."""
    local = await installation.process()
    await create(local, BUSY, "r1")
    await create(local, BUSY, "r2")
    await reserve(local, "r1", hold_of("r1"), flush=False)
    local.store.forget("r1")
    await local.store.transact("r2", None, note("flushed"))

    assert installation.look.rows("SELECT id FROM builder_budgethold") == []
    assert installation.look.rows("SELECT id FROM builder_budget") == []


async def test_a_hold_that_no_log_knows_is_released_at_start(installation: Installation) -> None:
    """I6."""
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


async def test_a_late_outcome_on_the_budget_of_a_run_that_is_over_counts(
    installation: Installation,
) -> None:
    """I6: A child's call may end after its parent: its own budgets are settled all the same."""
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


async def test_rows_equal_the_folded_log_after_every_commit(installation: Installation) -> None:
    """I11."""
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


async def test_a_timer_of_a_former_process_is_dropped_when_it_fired(
    installation: Installation,
) -> None:
    """I11."""
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


async def test_a_signal_waits_until_it_was_delivered_once(installation: Installation) -> None:
    """I1."""
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


async def test_a_request_leads_to_its_run(installation: Installation) -> None:
    """I7."""
    local = await installation.process(WAITING)
    await start(local, WAITING, "r1")
    state = await local.runner.settled("r1")
    (request_id,) = state.interrupts

    other = await installation.process(WAITING)
    assert await other.store.run_of_request(request_id) == "r1"
    assert await other.store.run_of_request("unknown") is None
