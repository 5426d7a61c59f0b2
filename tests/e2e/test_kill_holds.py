"""`kill -9` while decisions wait to be sent, and before a cancel is heard: none is lost, each counts once."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from engine.runtime.mailbox import wishes
from tests.e2e.server import Server, lines, serving, wait_until
from tests.e2e.test_kill import REVIEW, add_graph, line, ready, tool

pytestmark = pytest.mark.slow

BARE = {**REVIEW, "read_keys": [], "config": {"review_keys": ["*"]}}


def ask_unheard(server: Server, run_id: str, reason: str) -> None:
    """Commit a cancel as a process does that is killed before the engine hears of it."""
    wish = wishes.cancel("somebody", reason)
    row = (run_id, wish.kind, json.dumps(wish.payload), wish.by, time.time_ns() // 1_000_000)
    with closing(sqlite3.connect(server.database)) as connection, connection:
        connection.execute(
            'INSERT INTO builder_request (run, kind, payload, "by", created) VALUES (?, ?, ?, ?, ?)',
            row,
        )


def test_a_held_decision_outlives_the_process(tmp_path: Path, sqlite_template: Path) -> None:
    with serving(tmp_path, template=sqlite_template) as server:
        client = ready(server)
        graph = add_graph(client, line("orders", BARE, tool("pay")))
        runs = [client.start_run(graph, {"input": {"order": f"A{n}"}}) for n in range(3)]
        unheard = client.start_run(graph, {"input": {"order": "A3"}})
        asked = [client.wait_for_interrupt(run_id, "approval") for run_id in runs]
        held = [client.answer(item, "approved", hold=True) for item in asked]
        back = client.post("/api/interrupts/withdraw/", {"ids": [asked[2]["request_id"]]})
        assert [one["held"]["state"] for one in held] == ["held"] * 3
        assert back["results"][0]["state"] == "withdrawn"
        server.kill()
        assert lines(server.world / "pay.sent") == []
        ask_unheard(server, unheard, "enough")

        server.start()
        sent = server.world / "pay.sent"
        wait_until(lambda: len(lines(sent)) == 2, "two payments", 30)
        ended = [client.wait_ended(run_id) for run_id in runs[:2]]

        assert [run["status"] for run in ended] == ["completed"] * 2
        assert sorted(fact["order"] for fact in lines(sent)) == ["A0", "A1"]
        assert client.run(runs[2])["status"] == "waiting"
        assert client.wait_ended(unheard)["status"] == "cancelled"
        entries = client.get("/api/audit/?action=interrupt")["results"]
        told = {one["action"] for one in entries}
        assert {"interrupt.decided", "interrupt.withdrawn"} <= told
        decided = [one for one in entries if one["action"] == "interrupt.decided"]
        assert all(one["detail"]["held_ms"] >= 7_000 for one in decided)
