"""A page that is open while the product is updated, and goes on to a page it had not fetched yet."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.app import App
from tests.e2e.conftest import Watch
from tests.e2e.editor import run_panel

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MEMORY = re.compile("/static/build/assets/MemoryPage-.*[.]js")


def test_a_page_whose_code_is_gone_is_opened_from_the_newer_version(
    app: App, signed_in: Page, watch: Watch
) -> None:
    page = signed_in
    page.goto("/workflows")
    expect(page.get_by_role("heading", level=1, name="Workflows")).to_be_visible()
    page.evaluate("window.isFormer = true")
    asked: list[str] = []

    def once_gone(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=404)
        else:
            route.continue_()

    page.route(MEMORY, once_gone)
    watch.expect("status of 404 .*MemoryPage-")
    page.get_by_role("navigation").get_by_role("link", name="Memory").first.click()

    expect(page.get_by_role("heading", level=1, name="Memory")).to_be_visible()
    assert page.evaluate("window.isFormer") is None
    assert len(asked) == 2
    expect(page.get_by_text("needs to be reloaded")).to_have_count(0)
    page.unroute(MEMORY)


def test_a_page_stays_where_the_server_cannot_be_reached(signed_in: Page, watch: Watch) -> None:
    page = signed_in
    page.goto("/workflows")
    expect(page.get_by_role("heading", level=1, name="Workflows")).to_be_visible()
    page.wait_for_load_state("networkidle")  # what the page loads by and by is there
    page.evaluate("window.isFormer = true")
    watch.expect("ERR_INTERNET_DISCONNECTED|MemoryPage|WebSocket")
    page.context.set_offline(True)
    page.get_by_role("navigation").get_by_role("link", name="Memory").first.click()

    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")
    assert page.evaluate("window.isFormer")
    page.context.set_offline(False)
    expect(page.get_by_role("heading", level=1, name="Memory")).to_be_visible()


def test_a_part_that_cannot_be_fetched_stays_away_alone(signed_in: Page, watch: Watch) -> None:
    page = signed_in
    watch.expect("ERR_FAILED.*(Herald|HeldElsewhere)-")
    page.route(re.compile("/assets/(Herald|HeldElsewhere)-.*[.]js"), lambda route: route.abort())
    page.goto("/workflows")
    again = page.get_by_role("button", name="Reload the page")
    expect(again).to_have_count(1)
    expect(page.get_by_role("heading", level=1, name="Workflows")).to_be_visible()
    page.get_by_role("navigation").get_by_role("link", name="Runs").first.click()
    expect(page.get_by_role("heading", level=1, name="Runs")).to_be_visible()


def test_what_is_opened_offline_comes_when_the_server_is_back(
    app: App, signed_in: Page, watch: Watch
) -> None:
    page = signed_in
    page.goto(f"/workflows/{app.api.graph('support-triage')['id']}")
    page.wait_for_load_state("networkidle")
    watch.expect("ERR_INTERNET_DISCONNECTED|WebSocket")
    page.context.set_offline(True)
    page.get_by_role("button", name="Test run", exact=True).click()

    away = page.get_by_role("alert").filter(has_text="The server cannot be reached")
    expect(away).to_be_visible()
    expect(page.get_by_role("application").first).to_be_visible()
    page.context.set_offline(False)
    expect(run_panel(page)).to_be_visible()
    expect(away).to_have_count(0)
    expect(page.get_by_role("button", name="Reload the page")).to_have_count(0)
