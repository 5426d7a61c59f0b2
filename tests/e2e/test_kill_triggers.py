"""`kill -9` between a delivery and its start, and a schedule that was due meanwhile: one run each."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server, lines, serving, wait_until
from tests.e2e.test_kill import add_graph, line, ready, tool

pytestmark = pytest.mark.slow


def left_behind(server: Server, webhook: str, schedule: str, due: datetime) -> None:
    """Write what a process leaves that is killed after it took a delivery in; the clock goes on."""
    at = int(due.timestamp() * 1000)
    row = ("d" * 36, "id:evt_1", "received", '{"order": "A1"}', at, at, webhook)
    with closing(sqlite3.connect(server.database)) as connection, connection:
        connection.execute(
            "INSERT INTO builder_delivery (id, key, state, code, reason, sample, input, body_hash, "
            "at, repeats, differed, available_at, tries, door_id) "
            "VALUES (?, ?, ?, '', '', 'null', ?, '', ?, 0, 0, ?, 0, ?)",
            row,
        )
        changed = "UPDATE builder_trigger SET next_at = ? WHERE id = ?"
        connection.execute(changed, (at, schedule))


def test_what_was_left_behind_starts_once(tmp_path: Path, sqlite_template: Path) -> None:
    due = (datetime.now(UTC) - timedelta(minutes=30)).replace(second=0, microsecond=0)
    with serving(tmp_path, template=sqlite_template) as server:
        client = ready(server)
        graph = add_graph(client, line("orders", tool("pay")))
        revision = client.get(f"/api/graphs/{graph}/")["revision"]
        client.post(f"/api/graphs/{graph}/publish/", {"revision": revision})
        place = f"/api/graphs/{graph}/triggers/"
        github = {"kind": "webhook", "config": {"signature": "github"}}
        daily = {"cron": f"{due.minute} {due.hour} * * *", "zone": "UTC"}
        schedule = {"kind": "schedule", "config": daily, "mapping": {"order": "'S1'"}}
        ids = [client.post(place, wanted)["id"] for wanted in (github, schedule)]
        server.kill()
        left_behind(server, ids[0], ids[1], due)

        def started() -> bool:
            return all(len(runs_of(one)) == 1 and all(runs_of(one)) for one in ids)

        def runs_of(trigger: str) -> list[Any]:
            return [
                row["run"] for row in client.get(f"/api/triggers/{trigger}/deliveries/")["results"]
            ]

        server.start()
        wait_until(started, "two runs", 60)
        for trigger in ids:
            client.wait_ended(runs_of(trigger)[0])
        server.kill()
        server.start()
        wait_until(started, "the same two runs", 60)

        assert sorted(fact["order"] for fact in lines(server.world / "pay.sent")) == ["A1", "S1"]
        runs = client.get("/api/runs/")["results"]
        assert sorted(str(run["source"]) for run in runs) == ["schedule", "webhook"]
