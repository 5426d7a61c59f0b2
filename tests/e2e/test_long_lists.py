"""Lists that are longer than a page, what is found in them, and how often mail comes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.app import App
from tests.e2e.conftest import Watch, owner_state
from tests.e2e.test_inbox import review

pytestmark = [pytest.mark.slow, pytest.mark.browser]
MANY = 60


@pytest.fixture(scope="module")
def long(app: App, browser: Browser) -> str:
    """A workflow with more items and runs than a page has; returns its id."""
    owner_state(browser, app, Watch())
    graph = app.api.make(review("long-list"))
    revision = app.api.get(f"graphs/{graph}/")["revision"]
    app.api.post(f"graphs/{graph}/publish/", {"revision": revision})
    runs = [app.api.start(graph, f"Customer K-{4_000 + n}") for n in range(MANY)]
    app.api.open_interrupt(runs[-1])
    return graph


def test_the_inbox_counts_all_and_goes_on_past_a_page(app: App, signed_in: Page, long: str) -> None:
    page = signed_in
    page.goto(f"/inbox?graph={long}")

    expect(page.get_by_role("heading", name="Inbox")).to_contain_text(str(MANY))
    expect(page.get_by_text(f"50 of {MANY}")).to_be_visible()
    badge = page.get_by_role("link", name=re.compile(r"^Inbox, \d+ open$"))
    count = int(re.findall(r"\d+", badge.get_attribute("aria-label") or "")[0])
    assert count >= MANY
    last = page.locator("[data-item]").nth(49)
    last.click()
    expect(last).to_have_attribute("aria-current", "true")
    page.keyboard.press("j")

    expect(page.locator("[data-item]")).to_have_count(MANY)
    current = page.locator('[data-item][aria-current="true"]')
    expected = page.locator("[data-item]").nth(50).get_attribute("data-item")
    expect(current).to_have_attribute("data-item", expected or "")
    expect(page.get_by_text(f"{MANY} in all")).to_be_visible()


def test_a_run_is_found_by_its_input_and_ordered_by_a_column(
    app: App, signed_in: Page, long: str
) -> None:
    page = signed_in
    page.goto(f"/runs?graph={long}")
    expect(page.get_by_text(f"50 of {MANY}")).to_be_visible()
    page.get_by_role("button", name="Show earlier runs").click()
    expect(page.get_by_role("table", name="Runs").get_by_role("row")).to_have_count(MANY + 1)

    page.get_by_label("Search runs").fill("k-4017")
    expect(page.get_by_role("table", name="Runs").get_by_role("row")).to_have_count(2)
    page.get_by_label("Search runs").fill("")

    started = page.get_by_role("columnheader", name="Started", exact=False).last
    expect(started).to_have_attribute("aria-sort", "descending")
    started.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(started).to_have_attribute("aria-sort", "ascending")
    expect(page).to_have_url(re.compile("ordering=started"))


def test_a_person_chooses_when_mail_comes(app: App, signed_in: Page) -> None:
    page = signed_in
    page.goto("/workflows")
    page.get_by_role("button", name=re.compile(": menu$")).click()
    expect(page.get_by_text(re.compile(r"^Graphwright \d+\.\d+"))).to_be_visible()
    page.get_by_role("menuitem", name="Notifications").click()

    expect(page.get_by_role("radio", name="At once")).to_be_checked()
    page.get_by_role("radio", name="Once an hour").click()
    expect(page.get_by_text("Mail about what waits: once an hour.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("radio", name="Once an hour")).to_be_checked()
    page.get_by_role("radio", name="At once").click()
    expect(page.get_by_text("Mail about what waits: at once.")).to_be_visible()
