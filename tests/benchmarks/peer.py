"""The same workloads on LangGraph with its SQLite savers. Import it only where it is installed."""

from __future__ import annotations

import asyncio
import operator
import sqlite3
import time
from typing import Annotated, Any, TypedDict
from uuid import uuid4

import aiosqlite
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send, interrupt

from tests.benchmarks.database import Database
from tests.benchmarks.nodes import KILOBYTE


class State(TypedDict, total=False):
    """The state of every graph here."""

    value: int
    blob: str
    log: Annotated[list[str], operator.add]
    done: Annotated[list[int], operator.add]
    item: int


def chain(length: int, *, growing: bool = False, wait_ms: int = 0) -> StateGraph[Any, Any]:
    """Return nodes in a row; growing ones append 1 KB, slow ones wait."""
    graph: StateGraph[Any, Any] = StateGraph(State)

    def node(_state: State) -> State:
        return {"value": 1, "log": [KILOBYTE]} if growing else {"value": 1}

    async def slow(_state: State) -> State:
        await asyncio.sleep(wait_ms / 1000)
        return {"value": 1}

    for index in range(length):
        graph.add_node(f"n{index}", slow if wait_ms else node)
        graph.add_edge(f"n{index - 1}" if index else START, f"n{index}")
    graph.add_edge(f"n{length - 1}", END)
    return graph


def fan(width: int) -> StateGraph[Any, Any]:
    """Return a node that sends `width` workers."""
    graph: StateGraph[Any, Any] = StateGraph(State)
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
    graph: StateGraph[Any, Any] = StateGraph(State)

    def ask(_state: State) -> State:
        return {"value": len(interrupt("Well?"))}

    graph.add_node("ask", ask)
    graph.add_node("after", lambda _state: {"value": 1})
    graph.add_edge(START, "ask")
    graph.add_edge("ask", "after")
    graph.add_edge("after", END)
    return graph


def _connect(database: Database, synchronous: str) -> sqlite3.Connection:
    connection = sqlite3.connect(database.path, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA synchronous={synchronous}")
    return connection


def _config(length: int = 10) -> Any:
    thread = {"thread_id": str(uuid4())}
    return {"configurable": thread, "recursion_limit": length + 50, "max_concurrency": 50}


async def in_memory(graph: StateGraph[Any, Any], length: int) -> float:
    """Return the seconds of one run without a checkpointer."""
    compiled = graph.compile()
    return await _one(compiled, length)


async def _one(compiled: Any, length: int) -> float:
    began = time.perf_counter()
    await compiled.ainvoke({"value": 0}, _config(length))
    return time.perf_counter() - began


def durable(
    graph: StateGraph[Any, Any], database: Database, length: int, synchronous: str,
    *, repeats: int = 1, blob: str = "",
) -> list[float]:  # fmt: skip
    """Return the seconds of runs on `SqliteSaver`, durable after each node."""
    connection = _connect(database, synchronous)
    saver = SqliteSaver(connection)
    saver.setup()
    compiled = graph.compile(checkpointer=saver)
    took = []
    for _ in range(repeats):
        began = time.perf_counter()
        compiled.invoke({"value": 0, "blob": blob}, _config(length), durability="sync")
        took.append(time.perf_counter() - began)
    connection.close()
    return took


async def crowd(
    graph: StateGraph[Any, Any], database: Database, runs: int, synchronous: str
) -> float:
    """Return the seconds of `runs` runs at once on `AsyncSqliteSaver`."""
    async with aiosqlite.connect(database.path) as connection:
        await connection.execute("PRAGMA journal_mode=WAL")
        await connection.execute(f"PRAGMA synchronous={synchronous}")
        saver = AsyncSqliteSaver(connection)
        await saver.setup()
        compiled = graph.compile(checkpointer=saver)
        began = time.perf_counter()
        await asyncio.gather(
            *(compiled.ainvoke({"value": 0}, _config(), durability="sync") for _ in range(runs))
        )
        return time.perf_counter() - began


def resume(database: Database, synchronous: str, repeats: int) -> list[float]:
    """Return the seconds from an answer to the end of the run."""
    connection = _connect(database, synchronous)
    saver = SqliteSaver(connection)
    saver.setup()
    compiled = question().compile(checkpointer=saver)
    took = []
    for _ in range(repeats):
        config = _config()
        compiled.invoke({"value": 0}, config, durability="sync")
        began = time.perf_counter()
        compiled.invoke(Command(resume="yes"), config, durability="sync")
        took.append(time.perf_counter() - began)
    connection.close()
    return took
