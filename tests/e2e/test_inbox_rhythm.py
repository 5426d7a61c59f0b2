"""The rhythm of the inbox: decide, next, decide, next, on one item after the other."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App
from tests.e2e.test_inbox import review, waiting

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_after_a_decision_j_opens_what_took_its_place(app: App, signed_in: Page) -> None:
    page = signed_in
    document = review("rhythm")
    asked = [
        waiting(app, {**document, "id": f"rhythm-{n}", "name": f"Rhythm {n}"})[1] for n in "abcd"
    ]
    newest_first = [item["request_id"] for item in reversed(asked)]
    page.goto(f"/inbox/{newest_first[1]}")
    rows = page.locator("[data-item]")
    current = page.locator('[data-item][aria-current="true"]')
    expect(current).to_have_attribute("data-item", newest_first[1])

    page.keyboard.press("a")
    pane = page.get_by_role("article")
    expect(pane).to_contain_text("Ada Owner approved this")
    expect(page.locator(f'[data-item="{newest_first[1]}"]')).to_have_count(0)
    _, late = waiting(app, {**document, "id": "rhythm-late", "name": "Rhythm late"})
    expect(rows.first).to_have_attribute("data-item", late["request_id"])
    page.keyboard.press("a")
    page.keyboard.press("j")

    expect(current).to_have_attribute("data-item", newest_first[2])
    for item in (newest_first[0], newest_first[2], late["request_id"]):
        assert app.api.get(f"interrupts/{item}/")["status"] == "open"
    for item in (*newest_first, late["request_id"]):
        found = app.api.get(f"interrupts/{item}/")
        if found["status"] == "open":
            app.api.answer(found, decision="rejected")
