"""Circuit breakers as rows: a process that starts finds what the one before it learned (row C28)."""

from __future__ import annotations

from typing import Any

from builder.adapters.run_store.database import DatabaseRunStore
from engine.core.graph.document import parse_document
from engine.core.state.requests import StartRun
from engine.local import Local, LocalGraphs, make_local
from engine.runtime.system import NoFeed, SystemClock
from engine.scripted.script import Script
from tests.builder.databases import (
    AWAY,
    Database,
)

BREAKER = {"enabled": True, "failure_threshold": 3, "timeout_ms": 1000}
GRAPH, _ = parse_document(
    {
        "graphwright": 1,
        "id": "g",
        "edges": [{"source": "__start__", "target": "a"}],
        "nodes": [
            {
                "id": "a",
                "type": "function",
                "config": {"handler": "h"},
                "failure_policy": {"max_retries": 0, "circuit_breaker": BREAKER},
            }
        ],
    }
)
FAILING = Script.parse({"functions": {"h": {"error": {"message": "no"}}}})


async def process(look: Database) -> tuple[Local, DatabaseRunStore]:
    """Return a fresh process over the database."""
    assert GRAPH is not None
    store = DatabaseRunStore(look.dialect, SystemClock(), LocalGraphs([GRAPH]), NoFeed())
    await store.open()
    return make_local([GRAPH], script=FAILING, store=lambda *_parts: store), store


async def code(local: Local, run_id: str) -> str:
    assert GRAPH is not None
    start = StartRun(run_id=run_id, graph_id="g", workspace_id=AWAY)
    await local.runner.start(start, local.graphs.program_of(GRAPH))
    state = await local.runner.settled(run_id)
    await local.runner.quiet()
    assert state.error is not None
    return str(state.error["code"])


def rows(look: Database) -> list[Any]:
    return look.rows("SELECT node, target, state, failures, workspace_id FROM builder_breaker")


async def test_counts_and_openings_outlive_the_process(database: Database) -> None:
    """C28."""
    local, store = await process(database)
    assert [await code(local, f"r{n}") for n in (1, 2)] == ["HandlerFailed"] * 2
    assert rows(database) == [("g/a", "h", "closed", 2, AWAY)]
    await local.runner.close()
    store.close()

    local, store = await process(database)
    assert [await code(local, f"r{n}") for n in (3, 4)] == ["HandlerFailed", "CircuitOpen"]
    assert rows(database) == [("g/a", "h", "open", 3, AWAY)]
    [breaker] = store.breakers.all()
    assert (breaker.graph_id, breaker.node, breaker.target) == ("g", "a", "h")
    await local.runner.reset_breaker(breaker.id)
    assert rows(database) == [("g/a", "h", "closed", 0, AWAY)]
    assert await code(local, "r5") == "HandlerFailed"
    await local.runner.close()
    store.close()
