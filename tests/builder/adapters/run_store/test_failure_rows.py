"""Failures are counted by cause in the commit of a run's end, on both databases."""

from __future__ import annotations

import itertools
from typing import Any

from builder.adapters.run_store.database import DatabaseRunStore
from engine.core.graph.document import parse_document
from engine.core.state.requests import ForkRun, StartRun
from engine.local import Local, LocalGraphs, make_local
from engine.runtime.system import NoFeed, SystemClock
from tests.builder.databases import AWAY, HOME, Database

GRAPH, _ = parse_document(
    {
        "graphwright": 1,
        "id": "refund-desk",
        "edges": [{"source": "__start__", "target": "say"}],
        "nodes": [
            {
                "id": "say",
                "type": "output",
                "read_keys": ["input"],
                "config": {"value": "1 / input.amount"},
            }
        ],
    }
)
_ids = itertools.count()


async def opened(database: Database) -> tuple[DatabaseRunStore, Local]:
    assert GRAPH is not None
    store = DatabaseRunStore(
        database.dialect, SystemClock(), LocalGraphs([GRAPH]), NoFeed(), home=HOME
    )
    await store.open()
    return store, make_local([GRAPH], store=lambda *_parts: store)


async def go(local: Local, amount: int, workspace: str | None = AWAY) -> str:
    assert GRAPH is not None
    run_id = f"r{next(_ids)}"
    start = StartRun(
        run_id=run_id, graph_id="refund-desk", workspace_id=workspace, input={"amount": amount}
    )
    await local.runner.start(start, local.graphs.program_of(GRAPH))
    await local.runner.settled(run_id)
    return run_id


def causes(database: Database) -> list[Any]:
    return database.rows(
        "SELECT id, workspace_id, graph_slug, node, count, state, reopened_by "
        "FROM builder_failurecause ORDER BY workspace_id"
    )


async def test_failures_alike_are_one_cause_and_good_runs_none(database: Database) -> None:
    store, local = await opened(database)
    await go(local, 1)
    await go(local, 0)
    await go(local, 0)
    await go(local, 0, workspace=None)
    await local.runner.close()
    store.close()

    [away, home] = causes(database)
    assert away[1:6] == (AWAY, "refund-desk", "say", 2, "open")
    assert home[1:6] == (HOME, "refund-desk", "say", 1, "open")
    failures = database.rows(
        "SELECT r.status, f.cause_id FROM builder_runfailure f "
        "JOIN builder_run r ON r.number = f.number ORDER BY f.number"
    )
    assert failures == [("failed", away[0]), ("failed", away[0]), ("failed", home[0])]


async def test_only_a_run_that_started_later_opens_what_was_resolved(database: Database) -> None:
    store, local = await opened(database)
    await go(local, 0)
    change = "UPDATE builder_failurecause SET state = 'resolved', resolved_at = ?"

    database.change(change, (2**52,))
    await go(local, 0)
    assert causes(database)[0][4:] == (2, "resolved", None)

    database.change(change, (1,))
    late = await go(local, 0)
    await local.runner.close()
    store.close()
    assert causes(database)[0][4:] == (3, "open", late)


async def test_a_retry_is_noted_with_the_run_that_failed(database: Database) -> None:
    store, local = await opened(database)
    failed = await go(local, 0)

    again = await local.runner.retry(failed, "u", key="bulk:1:2")
    await local.runner.settled(again)
    same = await local.runner.retry(failed, "u", key="bulk:1:2")
    await local.runner.close()
    store.close()

    assert same == again
    noted = database.rows("SELECT retried_by FROM builder_runfailure ORDER BY number")
    assert noted == [(again,), (None,)]


async def test_what_began_a_retry_and_a_fork_is_noted(database: Database) -> None:
    store, local = await opened(database)
    failed = await go(local, 0)

    again = await local.runner.forks.retry(failed, "u", source="person")
    await local.runner.settled(again)
    request = ForkRun("forked", 1, "u", resend=True, source="api")
    await local.runner.settled(await local.runner.forks.fork(failed, request))
    await local.runner.close()
    store.close()

    noted = database.rows("SELECT id, source FROM builder_run WHERE source IS NOT NULL")
    assert sorted(noted) == sorted([(again, "person"), ("forked", "api")])
