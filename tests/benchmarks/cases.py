"""Every workload, on everyone, one line of numbers each."""

from __future__ import annotations

import asyncio
import importlib.util
import time
from collections.abc import Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from engine.graph import GraphSpec
from tests.benchmarks import database, floor, graphs
from tests.benchmarks.ours import bench

HAS_PEER = importlib.util.find_spec("langgraph") is not None
CROWD = 200
MEGABYTE = "x" * 1_000_000


@dataclass(slots=True)
class Line:
    """One workload: what each of them took, in `unit` (less is better unless `more`)."""

    name: str
    unit: str
    ours: float
    floor: float | None = None
    peer: float | None = None
    more: bool = False
    notes: dict[str, float] = field(default_factory=dict)

    @property
    def gain(self) -> float | None:
        """How many times better than the peer, None without it."""
        if self.peer is None:
            return None
        return self.ours / self.peer if self.more else self.peer / self.ours


@contextmanager
def _database(*, tables: bool) -> Any:
    made = database.fresh() if tables else database.empty()
    try:
        yield made
    finally:
        made.remove()


def _micro(seconds: Iterable[float], steps: int) -> float:
    """Return the microseconds of a step in the quickest run: a busy neighbour only ever adds."""
    return min(seconds) / steps * 1e6


def _peer() -> Any:
    from tests.benchmarks import peer

    return peer


def in_memory(length: int, repeats: int) -> Line:
    """W1: a chain of trivial nodes, nothing durable."""
    spec = graphs.chain("bench_trivial", length)
    ours, below, beside = [], [], []

    async def run() -> float:
        async with bench(spec) as b:
            await b.run()
            return min([await b.run() for _ in range(5)])

    for _ in range(repeats):
        ours.append(asyncio.run(run()))
        below.append(asyncio.run(floor.in_memory(length)))
        if HAS_PEER:
            beside.append(asyncio.run(_peer().in_memory(_peer().chain(length), length)))
    line = Line(f"W1 in memory, {length:,} nodes", "µs/node", _micro(ours, length))
    line.floor = _micro(below, length)
    line.peer = _micro(beside, length) if beside else None
    return line


async def _chain(
    spec: GraphSpec, length: int, synchronous: str, repeats: int, memory: Any = None
) -> tuple[list[float], dict[str, float]]:
    """Return seconds of each run, and commits and bytes on disk a step."""
    with _database(tables=True) as made:
        async with bench(spec, made, synchronous) as b:
            await b.run(memory=memory)
            used, commits = made.used(), b.commits
            took = [await b.run(memory=memory) for _ in range(repeats)]
            steps = length * repeats
            notes = {
                "commits/step": (b.commits - commits) / steps,
                "bytes/step": (made.used() - used) / steps,
            }
    return took, notes


def durable(length: int, synchronous: str, repeats: int, *, growing: bool = False) -> Line:
    """W2: the chain with one journaled read a node, durable at each; everyone in turn."""
    spec = graphs.chain("bench_look", length, **({"write": True} if growing else {}))
    what = ", +1 KB a step" if growing else ""
    line = Line(f"W2 SQLite {synchronous}, {length:,} steps{what}", "µs/step", 0)
    ours, below, beside = [], [], []
    for _ in range(repeats):
        took, line.notes = asyncio.run(_chain(spec, length, synchronous, 2))
        ours += took
        with _database(tables=False) as made:
            run = floor.durable(made, length, synchronous, growing=growing)
            below.append(asyncio.run(run)[-1])
        if HAS_PEER:
            with _database(tables=False) as made:
                graph = _peer().chain(length, growing=growing)
                beside += _peer().durable(graph, made, length, synchronous)
                written = made.used() / length
    line.ours, line.floor = _micro(ours, length), _micro(below, length)
    if beside:
        line.peer = _micro(beside, length)
        line.notes["peer bytes/step"] = written
    return line


async def _beside(spec: GraphSpec, repeats: int) -> tuple[float, float, list[float]]:
    """Return the seconds of a step without and with 1 MB beside it, and of the runs with it.

    The megabyte is stored once, when the run starts; a step is what comes between two commits.
    """
    steps: dict[bool, list[float]] = {False: [], True: []}
    took = []
    with _database(tables=True) as made:
        async with bench(spec, made, "NORMAL") as b:
            await b.run()
            for heavy in (False, True) * repeats:
                b.moments.gaps()
                seconds = await b.run(memory={"blob": MEGABYTE} if heavy else None)
                took += [seconds] if heavy else []
                steps[heavy].append(median(b.moments.gaps()[2:]))
    return min(steps[False]), min(steps[True]), took


def carried(length: int, repeats: int) -> Line:
    """W2: the chain beside 1 MB of memory that no node touches."""
    plain, beside, took = asyncio.run(_beside(graphs.chain("bench_look", length), repeats))
    line = Line(f"W2 SQLite NORMAL, {length} steps beside 1 MB", "µs/step", _micro(took, length))
    line.notes = {"times a step without it": beside / plain}
    if HAS_PEER:
        with _database(tables=False) as made:
            graph = _peer().chain(length)
            runs = _peer().durable(graph, made, length, "NORMAL", repeats=2, blob=MEGABYTE)
            line.peer = _micro(runs, length)
    return line


async def growth(repeats: int, length: int = 1_000, window: int = 100) -> tuple[float, float]:
    """Return the seconds of the first and the last steps of a run that grows 1 KB a step.

    Each is the median over the window in the quickest of the repeats.
    """
    spec = graphs.chain("bench_look", length, write=True)
    first: list[float] = []
    last: list[float] = []
    with _database(tables=True) as made:
        async with bench(spec, made, "NORMAL") as b:
            for _ in range(repeats):
                b.moments.gaps()
                await b.run()
                gaps = b.moments.gaps()
                first.append(median(gaps[10 : 10 + window]))
                last.append(median(gaps[length - window : length]))
    return min(first), min(last)


def fanned(worker: str, width: int, repeats: int) -> Line:
    """W3: children of one node, 50 at a time, durable."""

    async def ours() -> tuple[list[float], int]:
        with _database(tables=True) as made:
            async with bench(graphs.fan(worker, width), made, "NORMAL") as b:
                await b.run()
                before = b.commits
                took = [await b.run() for _ in range(repeats)]
                return took, b.commits - before

    took, commits = asyncio.run(ours())
    kind = "trivial" if worker == "bench_trivial" else "reading"
    name = f"W3 SQLite NORMAL, {width:,} {kind} children, 50 at a time"
    line = Line(name, "ms/run", median(took) * 1e3, notes={"commits/run": commits / repeats})
    if HAS_PEER:
        with _database(tables=False) as made:
            runs = _peer().durable(_peer().fan(width), made, 10, "NORMAL", repeats=2)
            line.peer = median(runs) * 1e3
    return line


def crowded(synchronous: str, repeats: int) -> Line:
    """W4: many runs at once, each node waiting 10 ms for the outside."""

    async def ours() -> tuple[list[float], float, float]:
        with _database(tables=True) as made:
            spec = graphs.chain("bench_look", 10, wait_ms=10)
            async with bench(spec, made, synchronous) as b:
                await b.crowd(CROWD)
                before, burnt = b.commits, time.process_time()
                took = [await b.crowd(CROWD) for _ in range(repeats)]
                return took, b.commits - before, time.process_time() - burnt

    took, commits, burnt = asyncio.run(ours())
    name = f"W4 SQLite {synchronous}, {CROWD} runs of 10 nodes of 10 ms"
    line = Line(name, "runs/s", CROWD / median(took), more=True)
    steps = CROWD * 10 * repeats
    line.notes = {"commits/step": commits / steps, "CPU µs/step": burnt / steps * 1e6}
    with _database(tables=False) as made:
        runs = [asyncio.run(floor.crowd(made, CROWD, 10, 10, synchronous)) for _ in range(repeats)]
        line.floor = CROWD / median(runs)
    if HAS_PEER:
        with _database(tables=False) as made:
            graph = _peer().chain(10, wait_ms=10)
            line.peer = CROWD / asyncio.run(_peer().crowd(graph, made, CROWD, synchronous))
    return line


def resumed(repeats: int) -> Line:
    """W5: from the answer to the end of the run."""

    async def ours() -> list[tuple[float, int]]:
        with _database(tables=True) as made:
            async with bench(graphs.question(), made, "NORMAL") as b:
                await b.resume()
                return [await b.resume() for _ in range(repeats)]

    took = asyncio.run(ours())
    line = Line("W5 SQLite NORMAL, answer to end", "ms", median(t for t, _ in took) * 1e3)
    line.notes = {"commits": max(commits for _, commits in took)}
    if HAS_PEER:
        with _database(tables=False) as made:
            line.peer = median(_peer().resume(made, "NORMAL", repeats)) * 1e3
    return line
