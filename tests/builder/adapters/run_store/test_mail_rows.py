"""Mail in the outbox: written with the question, not taken for a signal between runs."""

from __future__ import annotations

from typing import Any

import pytest

from builder.adapters.run_store.database import DatabaseRunStore
from engine.core.graph.document import parse_document
from engine.core.state.requests import StartRun
from engine.local import LocalGraphs, make_local
from engine.runtime.system import NoFeed, SystemClock
from tests.builder.databases import (
    AWAY,
    Database,
)

ASK = {"kind": "text", "question": "Which way?"}
GRAPH, _ = parse_document(
    {
        "graphwright": 1,
        "id": "g",
        "edges": [{"source": "__start__", "target": "ask"}],
        "nodes": [{"id": "ask", "type": "question", "config": ASK}],
    }
)


async def outbox(look: Database, *, mail: bool) -> tuple[list[Any], list[Any]]:
    """Return the outbox's rows once a run has asked somebody, and the signals that the engine sees."""
    assert GRAPH is not None
    store = DatabaseRunStore(look.dialect, SystemClock(), LocalGraphs([GRAPH]), NoFeed(), mail=mail)
    await store.open()
    local = make_local([GRAPH], store=lambda *_parts: store)
    start = StartRun(run_id="r", graph_id="g", workspace_id=AWAY)
    await local.runner.start(start, local.graphs.program_of(GRAPH))
    await local.runner.settled("r")
    await local.runner.quiet()
    signals = await store.signals()
    await local.runner.close()
    store.close()
    [[asked]] = look.rows("SELECT request_id FROM builder_interrupt")
    rows = look.rows("SELECT topic, ref, payload FROM builder_outbox")
    return [(topic, ref == asked, payload) for topic, ref, payload in rows], signals


@pytest.mark.parametrize("mail", [True, False])
async def test_a_question_asks_for_a_mail_where_mail_is_on(database: Database, mail: bool) -> None:
    rows, signals = await outbox(database, mail=mail)

    assert rows == ([("mail", True, '{"why": "opened"}')] if mail else [])
    assert signals == []


async def test_the_engine_leaves_the_mail_of_others_in_the_outbox(database: Database) -> None:
    assert GRAPH is not None
    store = DatabaseRunStore(database.dialect, SystemClock(), LocalGraphs([GRAPH]), NoFeed())
    await store.open()
    row = "INSERT INTO builder_outbox (topic, ref, payload, available_at, tries) VALUES ('{}', 'a@b', '{}', 0, 0)"
    await store.writer.write([(row.format("account", "{}"), ())])
    local = make_local([GRAPH], store=lambda *_parts: store)
    await local.runner.start(
        StartRun(run_id="r", graph_id="g", workspace_id=AWAY), local.graphs.program_of(GRAPH)
    )
    await local.runner.settled("r")
    await local.runner.signals.deliver_all()
    await local.runner.close()
    store.close()
    rows = database.rows("SELECT topic, ref FROM builder_outbox")
    assert ("account", "a@b") in [tuple(row) for row in rows]
