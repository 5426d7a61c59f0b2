"""The workloads on this engine, drawn with the node types that ship: `function`, `map`, `question`.

Every node writes memory: a small value, or a kilobyte, or a kilobyte more at each step. Those of the
durable workloads call a tool before: that is what makes each of them durable, since the log is
committed before something goes outside, and not after what only computes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from builder.adapters.run_store.database import DatabaseRunStore
from engine.core.effects import EffectClass
from engine.core.graph.document import GraphSpec
from engine.core.node_types.registry import NODE_TYPES, Handlers
from engine.core.state.requests import CLI, Answer, StartRun
from engine.integrations.tools.functions import FunctionTools
from engine.local import Local, LocalGraphs, make_local
from engine.runtime.stores.sql.store import sqlite_dialect
from engine.runtime.system import NoFeed, SystemClock
from tests.benchmarks.contest import Run
from tests.benchmarks.database import WORKSPACE, fresh
from tests.benchmarks.nodes import KILOBYTE

Json = dict[str, Any]
HANDLERS = Handlers()
TOOLS = FunctionTools()


@TOOLS.tool(effect_class=EffectClass.READ)
async def outside(ms: int) -> int:
    """Stand for the world: take a while, or none."""
    if ms:
        await asyncio.sleep(ms / 1000)
    return 1


@HANDLERS.register("small")
async def small(_ctx: Any, params: Mapping[str, Any]) -> Json:
    """Write a small value."""
    return {"data": {"value": 1}}


@HANDLERS.register("called")
async def called(ctx: Any, params: Mapping[str, Any]) -> Json:
    """Call the outside, then write a small value."""
    return {"data": {"value": await ctx.call_tool("outside", {"ms": params.get("ms", 0)})}}


@HANDLERS.register("kilobyte")
async def kilobyte(ctx: Any, params: Mapping[str, Any]) -> Json:
    """Call the outside, then write a kilobyte in the place of the last one."""
    await ctx.call_tool("outside", {"ms": 0})
    return {"data": {"value": KILOBYTE}}


@HANDLERS.register("grow")
async def grow(ctx: Any, params: Mapping[str, Any]) -> Json:
    """Call the outside, then add a kilobyte to a list."""
    await ctx.call_tool("outside", {"ms": 0})
    return {"data": {"log": KILOBYTE}}


def _function(name: str, handler: str, **params: Any) -> Json:
    key = "log" if handler == "grow" else "value"
    return {
        "id": name,
        "type": "function",
        "write_keys": [key],
        "config": {"handler": handler, "params": params},
    }


def _spec(name: str, nodes: list[Json], ids: list[str]) -> GraphSpec:
    places = ["__start__", *ids]
    edges = [{"source": a, "target": b} for a, b in zip(places, ids, strict=False)]
    reducer = {"type": "object", "properties": {"log": {"type": "array", "reducer": "append"}}}
    return GraphSpec.model_validate(
        {
            "id": name,
            "nodes": nodes,
            "edges": edges,
            "limits": {"max_iterations": 10_000},
            "state_schema": reducer,
        }
    )


def chain(handler: str, length: int, **params: Any) -> GraphSpec:
    """Return function nodes in a row."""
    nodes = [_function(f"n{i}", handler, **params) for i in range(length)]
    return _spec(f"{handler}-{length}", nodes, [node["id"] for node in nodes])


def fan(width: int, worker: str) -> GraphSpec:
    """Return a map of `width` items, 50 at a time; `worker` is the handler of one item."""
    config = {
        "worker_node_id": "worker",
        "static_items": list(range(width)),
        "max_items": 10_000,
        "max_concurrency": 50,
    }
    nodes = [{"id": "m", "type": "map", "config": config}, _function("worker", worker)]
    return _spec(f"map-{worker}-{width}", nodes, ["m"])


def question() -> GraphSpec:
    """Return a graph that asks, then runs one node."""
    ask = {"id": "ask", "type": "question", "config": {"question": "Well?"}}
    return _spec("question", [ask, _function("after", "small")], ["ask", "after"])


class Bench:
    """A runner on a loop of its own, and the graph it runs."""

    def __init__(self, local: Local, spec: GraphSpec) -> None:
        self.local = local
        self.spec = spec
        self.runs = 0

    async def start(self) -> str:
        """Start a run and return its id."""
        self.runs += 1
        run_id = f"00000000-0000-4000-8000-{self.runs:012d}"
        request = StartRun(run_id, self.spec.id, workspace_id=WORKSPACE)
        await self.local.runner.start(request, self.local.graphs.program_of(self.spec))
        return run_id

    async def one(self) -> float:
        """Run the graph to its end and return the seconds it took."""
        began = time.perf_counter()
        state = await self.local.runner.settled(await self.start())
        took = time.perf_counter() - began
        assert state.status == "completed", state.error
        return took

    async def crowd(self, count: int) -> float:
        """Run `count` runs at once and return the seconds until all have ended."""
        began = time.perf_counter()
        await asyncio.gather(*(self.one() for _ in range(count)))
        return time.perf_counter() - began

    async def answer(self) -> float:
        """Run to the question and return the seconds from its answer to the end."""
        runner = self.local.runner
        run_id = await self.start()
        state = await runner.settled(run_id)
        request_id = next(iter(state.interrupts))
        began = time.perf_counter()
        await runner.answer(request_id, Answer(runner.token(request_id), values="yes"), CLI)
        state = await runner.settled(run_id)
        took = time.perf_counter() - began
        assert state.status == "completed", state.error
        return took


@contextmanager
def opened(spec: GraphSpec, synchronous: str | None) -> Iterator[tuple[Bench, asyncio.Runner]]:
    """Give a runner for `spec`: in memory without `synchronous`, else on SQLite set to it."""
    made = None if synchronous is None else fresh()
    with asyncio.Runner() as loop:
        store = None
        if made is not None and synchronous is not None:
            dialect = sqlite_dialect(made.path, synchronous=synchronous)
            source = LocalGraphs([spec], NODE_TYPES)
            store = DatabaseRunStore(dialect, SystemClock(), source, NoFeed())
            loop.run(store.open())
        maker = None if store is None else (lambda *_parts: store)
        local = make_local([spec], handlers=HANDLERS, functions=TOOLS, store=maker)
        local.graphs.program_of(spec)
        try:
            yield Bench(local, spec), loop
        finally:
            loop.run(local.runner.close())
            if store is not None:
                store.close()
            if made is not None:
                made.remove()


@contextmanager
def entry(spec: GraphSpec, synchronous: str | None) -> Iterator[Run]:
    """Give what runs `spec` once."""
    with opened(spec, synchronous) as (bench, loop):
        yield lambda: loop.run(bench.one())


@contextmanager
def crowd(spec: GraphSpec, synchronous: str, count: int) -> Iterator[Run]:
    """Give what runs `spec` so many times at once."""
    with opened(spec, synchronous) as (bench, loop):
        yield lambda: loop.run(bench.crowd(count))


@contextmanager
def resume(synchronous: str) -> Iterator[Run]:
    """Give what answers one question."""
    with opened(question(), synchronous) as (bench, loop):
        yield lambda: loop.run(bench.answer())
