"""A run that is watched, left, and watched again: the page is the log, whoever looks and when."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.app import App
from tests.e2e.documents import agent, line, thinker

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WORDS = {
    "NodeQueued": "Queued",
    "NodeStarted": "Running",
    "NodeCompleted": "Completed",
    "NodeCancelled": "Cancelled",
}


def card(page: Page, node: str) -> Locator:
    """Return the card of a node on the canvas."""
    return page.locator(f'.react-flow__node[data-id="{node}"] [aria-label]').first


def statuses_of_log(app: App, run_id: str) -> dict[str, str]:
    """Return each node's status word as the log alone gives it."""
    folded: dict[str, str] = {}
    for event in app.api.events(run_id):
        if event["type"] in WORDS:
            folded[event["node"]] = WORDS[event["type"]]
    return folded


def numbers_on_page(page: Page) -> list[str]:
    """Return the sequence numbers in the list of events."""
    page.get_by_role("tab", name="Events").click()
    rows = page.get_by_role("list", name="Events").get_by_role("button")
    expect(rows.first).to_be_visible()
    return [str(text).split("+")[0] for text in rows.all_text_contents()]


def same_as_the_log(app: App, page: Page, run_id: str) -> None:
    """The cards and the list of events are those of the log."""
    for node, word in statuses_of_log(app, run_id).items():
        expect(card(page, node)).to_have_attribute("aria-label", re.compile(f", {word}"))
    expected = [str(event["seq"]) for event in app.api.events(run_id)]
    rows = page.get_by_role("list", name="Events").get_by_role("button")
    page.get_by_role("tab", name="Events").click()
    expect(rows).to_have_count(len(expected))
    assert numbers_on_page(page) == expected


def test_a_reload_in_the_middle_shows_the_same_run_and_cancel_ends_it(
    app: App, slow_models: None, signed_in: Page
) -> None:
    page = signed_in
    graph = app.api.make(
        line(
            "slow-thought",
            [agent("first", "quick"), agent("second", "slow"), agent("third", "quick")],
            agents=[thinker("quick", "brisk"), thinker("slow", "slow")],
        )
    )
    run_id = app.api.start(graph, "What now?", draft=True)

    page.goto(f"/runs/{run_id}")
    expect(card(page, "second")).to_have_attribute("aria-label", re.compile("Running"))
    expect(card(page, "second")).to_contain_text("step by step")
    same_as_the_log(app, page, run_id)

    page.reload()
    expect(card(page, "second")).to_have_attribute("aria-label", re.compile("Running"))
    expect(card(page, "second")).to_contain_text("written down")
    same_as_the_log(app, page, run_id)

    page.get_by_role("button", name="Cancel", exact=True).click()
    page.get_by_role("button", name="Cancel the run").click()
    expect(page.get_by_role("alert").filter(has_text="Cancelled by")).to_be_visible()
    app.api.wait(run_id, "cancelled")
    same_as_the_log(app, page, run_id)
    expect(card(page, "second")).to_have_attribute("aria-label", re.compile("Cancelled"))
    expect(card(page, "third")).not_to_have_attribute("aria-label", re.compile("Running|Queued"))

    page.reload()
    expect(page.get_by_role("alert").filter(has_text="Cancelled by")).to_be_visible()
    same_as_the_log(app, page, run_id)
