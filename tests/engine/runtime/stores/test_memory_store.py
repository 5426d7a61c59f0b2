"""The in-memory store keeps the contract of all run stores."""

from __future__ import annotations

import pytest

from engine.runtime.stores.buffered import BufferedStore
from engine.runtime.stores.memory import Medium, MemoryRunStore
from engine.runtime.system import SystemClock
from tests.engine.store_contract import GRAPHS, StoreContract


class TestMemoryRunStore(StoreContract):
    """`open` gives stores over one medium, as successive processes have."""

    @pytest.fixture(autouse=True)
    def _medium(self) -> None:
        self.medium = Medium()

    def open(self) -> BufferedStore:
        return MemoryRunStore(SystemClock(), GRAPHS, None, self.medium)
