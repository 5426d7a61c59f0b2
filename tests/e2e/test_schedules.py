"""A schedule as people set it: in words, its next times told, and due while the server was away."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from builder.base.clock import HOUR_MS, now_ms
from tests.e2e.server import QuickServer, serving
from tests.e2e.test_kill import add_graph, line, ready

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WAIT = {"id": "wait", "type": "delay", "label": "Wait", "config": {"duration_ms": 1}}


def let_pass(database: Path, hours: int) -> None:
    """Let a schedule have been due since, as if so many hours had gone by."""
    with closing(sqlite3.connect(database)) as connection, connection:
        due = now_ms() - hours * HOUR_MS
        connection.execute("UPDATE builder_trigger SET next_at = ?", (due,))


def test_what_was_due_while_the_server_was_away_starts_once(
    browser: Browser, tmp_path: Path, sqlite_template: Path
) -> None:
    with serving(tmp_path, QuickServer, sqlite_template) as server:
        client = ready(server)
        graph = add_graph(client, line("nightly", WAIT))
        revision = client.get(f"/api/graphs/{graph}/")["revision"]
        client.post(f"/api/graphs/{graph}/publish/", {"revision": revision})
        context = browser.new_context(base_url=client.origin, reduced_motion="reduce")
        context.add_cookies(
            [{"name": k, "value": v, "url": client.origin} for k, v in client.cookies.items()]
        )
        page = context.new_page()
        page.goto(f"/workflows/{graph}/triggers")
        page.get_by_role("button", name="Add a schedule").click()
        asked = page.get_by_role("dialog", name="New schedule")
        asked.get_by_label("Name").fill("Each hour")
        times = asked.get_by_role("list", name="The next times").get_by_role("listitem")
        expect(times).to_have_count(5)
        asked.get_by_role("combobox", name="How often").click()
        page.get_by_role("option", name="Another pattern").click()
        asked.get_by_label("Cron line").fill("0 0 30 2 *")
        expect(asked.get_by_text("this never comes: no such month has that day")).to_be_visible()
        asked.get_by_label("Cron line").fill("61 * * * *")
        expect(asked.get_by_text("minute: `61` is not one; it takes 0 to 59")).to_be_visible()
        # Half an hour away, or its own time comes while this test runs, beside what was missed.
        minute = (datetime.now(UTC) + timedelta(minutes=30)).minute
        asked.get_by_label("Cron line").fill(f"{minute} * * * *")
        expect(times).to_have_count(5)
        expect(times.first).to_contain_text(re.compile(rf":{minute:02d}\b"))
        asked.get_by_role("button", name="Add and switch on").click()
        card = page.get_by_role("list", name="Triggers").get_by_role("listitem").first
        expect(card.get_by_role("switch", name="Each hour is on")).to_be_checked()

        server.kill()
        let_pass(server.database, hours=3)
        server.start()
        page.reload()
        came = card.get_by_role("list", name="What came in at Each hour")
        expect(came.get_by_role("listitem")).to_have_count(1)
        came.get_by_role("link", name="Open the run").click()
        expect(page.get_by_role("link", name="Started by the schedule “Each hour”")).to_be_visible()
        [run] = client.get("/api/runs/")["results"]
        assert client.wait_ended(run["id"])["status"] == "completed"
        context.close()
