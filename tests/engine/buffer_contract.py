"""What every run store must do with the money of events that never become durable."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

import pytest

from engine.core.budgets.ledger import BudgetRef, Hold
from engine.core.decide.transition import Transition
from engine.core.errors import StoreError
from engine.runtime.stores.buffered import BufferedStore
from tests.engine.store_contract import STEP, Boom, StoreBench, note

ROW = "workspace:w:2026-11"
PRICE = Decimal("0.25")
REF = BudgetRef(ROW, "workspace", 1_000, Decimal(1))


def reserved(hold_id: str, run_id: str = "r1") -> Any:
    """Return a closure that holds 100 tokens on the shared budget."""

    def fn(tx: Transition) -> None:
        hold = Hold(hold_id, run_id, "a#1", (ROW,), 100, PRICE)
        assert tx.ledger.reserve(hold, [REF]) is None
        data = {"id": hold_id, "tokens": 100, "usd": str(PRICE), "budgets": hold.budgets}
        tx.append("StepIntended", "a#1", {"hold": data, **STEP, "path": hold_id})

    return fn


def settled(hold_id: str, tokens: int = 100) -> Any:
    """Return a closure that settles a hold; 100 tokens give nothing back."""

    def fn(tx: Transition) -> None:
        usd = PRICE * tokens / 100
        tx.ledger.settle(hold_id, tokens, usd)
        data = {"hold": hold_id, "tokens": tokens, "cost_usd": str(usd), "result": None}
        tx.append("StepCompleted", "a#1", {**data, "path": hold_id, "attempt": 1})

    return fn


def failing(tx: Transition) -> None:
    tx.append("WorkflowStateSet", None, {"name": "n", "value": 1})
    raise Boom


def stand(store: BufferedStore) -> tuple[int | Decimal, ...]:
    """Return what the shared budget has spent and held, and what is still being freed of it."""
    row = store.ledger.rows[ROW]
    money = (row.spent_tokens, row.spent_usd, row.held_tokens, row.held_usd)
    return (*money, row.freeing_tokens)


class BufferContract(StoreBench):
    """Run over the same stores as `StoreContract`."""

    async def fail(self, store: BufferedStore) -> None:
        with pytest.raises(Boom):
            await store.transact("r1", None, failing)

    async def test_a_hold_in_the_buffer_is_given_back(self) -> None:
        """I6: Where a closure fails, money held by what it takes along is free again."""
        store = self.open()
        await self.create(store)
        await store.transact("r1", None, reserved("h"), flush=False)
        await self.fail(store)

        assert stand(store) == (0, 0, 0, 0, 0)
        assert "h" not in store.ledger.holds

    @pytest.mark.parametrize("tokens", [100, 40])
    async def test_a_settlement_in_the_buffer_is_held_again(self, tokens: int) -> None:
        """I6: What a lost settlement counted is counted once when it is recorded again."""
        store = self.open()
        await self.create(store)
        await store.transact("r1", None, reserved("h"))
        await store.transact("r1", None, settled("h", tokens), flush=False)
        await self.fail(store)
        assert stand(store) == (0, 0, 100, PRICE, 0)

        await store.transact("r1", None, settled("h", tokens))
        assert stand(store) == (tokens, PRICE * tokens / 100, 0, 0, 0)
        assert stand(self.open())[:4] == stand(store)[:4]

    @pytest.mark.parametrize("tokens", [100, 40])
    async def test_an_answer_in_the_buffer_is_recorded_again(self, tokens: int) -> None:
        """I5, I6: What the outside answered outlives the buffer, and is paid once."""
        store = self.open()
        await self.create(store)
        await store.transact("r1", None, reserved("h"))
        await store.record("r1", settled("h", tokens))
        await self.fail(store)
        assert stand(store) == (0, 0, 100, PRICE, 0)

        state = await store.warm("r1")
        await store.flush("r1")
        assert state.seq == 3
        assert stand(store) == (tokens, PRICE * tokens / 100, 0, 0, 0)
        await self.fail(store)
        assert (await store.warm("r1")).seq == 3
        assert stand(self.open())[:4] == stand(store)[:4]

    async def test_what_a_flush_has_taken_lands_and_counts_once(self) -> None:
        """I6: Events on their way are not taken back with those behind them, and are read again."""
        store = self.open()
        await self.create(store)
        await store.transact("r1", None, reserved("h"))
        landing = asyncio.ensure_future(store.transact("r1", None, settled("h", 40)))
        await asyncio.sleep(0)
        await store.transact("r1", None, reserved("later"), flush=False)
        await self.fail(store)
        state = await store.warm("r1")
        await landing

        assert stand(store) == (40, Decimal("0.1"), 0, 0, 0)
        assert state.seq == 3
        await store.transact("r1", None, note(1))
        assert await self.seqs(store) == [1, 2, 3, 4]

    async def test_who_waits_for_what_is_dropped_hears_it(self) -> None:
        """I3: Nobody is told that events are durable which a failed closure took along."""
        store = self.open()
        await self.create(store)
        lost: list[str] = []
        store.on_lost = lost.append
        first = asyncio.ensure_future(store.transact("r1", None, note(1)))
        await asyncio.sleep(0)
        behind = asyncio.ensure_future(store.transact("r1", None, note(2)))
        await asyncio.sleep(0)
        await self.fail(store)

        await first
        with pytest.raises(StoreError, match="lost"):
            await behind
        assert await self.seqs(store) == [1, 2]
        assert lost == ["r1"]

    async def test_a_fold_that_fails_leaves_no_gap(self) -> None:
        """I3: An event that the state cannot take is not half applied."""
        store = self.open()
        await self.create(store)

        def broken(tx: Transition) -> None:
            tx.append("WorkflowStateSet", None, {})

        with pytest.raises(KeyError):
            await store.transact("r1", None, broken)
        await store.transact("r1", None, note(1))
        assert await self.seqs(store) == [1, 2]
