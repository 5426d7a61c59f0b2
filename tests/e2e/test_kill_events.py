"""`kill -9` between an event of the house, its delivery and the start: none lost, none started twice."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Client, QuickServer, Server, serving, wait_until
from tests.e2e.test_kill import add_graph, line, ready

pytestmark = pytest.mark.slow
RUNS = 8


def published(client: Client, name: str) -> str:
    wait = {"id": "wait", "type": "delay", "label": "wait", "config": {"duration_ms": 5}}
    graph = add_graph(client, line(name, wait))
    revision = client.get(f"/api/graphs/{graph}/")["revision"]
    client.post(f"/api/graphs/{graph}/publish/", {"revision": revision})
    return graph


def rows(server: Server, text: str) -> list[Any]:
    with closing(sqlite3.connect(server.database)) as connection:
        return connection.execute(text).fetchall()


def let_claims_lapse(server: Server) -> None:
    """Let the minute pass for which a dead process had what it was at."""
    with closing(sqlite3.connect(server.database)) as connection, connection:
        connection.execute("UPDATE builder_housetask SET available_at = 0 WHERE done_at IS NULL")
        connection.execute("UPDATE builder_delivery SET available_at = 0 WHERE state = 'received'")


def test_each_end_starts_one_run_whatever_is_killed(tmp_path: Path, sqlite_template: Path) -> None:
    with serving(tmp_path, QuickServer, sqlite_template) as server:
        client = ready(server)
        first, follows = published(client, "first"), published(client, "follows")
        wanted = {"kind": "event", "config": {"on": ["run.completed"], "workflow": first}}
        trigger = client.post(f"/api/graphs/{follows}/triggers/", wanted)["id"]

        def came() -> list[Any]:
            return rows(server, "SELECT cause, run, state FROM builder_delivery")

        def have_come(least: int) -> bool:
            return len(came()) >= least

        begun = [
            client.post(f"/api/graphs/{first}/runs/", {"input": {}})["id"] for _ in range(RUNS)
        ]
        server.kill()
        events = rows(server, "SELECT run FROM builder_houseevent WHERE kind = 'run.completed'")
        ended = rows(server, "SELECT id FROM builder_run WHERE status = 'completed'")
        assert sorted(events) == sorted(ended), "an end and the news of it are one commit"
        for least in (1, RUNS // 2):
            server.start()
            wait_until(partial(have_come, least), "deliveries", 60)
            server.kill()
            let_claims_lapse(server)
        server.start()

        def all_started() -> bool:
            found = came()
            return len(found) == RUNS and all(state == "started" for *_, state in found)

        # what was claimed and could not be done then is claimed again after a minute
        wait_until(all_started, "a run for each end", 150)
        found = came()
        assert sorted(cause for cause, *_ in found) == sorted(begun)
        started = client.get(f"/api/runs/?trigger={trigger}&limit=200")["results"]
        assert sorted(run["id"] for run in started) == sorted(run for _, run, _ in found)
