"""The same workloads on LangGraph with its SQLite savers. Import it only where it is installed."""

from __future__ import annotations

import asyncio
import operator
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TypedDict
from uuid import uuid4

import aiosqlite
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send, interrupt

from tests.benchmarks.contest import Run
from tests.benchmarks.database import empty
from tests.benchmarks.nodes import KILOBYTE


class Values(TypedDict, total=False):
    """The state of every graph here."""

    value: Any
    log: Annotated[list[str], operator.add]
    done: Annotated[list[int], operator.add]
    item: int


WRITES: dict[str, Values] = {
    "small": {"value": 1},
    "kilobyte": {"value": KILOBYTE},
    "grow": {"log": [KILOBYTE]},
}


def chain(kind: str, length: int, *, wait_ms: int = 0) -> StateGraph[Any, Any]:
    """Return nodes in a row; those that wait are asynchronous, the others plain functions."""
    graph: StateGraph[Any, Any] = StateGraph(Values)

    def node(_state: Values) -> Values:
        return WRITES[kind]

    async def slow(_state: Values) -> Values:
        await asyncio.sleep(wait_ms / 1000)
        return WRITES[kind]

    for index in range(length):
        graph.add_node(f"n{index}", slow if wait_ms else node)
        graph.add_edge(f"n{index - 1}" if index else START, f"n{index}")
    graph.add_edge(f"n{length - 1}", END)
    return graph


def sends(width: int) -> StateGraph[Any, Any]:
    """Return a node that sends `width` workers, each of which writes a small value."""
    graph: StateGraph[Any, Any] = StateGraph(Values)
    graph.add_node("plan", lambda _state: {"value": 1})
    graph.add_node("worker", lambda _state: {"done": [1]})
    graph.add_edge(START, "plan")
    graph.add_conditional_edges(
        "plan", lambda _state: [Send("worker", {"item": i}) for i in range(width)], ["worker"]
    )
    graph.add_edge("worker", END)
    return graph


def question() -> StateGraph[Any, Any]:
    """Return a graph that asks, then runs one node."""
    graph: StateGraph[Any, Any] = StateGraph(Values)

    def ask(_state: Values) -> Values:
        return {"value": len(interrupt("Well?"))}

    graph.add_node("ask", ask)
    graph.add_node("after", lambda _state: {"value": 1})
    graph.add_edge(START, "ask")
    graph.add_edge("ask", "after")
    graph.add_edge("after", END)
    return graph


def _config(length: int = 10) -> Any:
    thread = {"thread_id": str(uuid4())}
    return {"configurable": thread, "recursion_limit": length + 50, "max_concurrency": 50}


@contextmanager
def _compiled(graph: StateGraph[Any, Any], synchronous: str | None) -> Iterator[Any]:
    """Give the graph, compiled once, on `SqliteSaver` or without a checkpointer."""
    if synchronous is None:
        yield graph.compile()
        return
    database = empty()
    connection = sqlite3.connect(database.path, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA synchronous={synchronous}")
    saver = SqliteSaver(connection)
    saver.setup()
    try:
        yield graph.compile(checkpointer=saver)
    finally:
        connection.close()
        database.remove()


@contextmanager
def entry(graph: StateGraph[Any, Any], length: int, synchronous: str | None) -> Iterator[Run]:
    """Give what runs a graph once by `invoke`: quicker for one run than `ainvoke`."""
    more: dict[str, Any] = {} if synchronous is None else {"durability": "sync"}
    with _compiled(graph, synchronous) as compiled:

        def run() -> float:
            began = time.perf_counter()
            compiled.invoke({"value": 0}, _config(length), **more)
            return time.perf_counter() - began

        yield run


@contextmanager
def crowd(graph: StateGraph[Any, Any], synchronous: str, count: int) -> Iterator[Run]:
    """Give what runs so many at once on `AsyncSqliteSaver`."""
    database = empty()

    async def compile_on(connection: Any) -> Any:
        await connection.execute("PRAGMA journal_mode=WAL")
        await connection.execute(f"PRAGMA synchronous={synchronous}")
        saver = AsyncSqliteSaver(connection)
        await saver.setup()
        return graph.compile(checkpointer=saver)

    async def runs(compiled: Any) -> float:
        began = time.perf_counter()
        await asyncio.gather(
            *(compiled.ainvoke({"value": 0}, _config(), durability="sync") for _ in range(count))
        )
        return time.perf_counter() - began

    async def connect() -> Any:
        return await aiosqlite.connect(database.path)

    with asyncio.Runner() as loop:
        connection = loop.run(connect())
        compiled = loop.run(compile_on(connection))
        try:
            yield lambda: loop.run(runs(compiled))
        finally:
            loop.run(connection.close())
            database.remove()


@contextmanager
def resume(synchronous: str) -> Iterator[Run]:
    """Give what answers one question."""
    with _compiled(question(), synchronous) as compiled:

        def run() -> float:
            config = _config()
            compiled.invoke({"value": 0}, config, durability="sync")
            began = time.perf_counter()
            compiled.invoke(Command(resume="yes"), config, durability="sync")
            return time.perf_counter() - began

        yield run
