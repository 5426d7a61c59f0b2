"""More runs than may be under way, on the real server: they queue, outlive kills, and go on by themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.apart import Apart
from tests.e2e.server import Client, QuickServer, lines, serving, wait_until
from tests.e2e.test_kill import add_graph, line, ready, tool

pytestmark = pytest.mark.slow


def allow(client: Client, runs: int | None) -> None:
    client.ok("PATCH", "/api/workspace/", {"settings": {"runs_at_once": runs}})


def test_a_queue_survives_a_kill_and_empties_itself(tmp_path: Path, sqlite_template: Path) -> None:
    with serving(tmp_path, QuickServer, sqlite_template) as server:
        client = ready(server)
        graph = add_graph(client, line("orders", tool("ship")))
        allow(client, 1)
        slow = server.world / "slow"
        slow.touch()
        runs = [client.start_run(graph, {"input": {"order": name}}) for name in "ABCD"]
        wait_until(lambda: lines(server.world / "ship.sent"), "a shipment under way")
        queue = [(row["status"], row["queued_behind"]) for row in map(client.run, runs)]
        assert queue == [("running", None), ("queued", 0), ("queued", 1), ("queued", 2)]

        client.post(f"/api/runs/{runs[1]}/cancel/")
        assert client.wait_ended(runs[1])["status"] == "cancelled"
        server.kill()
        slow.unlink()
        server.start()

        ended = [client.wait_ended(run) for run in runs]
        assert [run["status"] for run in ended] == ["completed", "cancelled"] + ["completed"] * 2
        sent = [fact["order"] for fact in lines(server.world / "ship.done")]
        assert sent == ["A", "C", "D"]


@pytest.mark.postgres
def test_two_workers_together_do_no_more_than_is_allowed(tmp_path: Path, migrated_url: str) -> None:
    with serving(
        tmp_path, Apart, DATABASE_URL=migrated_url, GRAPHWRIGHT_TEST_SECONDS="0.2"
    ) as apart:
        assert isinstance(apart, Apart)
        client = ready(apart)
        graph = add_graph(client, line("orders", tool("ship")))
        allow(client, 2)
        for _ in range(2):
            apart.add_worker()
        runs = [client.start_run(graph, {"input": {"order": str(n)}}) for n in range(8)]

        for run in runs:
            assert client.wait_ended(run)["status"] == "completed"

        logs = [client.events(run) for run in runs]
        assert most_at_once(logs) == 2
        assert all(log[1]["type"] == "RunQueued" for log in logs)


def most_at_once(logs: list[list[dict[str, Any]]]) -> int:
    """Return how many runs were under way together at most; at the same moment, ends come first."""
    steps: list[tuple[str, int]] = []
    for log in logs:
        for event in log:
            change = {"RunAdmitted": 1, "RunCompleted": -1}.get(event["type"])
            if change is not None:
                steps.append((event["at"], change))
    most = now = 0
    for _at, change in sorted(steps):
        now += change
        most = max(most, now)
    return most
