"""A bad morning: 48 failures of two causes, 22 timers and a call in doubt, cleared in a few actions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.server import Client, Server, lines, serving, wait_until
from tests.e2e.test_account import fine
from tests.e2e.test_kill import add_graph, line, ready, tool

pytestmark = [pytest.mark.slow]
MOST_ACTIONS = 12
FAILED = 24
TIMERS = 22
PATIENCE_S = 120
"""How long a slow machine may take for many runs."""


def delay() -> dict[str, Any]:
    return {"id": "wait", "type": "delay", "label": "Wait", "config": {"duration_ms": 3_600_000}}


def fail_many(server: Server, client: Client) -> None:
    """Let 24 runs of each of two workflows fail, and mend what they failed of."""
    (server.world / "down").touch()
    graphs = [add_graph(client, line(name, tool("look_up"))) for name in ("sync", "refunds")]
    runs = [
        client.start_run(graph, {"input": {"order": f"K-{n}"}})
        for graph in graphs
        for n in range(FAILED)
    ]
    for run in runs:
        assert client.wait_ended(run, PATIENCE_S)["status"] == "failed"
    (server.world / "down").unlink()


@pytest.fixture
def morning(tmp_path: Path, sqlite_template: Path) -> Iterator[tuple[Server, Client]]:
    """A server that was killed in the middle of a payment, with much that failed since."""
    with serving(tmp_path, template=sqlite_template, GRAPHWRIGHT_TEST_SECONDS="60") as server:
        client = ready(server)
        paid = client.start_run(
            add_graph(client, line("pay-only", tool("pay"))), {"input": {"order": "A1"}}
        )
        wait_until(lambda: lines(server.world / "pay.sent"), "a payment", PATIENCE_S)
        server.kill()
        server.environ["GRAPHWRIGHT_TEST_SECONDS"] = "0"
        server.start()
        client.wait_for_interrupt(paid, "in_doubt", PATIENCE_S)
        waits = add_graph(client, line("waits", delay()))
        for n in range(TIMERS):
            client.start_run(waits, {"input": {"order": f"T-{n}"}})
        fail_many(server, client)
        yield server, client


class Hand:
    """Counts what a person does."""

    def __init__(self) -> None:
        self.actions = 0

    def click(self, what: Locator) -> None:
        self.actions += 1
        what.click()


def signed_in(browser: Browser, client: Client, server: Server) -> Page:
    """Open a page as the owner, who is signed in."""
    context = browser.new_context(base_url=client.origin, viewport={"width": 1280, "height": 720})
    for name, value in client.cookies.items():
        context.add_cookies([{"name": name, "value": value, "url": client.origin}])
    return context.new_page()


def told(dialog: Locator, sentence: str) -> None:
    """Wait until the dialog says what became of many runs."""
    expect(dialog.get_by_text(sentence)).to_be_visible(timeout=PATIENCE_S * 1000)


def alive(client: Client) -> int:
    """Return how many runs are not over."""
    counts = client.get("/api/overview/")["runs"]
    return int(counts["running"] + counts["waiting"])


def look_before_cancelling(page: Page, client: Client) -> None:
    """Ask to cancel the run whose payment is in doubt, read what that leaves open, and let it be."""
    item = client.get("/api/interrupts/?state=open")["results"][0]
    page.goto(f"/runs/{item['run']['id']}")
    page.get_by_role("button", name="Cancel", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Whether pay happened stays unknown")).to_be_visible()
    dialog.get_by_role("button", name="Keep running").click()


@pytest.mark.browser
def test_it_is_cleared_in_twelve_actions(morning: tuple[Server, Client], browser: Browser) -> None:
    server, client = morning
    page, hand = signed_in(browser, client, server), Hand()
    look_before_cancelling(page, client)
    page.goto("/dashboard")
    waits = page.get_by_role("region", name="Waiting for what")
    expect(waits.get_by_role("link", name=f"{TIMERS} runs wait for it")).to_be_visible()
    expect(page.get_by_text("seem to be stuck")).to_have_count(0)

    hand.click(waits.get_by_role("link", name=f"{TIMERS} runs wait for it"))
    expect(page.get_by_text(f"{TIMERS} in all")).to_be_visible()
    hand.click(page.get_by_label("Pick all rows shown"))
    hand.click(page.get_by_role("group", name="Picked runs").get_by_role("button", name="Cancel"))
    dialog = page.get_by_role("dialog")
    hand.click(dialog.get_by_role("button", name=f"Cancel {TIMERS} runs"))
    told(dialog, f"{TIMERS} runs cancelled.")
    hand.click(dialog.get_by_role("button", name="Done"))

    hand.click(page.get_by_text("Causes", exact=True))
    expect(page.get_by_role("list", name="Causes of failures").locator("> li")).to_have_count(2)
    hand.click(page.get_by_role("button", name=f"Retry all {2 * FAILED} runs"))
    hand.click(dialog.get_by_role("button", name=f"Retry {2 * FAILED} runs"))
    told(dialog, f"{2 * FAILED} runs tried again.")
    hand.click(dialog.get_by_role("button", name="Mark as resolved"))
    expect(page.get_by_role("heading", name="Nothing to look after")).to_be_visible()

    hand.click(page.get_by_role("link", name=re.compile("^Inbox")))
    happened = page.get_by_role("button", name=re.compile("^It happened"))
    expect(happened).to_be_visible()
    page.get_by_label("what it answered").fill("Paid as 4711")
    expect(page.get_by_text("The run goes on with this text.")).to_be_visible()
    fine(page, "doubt")
    page.wait_for_timeout(500)  # what was on screen for less decides nothing
    hand.click(happened)
    expect(page.get_by_text("Olga said that it happened")).to_be_visible()

    assert hand.actions <= MOST_ACTIONS, hand.actions
    wait_until(lambda: not alive(client), "nothing to run or wait any more", PATIENCE_S)
    [paid] = client.get("/api/runs/?slug=pay-only")["results"]
    assert client.run(paid["id"])["result"] == "Paid as 4711"
    page.context.close()


def test_a_server_killed_in_a_bulk_retry_makes_each_run_once(
    tmp_path: Path, sqlite_template: Path
) -> None:
    with serving(tmp_path, template=sqlite_template, GRAPHWRIGHT_TEST_SECONDS="60") as server:
        client = ready(server)
        fail_many(server, client)
        chosen = {"select": {"filter": {"status": "failed"}}, "action": "retry"}
        shown = client.post("/api/runs/bulk/preview/", chosen)
        assert shown["included"] == 2 * FAILED
        job = client.post("/api/runs/bulk/", {"preview": shown["id"]})["id"]

        def state() -> Any:
            return client.get(f"/api/runs/bulk/{job}/")

        wait_until(lambda: state()["done"], "the first runs tried again", PATIENCE_S)
        assert state()["pending"] > 0
        server.kill()
        server.environ["GRAPHWRIGHT_TEST_SECONDS"] = "0"
        server.start()

        wait_until(lambda: state()["status"] == "ended", "the job's end", PATIENCE_S)
        assert state()["done"] == 2 * FAILED
        made = client.get(f"/api/runs/?job={job}")
        assert made["total"] == 2 * FAILED
        causes = client.get("/api/causes/")["results"]
        assert [cause["retried"] for cause in causes] == [FAILED, FAILED]
