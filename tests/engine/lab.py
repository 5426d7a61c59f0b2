"""A laboratory for the engine: virtual time, a durable medium, and an outside that keeps records."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

from engine.core.graph.document import GraphSpec, parse_document
from engine.core.node_types.registry import Handlers, NodeTypes
from engine.core.state.events import Event
from engine.core.state.requests import Actor, Answer, StartRun
from engine.core.state.run_state import RunState
from engine.local import LocalGraphs
from engine.runtime.mailbox import wishes
from engine.runtime.runner import Runner
from engine.runtime.services import Services
from engine.runtime.stores.memory import Medium, MemoryRunStore
from engine.runtime.system import TurnsForAll
from tests.engine import posted
from tests.engine.node_types import node_types
from tests.simulation.loop import VirtualLoop
from tests.simulation.ports import SeededEntropy, VirtualClock
from tests.simulation.world import SimModels, SimTools, World

ANN = Actor("ann", "Ann", roles=frozenset({"reviewer"}))
BOB = Actor("bob", "Bob", roles=frozenset({"reviewer"}))


def in_virtual_time(main: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Return what `main` returns on a loop that never waits."""
    return VirtualLoop(Random(1)).drive(main())


def document(nodes: list[dict[str, Any]], *edges: str, **fields: Any) -> GraphSpec:
    """Return a graph; nodes retry quickly, edges are written `a > b` with `__start__` drawn."""
    drawn = [dict(zip(("source", "target"), edge.split(" > "), strict=True)) for edge in edges]
    policy = {"max_retries": 2, "backoff_strategy": "fixed", "initial_backoff_ms": 10}
    spec, problems = parse_document(
        {
            "id": "main",
            "agents": [{"id": "ann", "max_output_tokens": 40}],
            "nodes": [{"failure_policy": policy, **node} for node in nodes],
            "edges": drawn,
            **fields,
        }
    )
    assert spec is not None, problems
    return spec


def single(kind: str, **fields: Any) -> GraphSpec:
    """Return a graph of one node `it` and the child `child` that composites run."""
    nodes = [{"id": "it", "type": kind, **fields}, {"id": "child", "type": "t_child"}]
    return document(nodes, "__start__ > it", "it > __end__")


class Lab:
    """One run after the other over one medium; `crash` loses what was not flushed."""

    def __init__(self, *graphs: GraphSpec, types: NodeTypes | None = None) -> None:
        self.medium = Medium()
        self.specs = graphs
        self.broken: list[str] = []
        self.world = World(Random(2), self.broken.append, faults=False)
        self.stop_at: str | None = None
        self.stopped = asyncio.Event()
        self.in_flight = self.most_in_flight = 0
        self._boots = itertools.count(1)
        self.boot(types or node_types())

    async def point(self, name: str) -> None:
        """A place of the outside; `stop_at` names the one at which everything stands still."""
        if name == self.stop_at:
            self.stopped.set()
            await asyncio.get_running_loop().create_future()
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await asyncio.sleep(0.01)
        finally:
            self.in_flight -= 1

    def boot(self, types: NodeTypes) -> None:
        """Start a process over what is durable."""
        loop = asyncio.get_running_loop()
        self.number = next(self._boots)
        self.graphs = LocalGraphs(self.specs, types)
        self.clock = VirtualClock(loop)
        self.store = MemoryRunStore(self.clock, self.graphs, None, self.medium)
        handlers: Any = Handlers()
        services = Services(
            models=SimModels(self.world, self),
            tools=SimTools(self.world, self),
            graphs=self.graphs,
            handlers=handlers,
            secret=b"lab",
            clock=self.clock,
            turns=TurnsForAll(self.clock),
            entropy=SeededEntropy(Random(3), self.number),
            stopwatch=lambda: 0.0,
            report=lambda error: self.broken.append(repr(error)),
        )
        self.runner = Runner(self.store, services)

    async def crash(self, types: NodeTypes | None = None, *, crashed: bool = True) -> None:
        """End the process as a kill does, start another one and let it recover.

        The next one is told that it was an orderly stop where `crashed` is false.
        """
        for run_id in list(self.store._warm):
            self.store.forget(run_id)
        await self.runner.close()
        self.stop_at = None
        self.boot(types or self.graphs.types)
        await self.runner.recover(crashed=crashed)

    async def start(self, run_id: str = "r", **fields: Any) -> RunState:
        """Start the first graph and return the state once it rests."""
        await self.begin(run_id, **fields)
        return await self.runner.settled(run_id)

    async def begin(self, run_id: str = "r", **fields: Any) -> None:
        """Start the first graph."""
        spec = self.specs[0]
        start = StartRun(run_id=run_id, graph_id=spec.id, **fields)
        await self.runner.start(start, self.graphs.program_of(spec))

    async def answer(self, run_id: str = "r", actor: Actor = ANN, **fields: Any) -> RunState:
        """Answer the one open interrupt of the run, as people on pages do, by a row.

        Returns the state once the run rests again.
        """
        request_id = self.open_request(run_id)
        said = Answer("", **(fields or {"values": "yes"}))
        await posted.ask(self.runner, run_id, wishes.answer(request_id, said, actor))
        return await self.runner.settled(run_id)

    def open_request(self, run_id: str = "r") -> str:
        """Return the id of the only open interrupt."""
        state = self.store.peek(run_id)
        assert state is not None
        [request_id] = state.interrupts
        return request_id

    def events(self, type_: str, key: str | None = None, run_id: str = "r") -> list[Event]:
        """Return the durable events of a type, of one activation if `key` is given."""
        return [
            event
            for event in self.medium.logs[run_id]
            if event.type == type_ and key in (None, event.key)
        ]
