"""The doors' pages without a pointer: what is made there is reached with Tab, and dialogs are sound."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.app import App
from tests.e2e.conftest import OpenPage
from tests.e2e.documents import line
from tests.e2e.test_account import fine
from tests.e2e.test_pages import AT_ONCE, AXE

pytestmark = [pytest.mark.browser, pytest.mark.slow]
FAR = 120
"""Steps of Tab that a page may need until everything was reached."""
WAIT = {"id": "wait", "type": "delay", "label": "Wait", "config": {"duration_ms": 1}}


def reach(page: Page, wanted: Locator) -> None:
    """Go there with Tab alone, and see that one sees where one is."""
    expect(wanted).to_be_visible()
    for _ in range(FAR):
        if wanted.evaluate("at => at === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not lead to {wanted}")


def press(page: Page, wanted: Locator, key: str = "Enter") -> None:
    reach(page, wanted)
    page.keyboard.press(key)


def choose(page: Page, field: Locator, option: str) -> None:
    """Open a list, type what is wanted, and take it."""
    press(page, field, "ArrowDown")
    expect(page.get_by_role("option", name=option)).to_be_visible()
    for _ in range(FAR):
        if page.get_by_role("option", name=option).get_attribute("data-combobox-selected"):
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")


def test_a_webhook_a_schedule_and_a_token_are_made_with_keys_alone(
    app: App, new_page: OpenPage
) -> None:
    page = new_page()
    page.context.add_init_script(path=AXE)
    graph = app.api.make(line("by-hand", [WAIT]), publish=True)
    page.goto(f"/workflows/{graph}/triggers")
    page.evaluate(AT_ONCE)
    press(page, page.get_by_role("button", name="Add a webhook"))
    form = page.get_by_role("dialog", name="New webhook")
    expect(form.get_by_label("Name")).to_be_focused()
    page.keyboard.type("Orders")
    fine(page, "new-webhook")
    press(page, form.get_by_role("button", name="Add and switch on"))
    card = page.get_by_role("list", name="Triggers").get_by_role("listitem").first
    press(page, card.get_by_role("button", name="Test: start a run with it"))
    expect(card.get_by_role("link", name="Open the run")).to_be_visible()
    press(page, card.get_by_role("switch", name="Orders is on"), "Space")
    expect(card.get_by_text("Off", exact=True)).to_be_visible()

    press(page, page.get_by_role("button", name="Add a schedule"))
    form = page.get_by_role("dialog", name="New schedule")
    page.keyboard.type("Mornings")
    choose(page, form.get_by_role("combobox", name="How often"), "Monday to Friday")
    expect(form.get_by_role("list", name="The next times").get_by_role("listitem")).to_have_count(5)
    fine(page, "new-schedule")
    page.keyboard.press("Escape")
    expect(form).to_have_count(0)

    page.goto(f"/workflows/{graph}/use")
    page.evaluate(AT_ONCE)
    press(page, page.get_by_label("Offer as a tool"), "Space")
    expect(page.get_by_label("Offer as a tool")).to_be_checked()
    press(page, page.get_by_role("button", name="Make a token"))
    form = page.get_by_role("dialog", name="New token")
    fine(page, "new-token")
    press(page, form.get_by_role("button", name="Make it"))
    expect(form.get_by_role("textbox", name="Token")).to_have_value(re.compile("^gw_"))
    press(page, form.get_by_role("button", name="Done"))
    expect(form).to_have_count(0)


def test_a_channel_and_its_rule_are_made_with_keys_alone(app: App, new_page: OpenPage) -> None:
    page = new_page()
    page.context.add_init_script(path=AXE)
    page.goto("/settings/channels")
    page.evaluate(AT_ONCE)
    press(page, page.get_by_role("button", name="Add a channel"))
    form = page.get_by_role("dialog", name="New channel")
    reach(page, form.get_by_label("Name"))
    page.keyboard.type("Operations")
    reach(page, form.get_by_label("Address of the incoming webhook"))
    page.keyboard.type("https://hooks.slack.com/services/T/B/x")
    fine(page, "new-channel")
    page.keyboard.press("Enter")
    row = page.get_by_role("list", name="Channels").get_by_role("listitem")
    expect(row).to_contain_text("Waits for a test")
    press(page, page.get_by_role("button", name="Add a rule"))
    form = page.get_by_role("dialog", name="New rule")
    press(page, form.get_by_label("An approval waits"), "Space")
    fine(page, "new-rule")
    press(page, form.get_by_role("button", name="Add"))
    expect(page.get_by_role("list", name="Rules")).to_contain_text("Approval waits → Operations")
    press(page, row.get_by_role("button", name="Remove Operations"))
    press(page, page.get_by_role("dialog").get_by_role("button", name="Remove"))
    expect(page.get_by_text("No channels yet")).to_be_visible()
