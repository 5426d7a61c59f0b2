"""Items of the inbox as somebody finds them who has read nothing: told apart, and never blind."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App
from tests.e2e.documents import Document, line

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("empty_inbox")]


def blind(slug: str) -> Document:
    """Return a graph whose approval shows the memory, which is empty, and asks the same of every run."""
    config = {"prompt_message": "Approve this invoice?"}
    return line(slug, [{"id": "check", "type": "approval", "label": "Check", "config": config}])


def test_items_of_one_step_are_told_apart_by_what_their_runs_started_with(
    app: App, signed_in: Page
) -> None:
    """C92: what an approval does not show of the start stands beside it, where it decides nothing."""
    page = signed_in
    graph = app.api.make(blind("alike"))
    for number in (1700, 1701):
        run = app.api.start(graph, {"invoice": f"K-{number}", "note": "x" * 90}, draft=True)
        app.api.open_interrupt(run)
    page.goto("/inbox")
    rows = page.locator("[data-item]")
    expect(rows.filter(has_text="K-1700")).to_have_count(1)
    rows.filter(has_text="K-1701").click()
    pane = page.get_by_role("article")
    expect(pane.locator("header")).to_contain_text("K-1701")
    start = pane.get_by_role("group").filter(has_text="What the run started with")
    expect(start.get_by_role("definition").first).to_have_text("K-1701")
    fits = "(each) => each.scrollWidth <= each.parentElement.clientWidth || each.clientHeight < 20"
    assert rows.filter(has_text="K-1701").get_by_text(re.compile("^K-1701")).evaluate(fits)

    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("approve this")
    expect(page.get_by_text("waits in the inbox").filter(has_text="K-1700")).to_be_visible()
