"""Keys of the inbox after the mouse, without deciding, and once one has left the page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, looked
from tests.e2e.documents import question
from tests.e2e.test_inbox import OPTIONS
from tests.e2e.test_inbox_rhythm import minute_to_take_back, payments

__all__ = ["minute_to_take_back"]

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("empty_inbox")]


def test_keys_go_on_after_the_mouse(app: App, signed_in: Page) -> None:
    asked = payments(app, "after-the-mouse", 4)
    page = signed_in
    page.goto("/inbox?ordering=opened")
    rows = page.locator("[data-item]")
    expect(rows).to_have_count(4)
    rows.nth(1).click()
    expect(rows.nth(1)).to_have_attribute("aria-current", "true")
    page.keyboard.press("j")
    expect(rows.nth(2)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(rows.nth(1)).to_be_focused()

    picks = page.get_by_role("checkbox", name=re.compile("^Pick:"))
    picks.nth(0).check()
    picks.nth(2).click(modifiers=["Shift"])
    bar = page.get_by_role("group", name="Picked items")
    expect(bar).to_contain_text("3 picked")
    page.keyboard.press("a")
    dialog = page.get_by_role("dialog", name=re.compile("3"))
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert all(app.api.get(f"interrupts/{one['request_id']}/")["status"] == "open" for one in asked)

    page.goto("/inbox")
    run_id = app.api.start(
        app.api.make(question("keyed", "choice", options=OPTIONS)), "go", draft=True
    )
    interrupt = app.api.open_interrupt(run_id)
    row = page.locator(f"[data-item='{interrupt['request_id']}']")
    page.keyboard.press("n")
    row.click()
    look_at = page.get_by_role("article")
    expect(look_at).to_contain_text("Blue")
    looked(page)
    page.keyboard.press("2")
    expect(look_at.get_by_role("radio", name=re.compile("Blue"))).to_be_checked()
    page.keyboard.press("Control+Enter")
    assert app.api.wait(run_id, "completed")["result"] == "blue"
    assert len(page.context.pages) == 1


def test_another_list_takes_the_open_item_along(app: App, signed_in: Page) -> None:
    """What is decided after a search is what was found, also once Enter was pressed in its field."""
    payments(app, "searched", 3)
    page = signed_in
    page.goto("/inbox?ordering=opened")
    rows = page.locator("[data-item]")
    expect(rows).to_have_count(3)
    rows.filter(has_text="Ivo 1").click()
    pane = page.get_by_role("article")
    expect(pane).to_contain_text("Ivo 1")

    page.keyboard.press("/")
    page.keyboard.type("Tess")
    page.keyboard.press("Enter")
    expect(rows).to_have_count(1)
    expect(pane).to_contain_text("Tess 2")
    expect(page).to_have_url(re.compile(r"/inbox/human-\w+\?"))
    page.reload()
    expect(pane).to_contain_text("Tess 2")

    rows.first.click(modifiers=["Shift"])
    expect(page.get_by_role("group", name="Picked items")).to_contain_text("1 picked")
    assert len(page.context.pages) == 1
    page.get_by_role("searchbox").or_(page.get_by_placeholder("Search")).first.fill("nobody")
    expect(rows).to_have_count(0)
    expect(page.get_by_text("Nothing fits what the list is narrowed to")).to_be_visible()


def test_a_snoozed_item_leads_on_and_can_be_woken(app: App, signed_in: Page) -> None:
    payments(app, "snoozed", 2)
    page = signed_in
    page.goto("/inbox")
    pane = page.get_by_role("article")
    expect(pane).to_contain_text("Nora 0")
    looked(page)

    page.keyboard.press("z")
    expect(page.get_by_role("menuitem", name="In an hour")).to_be_focused()
    page.keyboard.press("Enter")
    expect(pane).to_contain_text("Ivo 1")
    told = page.get_by_role("alert").filter(has_text="Snoozed until")
    told.get_by_role("button", name="Undo").click()
    expect(pane).to_contain_text("Nora 0")
    expect(page.locator("[data-item]")).to_have_count(2)

    page.keyboard.press("d")
    delegating = page.get_by_role("dialog").filter(has_text="decide")
    expect(delegating.and_(page.locator(":focus-within"))).to_have_count(1)
    page.keyboard.press("Escape")
    expect(delegating).to_have_count(0)
    page.keyboard.press("/")
    search = page.get_by_role("searchbox", name="Search what is shown")
    expect(search).to_be_focused()
    page.keyboard.type("20.250")
    expect(page.locator("[data-item]")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(search).not_to_be_focused()


def test_a_press_that_does_not_count_is_told_beside_the_buttons(app: App, signed_in: Page) -> None:
    [asked] = payments(app, "held-down", 1)
    page = signed_in
    page.goto("/inbox")
    looked(page)
    page.evaluate("dispatchEvent(new KeyboardEvent('keydown', {key: 'a', repeat: true}))")
    told = page.get_by_role("article").locator("footer [role=status]")
    expect(told).to_have_text("Let go of the key first")
    expect(told).to_have_text("")
    assert app.api.get(f"interrupts/{asked['request_id']}/")["status"] == "open"


@pytest.mark.usefixtures("minute_to_take_back")
def test_a_decision_is_taken_back_on_other_pages_too(app: App, signed_in: Page) -> None:
    [asked] = payments(app, "elsewhere", 1)
    page = signed_in
    page.goto("/inbox")
    expect(page.get_by_role("article")).to_contain_text("Nora 0")
    looked(page)
    page.keyboard.press("a")
    page.get_by_role("link", name="Runs", exact=True).first.click()

    expect(page.get_by_role("heading", name="Runs", level=1)).to_be_visible()
    bar = page.get_by_role("group", name="Decided in the inbox")
    expect(bar).to_contain_text("Approved Pay 20.25 to Nora 0")
    page.keyboard.press("Control+z")
    expect(page.get_by_text("open in the inbox again")).to_be_visible()
    expect(bar).to_have_count(0)
    found = app.api.get(f"interrupts/{asked['request_id']}/")
    assert (found["status"], found["held"]) == ("open", None)


@pytest.mark.usefixtures("minute_to_take_back")
def test_a_decision_of_another_tab_is_taken_back_here(app: App, signed_in: Page) -> None:
    """What is held is asked of the server: after a reload, and on a page that did not decide it."""
    [asked] = payments(app, "two-tabs", 1)
    page, other = signed_in, signed_in.context.new_page()
    page.goto("/inbox")
    expect(page.get_by_role("article")).to_contain_text("Nora 0")
    looked(page)
    with page.expect_response(re.compile(r"/answer/$")):
        page.keyboard.press("a")
    other.goto("/runs")
    bar = other.get_by_role("group", name="Decided in the inbox")
    expect(bar).to_contain_text("Approved Pay 20.25 to Nora 0")
    page.goto("/workflows")
    here = page.get_by_role("group", name="Decided in the inbox")
    expect(here).to_contain_text("Approved Pay 20.25 to Nora 0")

    bar.get_by_role("button", name=re.compile("^Undo")).click()
    expect(bar).to_have_count(0)
    page.wait_for_timeout(2_500)  # until what was asked is old
    page.evaluate("() => window.dispatchEvent(new Event('visibilitychange'))")
    expect(here).to_have_count(0)
    found = app.api.get(f"interrupts/{asked['request_id']}/")
    assert (found["status"], found["held"]) == ("open", None)


def test_keys_of_a_field_beside_the_item_decide_nothing(app: App, signed_in: Page) -> None:
    """Mod+Enter sends what is written where one writes; only in the item's own fields it decides."""
    asked = payments(app, "beside", 2)
    page = signed_in
    page.goto("/inbox")
    looked(page)
    search = page.get_by_role("searchbox", name="Search what is shown")
    search.fill("Nora")
    expect(page.locator("[data-item]")).to_have_count(1)
    looked(page)
    search.press("Control+Enter")
    search.fill("nobody at all")
    page.get_by_role("button", name="Clear the filters").click()
    expect(search).to_have_value("")
    expect(page.locator("[data-item]")).to_have_count(2)

    looked(page)
    page.wait_for_timeout(300)
    found = [app.api.get(f"interrupts/{one['request_id']}/") for one in asked]
    assert [(one["status"], one["held"]) for one in found] == [("open", None)] * 2
