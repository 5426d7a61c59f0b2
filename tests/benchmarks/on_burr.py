"""The same workloads on Burr with its SQLite persister. Import it only where it is installed."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from burr.core import Application, ApplicationBuilder, Condition, State, action
from burr.core.action import create_action
from burr.core.graph import Graph, GraphBuilder
from burr.core.parallelism import MapStates
from burr.core.persistence import SQLitePersister

from tests.benchmarks.contest import Run
from tests.benchmarks.database import empty
from tests.benchmarks.nodes import KILOBYTE

MAPPED = 50


@action(reads=[], writes=["value"])
def small(state: State) -> State:
    """Write a small value."""
    return state.update(value=1)


@action(reads=[], writes=["value"])
def kilobyte(state: State) -> State:
    """Write a kilobyte, in the place of the last one."""
    return state.update(value=KILOBYTE)


@action(reads=["log"], writes=["log"])
def grow(state: State) -> State:
    """Add a kilobyte to a list."""
    return state.append(log=KILOBYTE)


@action(reads=[], writes=["answer"])
def ask(state: State, answer: str) -> State:
    """Take the answer."""
    return state.update(answer=answer)


ACTIONS = {"small": small, "kilobyte": kilobyte, "grow": grow}


class Fan(MapStates):  # type: ignore[misc]
    """A worker for each item, 50 at a time."""

    def action(self, state: State, inputs: dict[str, Any]) -> Any:
        """Return the worker."""
        return create_action(small, "worker")

    def states(self, state: State, context: Any, inputs: dict[str, Any]) -> Iterator[State]:
        """Give a state for each item."""
        for item in state["items"]:
            yield state.update(item=item)

    def reduce(self, state: State, states: Iterator[State]) -> State:
        """Collect what the workers wrote."""
        return state.update(done=[each["value"] for each in states])

    @property
    def writes(self) -> list[str]:
        """What the map leaves."""
        return ["done"]

    @property
    def reads(self) -> list[str]:
        """What the map takes."""
        return ["items"]


def chain(kind: str, length: int) -> Graph:
    """Return actions in a row."""
    made = {f"n{i}": ACTIONS[kind] for i in range(length)}
    ways = [(f"n{i}", f"n{i + 1}") for i in range(length - 1)]
    return GraphBuilder().with_actions(**made).with_transitions(*ways).build()


def _application(graph: Graph, first: str, saver: SQLitePersister | None, **state: Any) -> Any:
    builder = ApplicationBuilder().with_graph(graph).with_entrypoint(first).with_state(**state)
    builder = builder.with_identifiers(app_id=str(uuid4()))
    return (builder if saver is None else builder.with_state_persister(saver)).build()


@contextmanager
def _saver(synchronous: str | None) -> Iterator[SQLitePersister | None]:
    if synchronous is None:
        yield None
        return
    database = empty()
    connection = sqlite3.connect(database.path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA synchronous={synchronous}")
    saver = SQLitePersister(str(database.path), connection=connection)
    saver.initialize()
    try:
        yield saver
    finally:
        connection.close()
        database.remove()


@contextmanager
def entry(kind: str, length: int, synchronous: str | None) -> Iterator[Run]:
    """Give what runs a chain once; its graph is built once, an application a run as Burr wants."""
    graph, last = chain(kind, length), f"n{length - 1}"
    with _saver(synchronous) as saver:

        def run() -> float:
            began = time.perf_counter()
            application = _application(graph, "n0", saver, value=0, log=[])
            application.run(halt_after=[last])
            return time.perf_counter() - began

        yield run


@contextmanager
def fan(width: int) -> Iterator[Run]:
    """Give what runs a map in memory once."""
    graph = GraphBuilder().with_actions(fan=Fan()).with_transitions().build()

    def run() -> float:
        began = time.perf_counter()
        application: Application[Any] = (
            ApplicationBuilder()
            .with_graph(graph)
            .with_entrypoint("fan")
            .with_state(items=list(range(width)), value=0, done=[])
            .with_parallel_executor(_pool)
            .build()
        )
        application.run(halt_after=["fan"])
        return time.perf_counter() - began

    yield run


def _pool() -> Any:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(max_workers=MAPPED)


@contextmanager
def resume(synchronous: str) -> Iterator[Run]:
    """Give what loads a waiting application and answers it."""
    graph = (
        GraphBuilder()
        .with_actions(ask=ask, after=small, hold=small)
        .with_transitions(("hold", "ask"), ("ask", "after", Condition.expr("True")))
        .build()
    )
    with _saver(synchronous) as saver:
        assert saver is not None

        def run() -> float:
            application = _application(graph, "hold", saver, value=0)
            application.run(halt_before=["ask"])
            began = time.perf_counter()
            again = (
                ApplicationBuilder()
                .with_graph(graph)
                .with_identifiers(app_id=application.uid)
                .initialize_from(
                    saver, resume_at_next_action=True, default_state={}, default_entrypoint="hold"
                )
                .with_state_persister(saver)
                .build()
            )
            _last, _result, state = again.run(halt_after=["after"], inputs={"answer": "yes"})
            took = time.perf_counter() - began
            assert state["answer"] == "yes"
            return took

        yield run
