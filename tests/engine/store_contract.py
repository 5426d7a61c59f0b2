"""What every run store must do. Each implementation runs this class over its own `open`."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

import pytest

from engine.core.budgets.ledger import BudgetRef, Hold
from engine.core.decide.start import begin_run
from engine.core.decide.transition import Transition
from engine.core.errors import RunNotFound
from engine.core.state.requests import StartRun
from engine.local import LocalGraphs
from engine.runtime.stores.buffered import BufferedStore, RunExists
from tests.engine.lab import document

SPEC = document(
    [{"id": "a", "type": "question", "config": {"question": "?"}}], "__start__ > a", "a > __end__"
)
GRAPHS = LocalGraphs([SPEC])


def note(value: Any) -> Any:
    """Return a closure that emits one small fact and returns it."""

    def fn(tx: Transition) -> Any:
        tx.append("WorkflowStateSet", None, {"name": "n", "value": value})
        return value

    return fn


def finish(tx: Transition) -> None:
    """End the run."""
    tx.emit("RunCompleted", None, {"result": 1})


class Boom(Exception):
    """A closure that fails."""


class StoreBench:
    """Subclasses give `open`; called again in a test it is a new process over the same medium."""

    def open(self) -> BufferedStore:
        raise NotImplementedError

    async def create(self, store: BufferedStore, run_id: str = "r1", **fields: Any) -> None:
        start = StartRun(run_id=run_id, graph_id=SPEC.id, **fields)
        await store.create(start, GRAPHS.program_of(SPEC), lambda tx: begin_run(tx, start, SPEC))

    async def seqs(self, store: BufferedStore, run_id: str = "r1") -> list[int]:
        return [event.seq for event in await store.events(run_id)]


class StoreContract(StoreBench):
    """What every run store does."""

    async def test_a_created_run_is_durable(self) -> None:
        store = self.open()
        await self.create(store)

        events = await self.open().events("r1")
        assert [(e.seq, e.type, e.data["cause"]) for e in events] == [(1, "RunStarted", "start")]

    async def test_a_run_is_created_once(self) -> None:
        store = self.open()
        await self.create(store)

        with pytest.raises(RunExists) as caught:
            await self.create(store)
        assert caught.value.run_id == "r1"
        with pytest.raises(RunExists):
            await self.create(self.open())
        assert await self.seqs(store) == [1]

    async def test_of_two_creations_at_once_one_counts(self) -> None:
        """I3."""
        store = self.open()
        done = await asyncio.gather(self.create(store), self.create(store), return_exceptions=True)

        assert [type(answer) for answer in done].count(RunExists) == 1
        assert done.count(None) == 1
        assert await self.seqs(store) == [1]

    async def test_a_trigger_key_makes_one_run_in_its_workspace(self) -> None:
        store = self.open()
        await self.create(store, "r1", trigger_key="k")

        with pytest.raises(RunExists) as caught:
            await self.create(store, "r2", trigger_key="k")
        assert caught.value.run_id == "r1"
        assert await store.events("r2") == []
        await self.create(store, "r3", trigger_key="other")
        assert await self.seqs(store, "r3") == [1]

    async def test_transitions_are_applied_in_the_order_of_the_calls(self) -> None:
        """I3."""
        store = self.open()
        await self.create(store)
        values = await asyncio.gather(
            *(store.transact("r1", None, note(i), flush=i % 3 == 0) for i in range(20))
        )
        await store.flush("r1")

        events = (await self.open().events("r1"))[1:]
        assert values == list(range(20))
        assert [e.data["value"] for e in events] == list(range(20))
        assert [e.seq for e in events] == list(range(2, 22))

    async def test_a_flush_makes_durable_what_came_before_it(self) -> None:
        store = self.open()
        await self.create(store)
        await store.transact("r1", None, note(1), flush=False)
        await store.flush("r1")

        assert await self.seqs(self.open()) == [1, 2]

    async def test_forget_loses_what_was_not_flushed(self) -> None:
        store = self.open()
        await self.create(store)
        await store.transact("r1", None, note(1), flush=False)
        store.forget("r1")

        assert await self.seqs(self.open()) == [1]
        assert store.peek("r1") is None
        assert (await store.warm("r1")).workflow_state == {}

    async def test_release_keeps_what_is_still_to_be_flushed(self) -> None:
        store = self.open()
        await self.create(store)
        await store.transact("r1", None, note(1), flush=False)
        store.release("r1")
        await store.flush("r1")
        store.release("r1")

        assert store.peek("r1") is None
        assert await self.seqs(store) == [1, 2]

    async def test_a_cause_stands_on_the_first_event_only(self) -> None:
        store = self.open()
        await self.create(store)

        def two(tx: Transition) -> None:
            note(1)(tx)
            note(2)(tx)

        await store.transact("r1", "why", two)
        first, second = (await self.open().events("r1"))[1:]
        assert first.data["cause"] == "why"
        assert "cause" not in second.data

    async def test_a_closure_that_fails_leaves_nothing(self) -> None:
        store = self.open()
        await self.create(store)

        def fails(tx: Transition) -> None:
            note(1)(tx)
            raise Boom

        with pytest.raises(Boom):
            await store.transact("r1", None, fails)
        await store.transact("r1", None, note(2))
        assert [e.data.get("value") for e in await self.open().events("r1")] == [None, 2]
        assert (await store.warm("r1")).workflow_state == {"n": 2}

    async def test_an_unknown_run_is_not_found(self) -> None:
        store = self.open()

        with pytest.raises(RunNotFound):
            await store.transact("nobody", None, note(1))
        with pytest.raises(RunNotFound):
            await store.state("nobody")
        assert await store.events("nobody") == []
        assert await store.run_of_request("nobody") is None

    async def test_events_are_read_in_pages(self) -> None:
        store = self.open()
        await self.create(store)
        for i in range(9):
            await store.transact("r1", None, note(i))

        assert [e.seq for e in await store.events("r1", 3, 4)] == [4, 5, 6, 7]
        assert [e.seq for e in await store.events("r1", 8, 200)] == [9, 10]
        assert await store.events("r1", 10) == []

    async def test_the_state_at_a_seq_is_a_private_copy(self) -> None:
        """I11."""
        store = self.open()
        await self.create(store)
        for i in range(3):
            await store.transact("r1", None, note(i))

        past = await store.state("r1", 3)
        assert (past.seq, past.workflow_state) == (3, {"n": 1})
        past.memory["changed"] = 1
        assert (await store.state("r1")).memory == {}
        assert (await store.warm("r1")).workflow_state == {"n": 2}

    async def test_a_new_process_has_the_same_state(self) -> None:
        """I11."""
        store = self.open()
        await self.create(store, input={"n": 1})
        await store.transact("r1", None, note(5))

        again = await self.open().warm("r1")
        now = store.peek("r1")
        assert now is not None
        assert (again.seq, again.input, again.workflow_state) == (
            now.seq,
            now.input,
            now.workflow_state,
        )

    async def test_unfinished_runs_are_listed_oldest_first(self) -> None:
        """I1."""
        store = self.open()
        for run_id in ("r1", "r2", "r3"):
            await self.create(store, run_id)
        await store.transact("r2", None, finish)

        assert list(await self.open().unfinished()) == ["r1", "r3"]

    async def test_an_interrupt_leads_to_its_run(self) -> None:
        store = self.open()
        await self.create(store)

        def pause(tx: Transition) -> None:
            tx.emit(
                "NodeStarted",
                "a#1",
                {
                    "tokens": [1],
                    "attempt": 1,
                    "max_attempts": 1,
                    "epoch": 1,
                    "resumed": False,
                    "node_type": "question",
                    "code": "",
                },
            )
            tx.append(
                "InterruptOpened",
                "a#1",
                {
                    "request_id": "q1",
                    "kind": "text",
                    "request": {"kind": "text"},
                    "path": "0",
                    "request_hash": "h",
                },
            )

        await store.transact("r1", None, pause)
        assert await store.run_of_request("q1") == "r1"
        assert await self.open().run_of_request("q1") == "r1"

    async def test_signals_stay_until_they_are_delivered(self) -> None:
        store = self.open()
        rung: list[int] = []
        store.on_signals = lambda: rung.append(1)
        await self.create(store)

        def two(tx: Transition) -> None:
            note(1)(tx)
            tx.signal("cancel_run", "x", {"n": 1})
            tx.signal("cancel_run", "y", {"n": 2})

        await store.transact("r1", None, two, flush=False)
        assert not rung  # nobody hears of it before it is durable
        await store.flush("r1")
        waiting = list(await self.open().signals())
        assert [signal for _number, signal in waiting] == [
            ("cancel_run", "x", {"n": 1}),
            ("cancel_run", "y", {"n": 2}),
        ]
        assert rung
        await store.delivered(waiting[0][0])
        await store.delivered(waiting[0][0])
        assert [s[1] for _n, s in await self.open().signals()] == ["y"]

    async def test_money_is_as_durable_as_its_events(self) -> None:
        """I6: What was held and settled in commits counts after a restart, what was lost does not."""
        store = self.open()
        await self.create(store)
        ref = BudgetRef("run:r1", "run", 100, Decimal(1))

        def hold(number: int) -> Any:
            def fn(tx: Transition) -> None:
                made = Hold(f"h{number}", "r1", "a#1", (ref.id,), 10, Decimal("0.1"))
                assert tx.ledger.reserve(made, [ref]) is None
                data = {"id": made.id, "tokens": 10, "usd": "0.1", "budgets": made.budgets}
                tx.append("StepIntended", "a#1", {"hold": data, **STEP, "path": str(number)})

            return fn

        def settle(tx: Transition) -> None:
            tx.ledger.settle("h1", 7, Decimal("0.07"))
            data = {"hold": "h1", "tokens": 7, "cost_usd": "0.07", "result": None}
            tx.append("StepCompleted", "a#1", {**data, "path": "1", "attempt": 1})

        await store.transact("r1", None, hold(1))
        await store.transact("r1", None, hold(2))
        await store.transact("r1", None, settle)
        await store.transact("r1", None, hold(3), flush=False)
        store.forget("r1")

        row = self.open().ledger.rows["run:r1"]
        assert (row.spent_tokens, row.held_tokens, row.limit_tokens) == (7, 10, 100)
        assert (row.spent_usd, row.held_usd) == (Decimal("0.07"), Decimal("0.1"))


STEP = {"attempt": 1, "kind": "model", "effect_class": "llm", "request_hash": "h", "request": {}}
