"""`kill -9` while decisions wait to be sent: none is lost, each counts once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.server import lines, serving, wait_until
from tests.e2e.test_kill import REVIEW, add_graph, line, ready, tool

pytestmark = pytest.mark.slow

BARE = {**REVIEW, "read_keys": [], "config": {"review_keys": ["*"]}}


def test_a_held_decision_outlives_the_process(tmp_path: Path, sqlite_template: Path) -> None:
    with serving(tmp_path, template=sqlite_template) as server:
        client = ready(server)
        graph = add_graph(client, line("orders", BARE, tool("pay")))
        runs = [client.start_run(graph, {"input": {"order": f"A{n}"}}) for n in range(3)]
        asked = [client.wait_for_interrupt(run_id, "approval") for run_id in runs]
        held = [client.answer(item, "approved", hold=True) for item in asked]
        back = client.post("/api/interrupts/withdraw/", {"ids": [asked[2]["request_id"]]})
        assert [one["held"]["state"] for one in held] == ["held"] * 3
        assert back["results"][0]["state"] == "withdrawn"
        server.kill()
        assert lines(server.world / "pay.sent") == []

        server.start()
        sent = server.world / "pay.sent"
        wait_until(lambda: len(lines(sent)) == 2, "two payments", 30)
        ended = [client.wait_ended(run_id) for run_id in runs[:2]]

        assert [run["status"] for run in ended] == ["completed"] * 2
        assert sorted(fact["order"] for fact in lines(sent)) == ["A0", "A1"]
        assert client.run(runs[2])["status"] == "waiting"
        entries = client.get("/api/audit/?action=interrupt")["results"]
        told = {one["action"] for one in entries}
        assert {"interrupt.decided", "interrupt.withdrawn"} <= told
        decided = [one for one in entries if one["action"] == "interrupt.decided"]
        assert all(one["detail"]["held_ms"] >= 7_000 for one in decided)
