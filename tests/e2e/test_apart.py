"""Web and worker processes on one PostgreSQL: runs are owned by one worker, and outlive it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.e2e.apart import Apart
from tests.e2e.documents import agent
from tests.e2e.model import fake_model
from tests.e2e.server import Client, lines, serving, wait_until
from tests.e2e.test_asked_calls import plan
from tests.e2e.test_kill import add_graph, assert_dense, line, ready, tool

pytestmark = [pytest.mark.slow, pytest.mark.postgres]
PROVIDER = {
    "id": "fake",
    "models": ["fake-small"],
    "prices": {"fake-small": {"input_per_million": "1", "output_per_million": "2"}},
    "accept_address": True,
}
REFUNDER = {
    "id": "x",
    "model": "fake/fake-small",
    "tools": ["ship", "pay"],
    "ask": {"ship": {"when": "always", "editable": ["order"]}, "pay": {"when": "first"}},
}
REVIEW = {
    "id": "review",
    "type": "approval",
    "label": "review",
    "read_keys": ["ship_result"],
    "config": {"review_keys": ["ship_result"]},
}


def test_runs_outlive_the_workers_that_own_them(tmp_path: Path, migrated_url: str) -> None:
    """I1, I3, I5, I7: started and answered at a process that executes nothing.

    One worker is killed within calls and while people decide on those of an agent, the next one is
    told to end while a person is asked.
    """
    with (
        fake_model(
            tmp_path, 10, plan(("ship", {"order": "250"}), ("pay", {"order": "9"}))
        ) as model,
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
        refunds = add_graph(client, {**line("refunds", agent("buy", "x")), "agents": [REFUNDER]})
        orders = add_graph(client, line("orders", tool("ship"), REVIEW, tool("pay")))
        payment = add_graph(client, line("pay-only", tool("pay")))
        slow = apart.world / "slow"
        slow.touch()
        first = apart.add_worker()
        shipped = client.start_run(orders, {"input": {"order": "A"}})
        refund = client.start_run(refunds, {"input": "go"})
        paid = client.start_run(payment, {"input": {"order": "B"}})
        wait_until(lambda: lines(apart.world / "ship.sent"), "a shipment under way")
        wait_until(lambda: lines(apart.world / "pay.sent"), "a payment under way")
        client.wait_for_interrupt(refund, "approval")
        assert {apart.owner_of(run) for run in (shipped, paid, refund)} == {first}

        slow.unlink()
        second = apart.add_worker()
        apart.kill_worker(first)
        client.answer(client.wait_for_interrupt(shipped, "approval"), "approved")
        calls = client.get(f"/api/interrupts/?state=open&run={refund}")["results"]
        ship, pay = sorted(calls, key=lambda item: item["request"]["tool"], reverse=True)
        client.answer(pay, "rejected", comment="not today")
        client.answer(ship, "approved", edits={"order": "200"})
        doubt = client.wait_for_interrupt(paid, "in_doubt")
        client.answer(doubt, "happened", result={"paid": "by hand"})

        asked = client.start_run(orders, {"input": {"order": "C"}})
        approval = client.wait_for_interrupt(asked, "approval")
        assert apart.owner_of(asked) == second
        third = apart.add_worker()
        apart.drain_worker(second)
        client.answer(approval, "approved")

        for run in (shipped, paid, asked, refund):
            assert client.wait_ended(run)["status"] == "completed"
            assert_dense(client.events(run))
        assert apart.owner_of(asked) == third
        there = client.get("/api/workers/")["results"]
        assert {w["kind"] for w in there if w["alive"]} == {"web", "worker"}
        sent = [f["key"] for f in lines(apart.world / "ship.sent") if f["order"] == "A"]
        assert (len(sent), len(set(sent))) == (2, 1)
        assert orders_in(apart, "ship.done") == {"A": 1, "C": 1, "200": 1}
        assert orders_in(apart, "pay.sent") == {"A": 1, "B": 1, "C": 1}
        wait_until(lambda: decided(client) == 5, "each decision in the audit log")
        assert apart.stop() == 0
        assert "Traceback" not in apart.log.read_text()


def decided(client: Client) -> int:
    """Return how many decisions the audit log tells of."""
    return len(client.get("/api/audit/?action=interrupt")["results"])


def orders_in(apart: Apart, file: str) -> Counter[str]:
    """Return how often each order stands in a file of the outside world."""
    return Counter(fact["order"] for fact in lines(apart.world / file))
