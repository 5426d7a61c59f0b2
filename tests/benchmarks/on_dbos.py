"""The same workloads on DBOS with its SQLite system database. Import it only where it is installed.

DBOS is one for a process: each contest starts it on a database of its own and ends it after.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import sqlalchemy
from dbos import DBOS, DBOSConfig

from tests.benchmarks.contest import Run
from tests.benchmarks.database import empty
from tests.benchmarks.nodes import KILOBYTE

RETURNS: dict[str, Any] = {"small": 1, "kilobyte": KILOBYTE, "grow": KILOBYTE}
RAPID_S = 0.001
"""How often a workflow that waits for a message looks for one; DBOS's own second would be W5."""


@DBOS.step()
def step(kind: str) -> Any:
    """Return what a node writes."""
    return RETURNS[kind]


@DBOS.step()
async def slow(wait_s: float) -> int:
    """Wait for the outside."""
    await asyncio.sleep(wait_s)
    return 1


@DBOS.workflow()
def chain(kind: str, length: int) -> int:
    """Take steps in a row; a list grows in the workflow's own memory."""
    log = [step(kind) for _ in range(length)]
    return len(log)


@DBOS.workflow()
async def slow_chain(length: int, wait_s: float) -> int:
    """Take steps in a row that each wait."""
    for _ in range(length):
        await slow(wait_s)
    return length


@DBOS.workflow()
def question() -> Any:
    """Ask, then take one step."""
    answer = DBOS.recv("answer", timeout_seconds=60)
    step("small")
    return answer


@contextmanager
def _launched(synchronous: str) -> Iterator[None]:
    database = empty()
    engine = sqlalchemy.create_engine(f"sqlite:///{database.path}")

    @sqlalchemy.event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        connection.isolation_level = "IMMEDIATE"
        for pragma in (
            "busy_timeout=30000",
            "foreign_keys=ON",
            "journal_mode=WAL",
            f"synchronous={synchronous}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    config = DBOSConfig(
        name="bench",
        system_database_engine=engine,
        log_level="ERROR",
        notification_listener_polling_interval_sec=RAPID_S,
    )
    DBOS(config=config)
    DBOS.launch()
    try:
        yield
    finally:
        DBOS.destroy()
        engine.dispose()
        database.remove()


@contextmanager
def entry(kind: str, length: int, synchronous: str) -> Iterator[Run]:
    """Give what runs a chain once."""
    with _launched(synchronous):

        def run() -> float:
            began = time.perf_counter()
            assert chain(kind, length) == length
            return time.perf_counter() - began

        yield run


@contextmanager
def crowd(runs: int, length: int, wait_ms: int, synchronous: str) -> Iterator[Run]:
    """Give what runs many chains at once whose steps wait."""
    with _launched(synchronous):

        async def all_of_them() -> float:
            began = time.perf_counter()
            await asyncio.gather(*(slow_chain(length, wait_ms / 1000) for _ in range(runs)))
            return time.perf_counter() - began

        yield lambda: asyncio.run(all_of_them())


@contextmanager
def resume(synchronous: str) -> Iterator[Run]:
    """Give what answers a workflow that waits for a message."""
    with _launched(synchronous):

        def run() -> float:
            handle = DBOS.start_workflow(question)
            time.sleep(0.05)  # until it waits
            began = time.perf_counter()
            DBOS.send(handle.get_workflow_id(), "yes", "answer", idempotency_key=str(uuid4()))
            assert handle.get_result() == "yes"
            return time.perf_counter() - began

        yield run
