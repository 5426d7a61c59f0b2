"""What the machine allows: hand-written loops that keep one delta row a node and know nothing else."""

from __future__ import annotations

import asyncio
import json
import queue
import sqlite3
import threading
import time
from collections.abc import Sequence
from typing import Any

from tests.benchmarks.database import Database
from tests.benchmarks.nodes import KILOBYTE

INSERT = "INSERT INTO log (run, seq, node, delta) VALUES (?, ?, ?, ?)"


async def _node() -> int:
    return 1


async def in_memory(length: int) -> float:
    """Return the seconds of a chain of `length` awaits that each leave a row in a list."""
    began = time.perf_counter()
    log: list[dict[str, Any]] = []
    state: dict[str, int] = {}
    for index in range(length):
        name = f"n{index}"
        state[name] = await _node()
        log.append({"seq": index, "node": name, "output": state[name]})
    return time.perf_counter() - began


async def waiting(items: int, in_flight: int, wait_ms: int) -> float:
    """Return the seconds of so many waits, so many at a time, that leave nothing behind."""
    began = time.perf_counter()
    slots = asyncio.Semaphore(in_flight)

    async def one() -> None:
        async with slots:
            await asyncio.sleep(wait_ms / 1000)

    await asyncio.gather(*(one() for _ in range(items)))
    return time.perf_counter() - began


def _open(database: Database, synchronous: str) -> sqlite3.Connection:
    connection = sqlite3.connect(database.path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA synchronous={synchronous}")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, run TEXT, seq INT, node TEXT, "
        "delta TEXT)"
    )
    return connection


async def durable(
    database: Database, length: int, synchronous: str, *, growing: bool = False
) -> list[float]:
    """Return the moments at which each node of a chain was durable, from 0 at the start."""
    connection = _open(database, synchronous)
    began = time.perf_counter()
    moments = []
    for index in range(length):
        delta = json.dumps({"output": await _node(), "log": KILOBYTE if growing else None})
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(INSERT, ("run", index, f"n{index}", delta))
        connection.execute("COMMIT")
        moments.append(time.perf_counter() - began)
    connection.close()
    return moments


class _Writer:
    """One thread that commits for everyone who waits."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._queue: queue.SimpleQueue[tuple[Sequence[Any], asyncio.Future[None]] | None]
        self._queue = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    async def write(self, row: Sequence[Any]) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put((row, done))
        await done

    def close(self) -> None:
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            jobs = [self._queue.get()]
            while not self._queue.empty():
                jobs.append(self._queue.get())
            some = [job for job in jobs if job is not None]
            if some:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany(INSERT, [row for row, _done in some])
                self._connection.execute("COMMIT")
                loop = some[0][1].get_loop()
                loop.call_soon_threadsafe(_resolve, [done for _row, done in some])
            if len(some) < len(jobs):
                return


def _resolve(waiting: list[asyncio.Future[None]]) -> None:
    for done in waiting:
        done.set_result(None)


async def fan_in_memory(width: int, in_flight: int) -> float:
    """Return the seconds of a gather over `width` items, so many at a time, that leaves a row each in a list."""
    log: list[dict[str, Any]] = []
    slots = asyncio.Semaphore(in_flight)

    async def one(index: int) -> None:
        async with slots:
            log.append({"seq": index, "node": f"w{index}", "output": await _node()})

    began = time.perf_counter()
    await asyncio.gather(*(one(index) for index in range(width)))
    return time.perf_counter() - began


async def fan(database: Database, width: int, in_flight: int, synchronous: str) -> float:
    """Return the seconds of a gather over `width` items, so many at a time, each durable before its place is free."""
    connection = _open(database, synchronous)
    writer = _Writer(connection)
    slots = asyncio.Semaphore(in_flight)

    async def one(index: int) -> None:
        async with slots:
            delta = json.dumps({"output": await _node()})
            await writer.write(("run", index, f"w{index}", delta))

    began = time.perf_counter()
    await asyncio.gather(*(one(index) for index in range(width)))
    took = time.perf_counter() - began
    writer.close()
    connection.close()
    return took


async def crowd(
    database: Database, runs: int, length: int, wait_ms: int, synchronous: str
) -> float:
    """Return the seconds of `runs` chains at once, each node waiting `wait_ms`, then durable."""
    connection = _open(database, synchronous)
    writer = _Writer(connection)

    async def one(run: int) -> None:
        for index in range(length):
            await asyncio.sleep(wait_ms / 1000)
            await writer.write((str(run), index, f"n{index}", "1"))

    began = time.perf_counter()
    await asyncio.gather(*(one(run) for run in range(runs)))
    took = time.perf_counter() - began
    writer.close()
    connection.close()
    return took
