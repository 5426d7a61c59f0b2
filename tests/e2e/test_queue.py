"""More runs than may be under way, on the real server: they queue, outlive kills, and go on by themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.apart import Apart
from tests.e2e.documents import agent
from tests.e2e.model import REPLY_TOKENS, fake_model
from tests.e2e.server import Client, QuickServer, lines, serving, wait_until
from tests.e2e.test_apart import PROVIDER
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


def test_calls_of_a_model_stand_in_line_also_through_a_kill(
    tmp_path: Path, sqlite_template: Path
) -> None:
    with (
        fake_model(tmp_path, 1_500) as model,
        serving(tmp_path, QuickServer, sqlite_template) as server,
    ):
        client = ready(server, model)
        teller = {"id": "teller", "model": "fake/fake-small", "max_output_tokens": 20}
        graph = add_graph(client, {**line("tells", agent("tell", "teller")), "agents": [teller]})
        client.ok("PATCH", "/api/workspace/", {"settings": {"calls_at_once": {"fake": 1}}})
        runs = [client.start_run(graph, {"input": name}) for name in "ABC"]

        def in_line() -> list[list[str]]:
            return sorted(client.run(run)["waiting_for"] for run in runs)

        shown = "a call of fake/fake-small: "
        wanted = [[], [f"{shown}1 before it"], [f"{shown}next in line"]]
        wait_until(lambda: in_line() == wanted, "one call under way and two in line")
        held = [client.run(run)["spend"]["held_tokens"] > 0 for run in runs]
        assert sorted(held) == [False, False, True], "who waits holds no money"
        wait_until(lambda: model.charged, "the call at the provider")
        assert len(model.charged) == 1
        server.kill()
        server.start()

        for run in runs:
            assert client.wait_ended(run)["status"] == "completed"
        under_way: set[int] = set()
        for fact in lines(model.record)[1:]:
            assert fact["event"] == "answered" or not under_way, "one call at once"
            under_way ^= {fact["number"]} - {1}


@pytest.mark.postgres
def test_a_provider_that_asks_one_worker_for_a_pause_is_left_alone_by_the_other(
    tmp_path: Path, migrated_url: str
) -> None:
    # Longer than any machine takes to start twelve runs: the test itself ends the pause.
    busy = {"error": {"status": 429, "message": "slow down", "retry_after": 300}}
    with (
        fake_model(tmp_path, 0, [busy, {"text": "Fine.", "usage": REPLY_TOKENS}]) as model,
        serving(
            tmp_path,
            Apart,
            DATABASE_URL=migrated_url,
            EGRESS_ALLOW=model.base_url.removesuffix("/v1"),
        ) as apart,
    ):
        assert isinstance(apart, Apart)
        client = ready(apart)
        client.post("/api/models/providers/", {**PROVIDER, "base_url": model.base_url})
        for _ in range(2):
            apart.add_worker()
        teller = {"id": "teller", "model": "fake/fake-small", "max_output_tokens": 20}
        graph = add_graph(client, {**line("tells", agent("tell", "teller")), "agents": [teller]})
        first = client.start_run(graph, {"input": "first"})
        wait_until(lambda: "AttemptFailed" in types_of(client, first), "the answer 429")
        others = [client.start_run(graph, {"input": str(n)}) for n in range(12)]

        shown = "a call of fake/fake-small: fake asked for a pause, "
        wait_until(
            lambda: all(
                str(client.run(run)["waiting_for"])[2:].startswith(shown) for run in others
            ),
            "all others in front of the pause",
            seconds=120,
        )
        assert model.charged == [], "none of them called in the pause"
        apart.write("DELETE FROM builder_providerpause")
        for run in others:
            assert client.wait_ended(run)["status"] == "completed"
            assert "AttemptFailed" not in types_of(client, run)
        # The call that was answered so waits by a timer of its own.
        assert types_of(client, first).count("AttemptFailed") == 1
        client.post(f"/api/runs/{first}/cancel/")
        assert client.wait_ended(first)["status"] == "cancelled"


def types_of(client: Client, run: str) -> list[str]:
    return [event["type"] for event in client.events(run)]


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
