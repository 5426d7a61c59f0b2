"""The connection that only reads: who closes it waits for who uses it."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from engine.runtime.stores.sql import reader as reading
from engine.runtime.stores.sql.reader import Reader
from engine.runtime.stores.sql.writer import Dialect


class Slow:
    """A connection whose query lasts until it is told to end, and that minds being closed meanwhile."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.answer = threading.Event()
        self.is_used = False
        self.closed_in_use: list[bool] = []

    def execute(self, sql: str, parameters: Any = ()) -> Slow:
        """Wait for the answer."""
        self.is_used = True
        self.asked.set()
        self.answer.wait(10)
        self.is_used = False
        return self

    def fetchall(self) -> list[tuple[int]]:
        """Return the one row."""
        return [(1,)]

    def close(self) -> None:
        """Remember whether a query went on."""
        self.closed_in_use.append(self.is_used)


async def test_a_query_that_goes_on_is_waited_for() -> None:
    slow = Slow()
    reader = Reader(Dialect(connect=lambda: slow), threaded=True)
    asked = asyncio.ensure_future(reader.rows("SELECT 1"))
    await asyncio.to_thread(slow.asked.wait, 10)
    closing = asyncio.ensure_future(asyncio.to_thread(reader.close))
    await asyncio.sleep(0.05)
    slow.answer.set()

    await closing
    assert await asked == [(1,)]
    assert slow.closed_in_use == [False]


async def test_one_that_hangs_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "STOP_SECONDS", 0.01)
    slow = Slow()
    reader = Reader(Dialect(connect=lambda: slow), threaded=True)
    asked = asyncio.ensure_future(reader.rows("SELECT 1"))
    await asyncio.to_thread(slow.asked.wait, 10)

    await asyncio.to_thread(reader.close)
    assert slow.closed_in_use == []
    slow.answer.set()
    await asked
    reader.close()
    assert slow.closed_in_use == [False]
