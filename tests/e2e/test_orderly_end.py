"""A process that is told to end leaves nothing in doubt: what it sent is answered before it goes."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import pytest

from tests.e2e.apart import Apart
from tests.e2e.server import Server, lines, serving, wait_until
from tests.e2e.test_apart import REVIEW, orders_in
from tests.e2e.test_kill import add_graph, assert_dense, line, ready, tool

pytestmark = pytest.mark.slow
GIVEN = {"input": {"order": "A"}}
CALL_S = 3
"""How long each call takes: longer than a process takes that waits for nothing."""


def test_a_payment_under_way_is_not_in_doubt_after_an_orderly_end(tmp_path: Path) -> None:
    """I3: the server is told to end while it pays, and the next one goes on from what came of it."""
    with serving(
        tmp_path, Server, GRAPHWRIGHT_TEST_SECONDS=str(CALL_S), DRAIN_SECONDS="30"
    ) as server:
        client = ready(server)
        run = client.start_run(
            add_graph(client, line("pay-and-ship", tool("pay"), tool("ship"))), GIVEN
        )
        wait_until(lambda: lines(server.world / "pay.sent"), "a payment under way")

        assert server.stop() == 0

        assert not lines(server.world / "ship.sent")
        server.start()
        assert client.wait_ended(run)["status"] == "completed"
        assert_dense(client.events(run))
        assert not client.get(f"/api/interrupts/?run={run}")["results"]
        assert (len(lines(server.world / "pay.sent")), len(lines(server.world / "ship.sent"))) == (
            1,
            1,
        )


def test_a_second_signal_ends_at_once(tmp_path: Path) -> None:
    with serving(tmp_path, Server, GRAPHWRIGHT_TEST_SECONDS="60", DRAIN_SECONDS="50") as server:
        client = ready(server)
        run = client.start_run(add_graph(client, line("pay-only", tool("pay"))), GIVEN)
        wait_until(lambda: lines(server.world / "pay.sent"), "a payment under way")
        assert server.process is not None
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: "a second signal" in server.log.read_text(), "that it waits is said")

        assert server.stop() == 0

        server.environ["GRAPHWRIGHT_TEST_SECONDS"] = "0"
        server.start()
        client.wait_for_interrupt(run, "in_doubt")


@pytest.mark.postgres
def test_a_worker_hands_on_what_waits_and_sees_through_what_it_sent(
    tmp_path: Path, migrated_url: str
) -> None:
    """I1, I3: while its payment is under way, another worker has all its other runs already."""
    with serving(
        tmp_path,
        Apart,
        DATABASE_URL=migrated_url,
        GRAPHWRIGHT_TEST_SECONDS=str(CALL_S),
        DRAIN_SECONDS="30",
    ) as apart:
        assert isinstance(apart, Apart)
        client = ready(apart)
        review = {**REVIEW, "read_keys": ["input"], "config": {"review_keys": ["input.order"]}}
        asked = client.start_run(add_graph(client, line("asked", review)), GIVEN)
        first = apart.add_worker()
        approval = client.wait_for_interrupt(asked, "approval")
        paid = client.start_run(add_graph(client, line("paid", tool("pay"), tool("ship"))), GIVEN)
        wait_until(lambda: lines(apart.world / "pay.sent"), "a payment under way")
        assert {apart.owner_of(run) for run in (asked, paid)} == {first}
        second = apart.add_worker()

        ending = threading.Thread(target=apart.drain_worker, args=[first])
        ending.start()
        wait_until(lambda: apart.owner_of(asked) != first, "that what waits is left to others")
        client.answer(approval, "approved")
        assert client.wait_ended(asked)["status"] == "completed"
        assert apart.owner_of(asked) == second
        ending.join()

        assert client.wait_ended(paid)["status"] == "completed"
        assert apart.owner_of(paid) == second
        assert_dense(client.events(paid))
        assert sum(orders_in(apart, "pay.sent").values()) == 1
        assert sum(orders_in(apart, "ship.done").values()) == 1
        assert "Traceback" not in apart.log.read_text()
