"""The workloads on this engine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from builder.adapters.run_store.database import DatabaseRunStore
from engine.core.graph.document import GraphSpec
from engine.core.state.requests import CLI, Answer, StartRun
from engine.local import Local, LocalGraphs, make_local
from engine.runtime.stores.sql.store import sqlite_dialect
from engine.runtime.system import SystemClock
from tests.benchmarks.database import WORKSPACE, Database
from tests.benchmarks.nodes import bench_types


@dataclass(slots=True)
class Moments:
    """A feed that notes when each commit was announced."""

    times: list[float] = field(default_factory=list)

    def committed(self, run_id: str, seq: int) -> None:
        """Note the moment."""
        self.times.append(time.perf_counter())

    def delta(self, run_id: str, key: str, text: str, *, reset: bool = False) -> None:
        """Do nothing: no workload streams."""

    def gaps(self) -> list[float]:
        """Return the seconds between commits, and forget them."""
        times, self.times = self.times, []
        return [later - earlier for earlier, later in pairwise(times)]


@dataclass(slots=True)
class Bench:
    """A runner and the graph it runs."""

    local: Local
    spec: GraphSpec
    moments: Moments
    runs: int = 0

    @property
    def commits(self) -> int:
        """Commits so far; 0 in memory."""
        store = self.local.store
        return store.writer.commits if isinstance(store, DatabaseRunStore) else 0

    async def start(self, **more: Any) -> str:
        """Start a run and return its id."""
        self.runs += 1
        run_id = f"00000000-0000-4000-8000-{self.runs:012d}"
        request = StartRun(run_id, self.spec.id, workspace_id=WORKSPACE, **more)
        await self.local.runner.start(request, self.local.graphs.program_of(self.spec))
        return run_id

    async def run(self, **more: Any) -> float:
        """Run the graph once to its durable end; return the seconds it took."""
        began = time.perf_counter()
        run_id = await self.start(**more)
        state = await self.local.runner.settled(run_id)
        took = time.perf_counter() - began
        assert state.status == "completed", state.error
        return took

    async def results(self, name: str, **more: Any) -> tuple[float, list[Any]]:
        """Run the graph once; return the seconds, and the outputs of a map's items in their order."""
        began = time.perf_counter()
        state = await self.local.runner.settled(await self.start(**more))
        took = time.perf_counter() - began
        return took, [result["output"] for result in state.memory[f"{name}_results"]]

    async def crowd(self, count: int) -> float:
        """Run `count` runs at once; return the seconds until all are durable."""
        began = time.perf_counter()
        await asyncio.gather(*(self.run() for _ in range(count)))
        return time.perf_counter() - began

    async def resume(self) -> tuple[float, int]:
        """Run to the question, answer it; return seconds and commits from answer to end."""
        runner = self.local.runner
        run_id = await self.start()
        state = await runner.settled(run_id)
        request_id = next(iter(state.interrupts))
        before = self.commits
        began = time.perf_counter()
        answer = Answer(runner.token(request_id), values="yes")
        await runner.answer(request_id, answer, CLI)
        state = await runner.settled(run_id)
        took = time.perf_counter() - began
        assert state.status == "completed", state.error
        return took, self.commits - before


@asynccontextmanager
async def bench(
    spec: GraphSpec, database: Database | None = None, synchronous: str = "FULL"
) -> AsyncIterator[Bench]:
    """Give a runner for `spec`, in memory or on a database with the project's tables."""
    types, moments = bench_types(), Moments()
    store = None
    if database is not None:
        dialect = sqlite_dialect(database.path, synchronous=synchronous)
        store = DatabaseRunStore(dialect, SystemClock(), LocalGraphs([spec], types), moments)
        await store.open()
    kept = store
    local = make_local([spec], types=types, store=None if kept is None else lambda *_parts: kept)
    local.graphs.program_of(spec)
    try:
        yield Bench(local, spec, moments)
    finally:
        await local.runner.close()
        if store is not None:
            store.close()
