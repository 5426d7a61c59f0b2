"""Two web processes on one database: what begins at one is watched, answered and cancelled at the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.apart import Apart
from tests.e2e.forked import Forked
from tests.e2e.server import Client, Tail, serving, wait_until
from tests.e2e.test_apart import REVIEW
from tests.e2e.test_kill import add_graph, assert_dense, line, ready, tool
from tests.services import free_port

pytestmark = [pytest.mark.slow, pytest.mark.postgres]


@contextmanager
def beside(first: Apart) -> Iterator[int]:
    """Run one more web process on the same database; give its port."""
    port = free_port()
    web = Forked(["web", "--port", str(port)], first.environ, first.log)
    try:
        yield port
    finally:
        web.kill()
        web.wait(20)


def test_what_begins_at_one_goes_on_at_the_other(tmp_path: Path, migrated_url: str) -> None:
    """I1: a page at the second process sees each event of a run of the first, once and in order."""
    with serving(tmp_path, Apart, DATABASE_URL=migrated_url) as apart:
        assert isinstance(apart, Apart)
        here = ready(apart)
        apart.add_worker()
        with beside(apart) as port:
            there = replace(here, port=port)
            wait_until(lambda: answers(there), "the second process's first answer")
            orders = add_graph(here, line("orders", tool("ship"), REVIEW, tool("pay")))

            run = here.start_run(orders, {"input": {"order": "A"}})
            page = Tail(run)
            with page.open(there) as stream:
                page.read(stream, lambda: named(page, "InterruptOpened"))
                there.answer(there.wait_for_interrupt(run, "approval"), "approved")
                page.read(stream, lambda: named(page, "RunCompleted"))
            assert_dense(page.events)
            assert here.run(run)["status"] == "completed"
            assert len(page.events) == len(here.events(run))

            other = here.start_run(orders, {"input": {"order": "B"}})
            page = Tail(other)
            here.wait_for_interrupt(other, "approval")
            with page.open(here) as stream:
                there.post(f"/api/runs/{other}/cancel/", {})
                page.read(stream, lambda: named(page, "RunCancelled"))
            assert there.wait_ended(other)["status"] == "cancelled"
            assert here.open_interrupts(other) == []


def answers(client: Client) -> bool:
    """Return whether a process answers its people."""
    try:
        return client.request("GET", "/api/session/")[0] == 200
    except OSError:
        return False


def named(page: Tail, kind: str) -> bool:
    """Return whether a page has seen an event of a kind."""
    return any(event["type"] == kind for event in page.events)
