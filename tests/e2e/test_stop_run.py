"""Stopping a test run from the keyboard: on its own page, and in the editor that it came from."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App
from tests.e2e.documents import agent, line, thinker
from tests.e2e.test_inbox import review, waiting

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def stop(page: Page, title: str) -> None:
    """Press the shortcut and say yes."""
    page.keyboard.press("Control+.")
    page.get_by_role("dialog", name=title).get_by_role("button", name="Cancel the run").click()


def test_the_shortcut_cancels_the_run_that_is_shown(app: App, signed_in: Page) -> None:
    run_id, _ = waiting(app, review("stopped-here"))
    signed_in.goto(f"/runs/{run_id}")
    expect(signed_in.get_by_role("button", name="Cancel", exact=True)).to_be_visible()
    stop(signed_in, "Cancel this run?")
    expect(signed_in.get_by_role("button", name="Cancel", exact=True)).to_have_count(0)
    assert app.api.wait(run_id, "cancelled")["status"] == "cancelled"


def test_the_page_of_a_run_says_which_one_it_is_beside_its_buttons(
    app: App, signed_in: Page
) -> None:
    graph = app.api.make(line("says-which", [{"id": "end", "type": "output", "config": {}}]))
    run_id = app.api.start(graph, {"order": "K-4711"}, draft=True)
    app.api.wait(run_id, "completed")
    signed_in.set_viewport_size({"width": 1280, "height": 720})
    signed_in.goto(f"/runs/{run_id}")

    head = signed_in.locator("header")
    expect(head.get_by_role("button", name="Run again")).to_be_visible()
    expect(head.get_by_title("K-4711")).to_be_visible()
    expect(head.get_by_role("heading", name="Says which")).to_be_visible()


def test_a_run_that_is_ending_is_not_offered_to_be_cancelled_again(
    app: App, signed_in: Page, slow_models: None
) -> None:
    document = line("ends-slowly", [agent("say", "ann")], agents=[thinker("ann", "slow")])
    run_id = app.api.start(app.api.make(document), "go", draft=True)
    signed_in.goto(f"/runs/{run_id}")
    expect(signed_in.get_by_role("button", name="Cancel", exact=True)).to_be_visible()
    stop(signed_in, "Cancel this run?")

    expect(signed_in.get_by_text("Ending", exact=True).first).to_be_visible()
    expect(signed_in.get_by_role("button", name="Cancel", exact=True)).to_have_count(0)
    assert app.api.run(run_id)["status"] == "ending"
    expect(signed_in.get_by_text("Cancelled by Ada Owner")).to_be_visible()


def test_the_editor_cancels_ones_own_test_run_of_its_workflow(app: App, signed_in: Page) -> None:
    other, _ = waiting(app, review("left-alone"))
    run_id, _ = waiting(app, review("stopped-there"))
    graph = app.api.run(run_id)["graph"]["id"]
    signed_in.goto(f"/workflows/{graph}")
    expect(signed_in.get_by_role("button", name="Test run")).to_be_visible()
    stop(signed_in, "Cancel your test run?")
    expect(signed_in.get_by_text("Test run cancelled")).to_be_visible()
    assert app.api.wait(run_id, "cancelled")["status"] == "cancelled"
    assert app.api.run(other)["status"] == "waiting"

    signed_in.keyboard.press("Control+.")
    expect(signed_in.get_by_text("Nothing to stop")).to_be_visible()
