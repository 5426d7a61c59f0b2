"""Every workload: who takes part and how, and what of ours has no counterpart elsewhere."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from statistics import median
from typing import Any, Final

from engine.core.graph.document import GraphSpec
from tests.benchmarks import database, floor, graphs, shipped
from tests.benchmarks.contest import FLOOR, US, Contest, Entry, Run, hold
from tests.benchmarks.database import Database
from tests.benchmarks.ours import bench

HAS_PEER: Final = importlib.util.find_spec("langgraph") is not None
HAS_BURR: Final = importlib.util.find_spec("burr") is not None
HAS_DBOS: Final = importlib.util.find_spec("dbos") is not None
HAS_PYDANTIC: Final = importlib.util.find_spec("pydantic_graph") is not None
LANGGRAPH: Final = "LangGraph"
BURR: Final = "Burr"
DBOS: Final = "DBOS"
PYDANTIC: Final = "pydantic-graph"
PEERS: Final = (BURR, LANGGRAPH, DBOS, PYDANTIC)
CROWD: Final = 200
AT_ONCE: Final = 50
"""How many items of a map are done at a time."""
MEGABYTE = "x" * 1_000_000


@contextmanager
def database_of(*, tables: bool) -> Iterator[Database]:
    """Give a database of its own, with the project's tables or empty."""
    made = database.fresh() if tables else database.empty()
    try:
        yield made
    finally:
        made.remove()


def _langgraph() -> Any:
    from tests.benchmarks import on_langgraph

    return on_langgraph


def _burr() -> Any:
    from tests.benchmarks import on_burr

    return on_burr


def _dbos() -> Any:
    from tests.benchmarks import on_dbos

    return on_dbos


def _pydantic() -> Any:
    from tests.benchmarks import on_pydantic_graph

    return on_pydantic_graph


@contextmanager
def _floor_in_memory(length: int) -> Iterator[Run]:
    yield lambda: asyncio.run(floor.in_memory(length))


@contextmanager
def _floor_durable(length: int, synchronous: str, *, growing: bool) -> Iterator[Run]:
    with database_of(tables=False) as made:
        yield lambda: asyncio.run(floor.durable(made, length, synchronous, growing=growing))[-1]


@contextmanager
def _floor_fan(width: int, synchronous: str | None) -> Iterator[Run]:
    if synchronous is None:
        yield lambda: asyncio.run(floor.fan_in_memory(width, AT_ONCE))
        return
    with database_of(tables=False) as made:
        yield lambda: asyncio.run(floor.fan(made, width, AT_ONCE, synchronous))


@contextmanager
def _floor_crowd(synchronous: str) -> Iterator[Run]:
    with database_of(tables=False) as made:
        yield lambda: asyncio.run(floor.crowd(made, CROWD, 10, 10, synchronous))


def chained(length: int, synchronous: str | None, rounds: int, kind: str = "small") -> Contest:
    """W1 and W2: nodes in a row that each write memory, in memory or durable after each."""
    where = "in memory" if synchronous is None else f"SQLite {synchronous}"
    what = {"small": "", "kilobyte": ", 1 KB of memory", "grow": ", +1 KB a step"}[kind]
    name = f"{'W1' if synchronous is None else 'W2'} {where}, {length:,} nodes{what}"
    entries: dict[str, Entry] = {
        FLOOR: partial(_floor_in_memory, length)
        if synchronous is None
        else partial(_floor_durable, length, synchronous, growing=kind != "small"),
        US: partial(shipped.entry, shipped.chain(kind, length), synchronous),
    }
    if HAS_BURR:
        entries[BURR] = partial(_burr().entry, kind, length, synchronous)
    if HAS_PEER:
        graph = _langgraph().chain(kind, length)
        entries[LANGGRAPH] = partial(_langgraph().entry, graph, length, synchronous)
    if HAS_DBOS and synchronous is not None:
        entries[DBOS] = partial(_dbos().entry, kind, length, synchronous)
    if HAS_PYDANTIC and synchronous is None:
        entries[PYDANTIC] = partial(_pydantic().entry, _pydantic().chain(length))
    return hold(Contest(name, "µs/node", length, 1e6), entries, rounds=rounds)


def fanned(width: int, synchronous: str | None, rounds: int) -> Contest:
    """W3: the `map` that ships and what the peers have for it, 50 at a time."""
    where = "in memory" if synchronous is None else f"SQLite {synchronous}"
    entries: dict[str, Entry] = {
        FLOOR: partial(_floor_fan, width, synchronous),
        US: partial(
            shipped.entry, shipped.fan(width, "called" if synchronous else "small"), synchronous
        ),
    }
    if HAS_BURR and synchronous is None:
        entries[BURR] = partial(_burr().fan, width)
    if HAS_PEER:
        entries[LANGGRAPH] = partial(_langgraph().entry, _langgraph().sends(width), 10, synchronous)
    if HAS_PYDANTIC and synchronous is None:
        entries[PYDANTIC] = partial(_pydantic().entry, _pydantic().fan(width))
    return hold(Contest(f"W3 {where}, map of {width:,}", "ms/run", 1, 1e3), entries, rounds=rounds)


def crowded(synchronous: str, rounds: int) -> Contest:
    """W4: many runs at once of ten nodes that each wait 10 ms for the outside."""
    spec = shipped.chain("called", 10, ms=10)
    entries: dict[str, Entry] = {
        FLOOR: partial(_floor_crowd, synchronous),
        US: partial(shipped.crowd, spec, synchronous, CROWD),
    }
    if HAS_PEER:
        graph = _langgraph().chain("small", 10, wait_ms=10)
        entries[LANGGRAPH] = partial(_langgraph().crowd, graph, synchronous, CROWD)
    if HAS_DBOS:
        entries[DBOS] = partial(_dbos().crowd, CROWD, 10, 10, synchronous)
    contest = Contest(f"W4 SQLite {synchronous}, {CROWD} runs of 10", "µs/node", CROWD * 10, 1e6)
    return hold(contest, entries, rounds=rounds)


def resumed(rounds: int) -> Contest:
    """W5: from a person's answer to the durable end of the run, one node later."""
    entries: dict[str, Entry] = {US: partial(shipped.resume, "NORMAL")}
    if HAS_BURR:
        entries[BURR] = partial(_burr().resume, "NORMAL")
    if HAS_PEER:
        entries[LANGGRAPH] = partial(_langgraph().resume, "NORMAL")
    if HAS_DBOS:
        entries[DBOS] = partial(_dbos().resume, "NORMAL")
    return hold(Contest("W5 SQLite NORMAL, answer to end", "ms", 1, 1e3), entries, rounds=rounds)


def plan(rounds: int) -> list[Callable[[], Contest]]:
    """Return the contests in their order."""
    few = max(rounds // 3, 3)
    return [
        partial(chained, 100, None, rounds),
        partial(chained, 1_000, None, few),
        partial(chained, 100, "NORMAL", rounds, "kilobyte"),
        partial(chained, 1_000, "NORMAL", few, "kilobyte"),
        partial(chained, 100, "FULL", few, "kilobyte"),
        partial(chained, 1_000, "NORMAL", 3, "grow"),
        partial(fanned, 1_000, None, few),
        partial(fanned, 1_000, "NORMAL", few),
        partial(crowded, "FULL", 3),
        partial(resumed, rounds * 2),
    ]


async def beside(spec: GraphSpec, repeats: int) -> tuple[float, float]:
    """Return the seconds of a step without and with 1 MB of memory that no node touches.

    The megabyte is stored once, when the run starts; a step is what comes between two commits.
    """
    steps: dict[bool, list[float]] = {False: [], True: []}
    with database_of(tables=True) as made:
        async with bench(spec, made, "NORMAL") as b:
            await b.run()
            for heavy in (False, True) * repeats:
                b.moments.gaps()
                await b.run(memory={"blob": MEGABYTE} if heavy else None)
                steps[heavy].append(median(b.moments.gaps()[2:]))
    return min(steps[False]), min(steps[True])


async def growth(repeats: int, length: int = 1_000) -> tuple[float, float]:
    """Return the seconds of the first and the last steps of a run that grows 1 KB a step."""
    return await ends(graphs.chain("bench_look", length, write=True), repeats, length)


async def ends(
    spec: GraphSpec, repeats: int, length: int, window: int = 100
) -> tuple[float, float]:
    """Return the seconds of the first and the last steps of a run of so many steps.

    Each is the median over the window in the quickest of the repeats.
    """
    first: list[float] = []
    last: list[float] = []
    with database_of(tables=True) as made:
        async with bench(spec, made, "NORMAL") as b:
            for _ in range(repeats):
                b.moments.gaps()
                await b.run()
                gaps = b.moments.gaps()
                first.append(median(gaps[10 : 10 + window]))
                last.append(median(gaps[length - window : length]))
    return min(first), min(last)


async def stored(length: int) -> tuple[float, float]:
    """Return the commits and the bytes on disk a step of a run that grows 1 KB a step."""
    spec = graphs.chain("bench_look", length, write=True)
    with database_of(tables=True) as made:
        async with bench(spec, made, "NORMAL") as b:
            await b.run()
            used, commits = made.used(), b.commits
            await b.run()
            return (b.commits - commits) / length, (made.used() - used) / length
