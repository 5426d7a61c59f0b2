"""The in-memory store when closures and commits fail with money in the buffer."""

from __future__ import annotations

import asyncio

import pytest

from engine.core.errors import StoreError
from engine.runtime.stores.buffered import Batch
from engine.runtime.stores.memory import Medium, MemoryRunStore
from engine.runtime.system import SystemClock
from tests.engine.buffer_contract import (
    PRICE,
    BufferContract,
    failing,
    reserved,
    settled,
    stand,
)
from tests.engine.store_contract import GRAPHS, Boom, note


class RefusingStore(MemoryRunStore):
    """Refuses commits when told to."""

    refuse = False

    async def _persist(self, batch: Batch) -> None:
        await asyncio.sleep(0)
        if self.refuse:
            raise StoreError("the disk is full")
        await super()._persist(batch)


class TestMemoryRunStore(BufferContract):
    """`open` gives stores over one medium, as successive processes have."""

    @pytest.fixture(autouse=True)
    def _medium(self) -> None:
        self.medium = Medium()

    def open(self) -> RefusingStore:
        return RefusingStore(SystemClock(), GRAPHS, None, self.medium)

    async def test_a_refused_commit_moves_its_money_back(self) -> None:
        """I6: A commit that fails leaves shared rows as they were, once it is known to have failed."""
        store = self.open()
        await self.create(store)
        await store.transact("r1", None, reserved("h"))
        store.refuse = True
        await store.transact("r1", None, settled("h"), flush=False)
        with pytest.raises(StoreError):
            await store.transact("r1", None, reserved("i"))

        assert stand(store) == (0, 0, 200, 2 * PRICE, 0), "it may be in the log"
        store.refuse = False
        await store.transact("r1", None, note(1))
        assert stand(store) == (0, 0, 100, PRICE, 0)
        await store.transact("r1", None, settled("h"))
        assert stand(store) == (100, PRICE, 0, 0, 0)

    async def test_a_commit_that_fails_behind_a_failed_closure_moves_its_money_back(
        self,
    ) -> None:
        """I6: The run is out of memory by the time its commit fails; its money is not."""
        store = self.open()
        await self.create(store)
        await store.transact("r1", None, reserved("h"))
        store.refuse = True
        lost: list[str] = []
        store.on_lost = lost.append
        landing = asyncio.ensure_future(store.transact("r1", None, settled("h", 40)))
        await asyncio.sleep(0)
        with pytest.raises(Boom):
            await store.transact("r1", None, failing)
        with pytest.raises(StoreError):
            await landing

        assert stand(store) == (0, 0, 100, PRICE, 0)
        assert lost == ["r1"]
        store.refuse = False
        await store.transact("r1", None, note(1))
        assert await self.seqs(store) == [1, 2, 3]
