"""The operator's desk in one visit: an alert that leads to its rows, own dates, bulk jobs, the palette."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App
from tests.e2e.conftest import OpenPage
from tests.e2e.documents import line
from tests.e2e.test_editor_tools import delay
from tests.e2e.test_pages import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]
FAILS = {
    "id": "divide",
    "type": "tool",
    "label": "Divide",
    "config": {"tool_id": "calculate", "arguments": {"expression": "1 / 0"}},
}
CUT = """it => it.scrollHeight > it.clientHeight || it.scrollWidth > it.clientWidth
    || it.parentElement.scrollWidth > it.parentElement.clientWidth"""
ORDERS = ("K-4711", "K-4712", "K-4713")


def test_what_an_operator_sees_opens_and_finds(app: App, signed_in: Page) -> None:
    page, api = signed_in, app.api
    graph = api.make(line("desk-fails", [dict(FAILS)]))
    runs = [api.start(graph, order, draft=True, metadata={"customer": "acme"}) for order in ORDERS]
    for run in runs:
        api.wait(run, "failed")

    # an alert, by keyboard alone
    page.goto("/dashboard/alerts")
    expect(page).to_have_title("Alerts · Dashboard · Graphwright")
    page.get_by_role("button", name="New alert").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Tell when")).to_be_focused()
    dialog.get_by_label("From so many runs on").fill("3")
    dialog.get_by_label("Workflow").fill("Desk fails")
    expect(page.get_by_role("option", name="Desk fails")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Add the alert").press("Enter")
    said = "3 runs failed in the last hour · Desk fails"
    expect(page.get_by_role("link", name=said)).to_be_visible()

    # the dashboard tells it, and it leads to exactly its rows
    page.goto("/dashboard")
    page.get_by_role("region", name="Open alerts").get_by_role("link", name=said).click()
    expect(page.get_by_text("3 in all")).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(1 + len(ORDERS))

    # columns of choice, and tags that list their runs
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("checkbox", name="Tags").check()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="customer: acme").first.click()
    expect(page).to_have_url(re.compile("tag=customer%3Aacme"))

    # many at once, and the page of what was done
    narrowed = page.get_by_role("list", name="Narrowed to")
    expect(narrowed.get_by_text("Tag customer:acme")).to_be_visible()
    page.keyboard.press("Control+a")
    expect(page.get_by_text("All 3 picked")).to_be_visible()
    page.get_by_role("group", name="Picked runs").get_by_role("button", name="Retry").click()
    dialog.get_by_role("button", name="Retry 3 runs").click()
    expect(dialog.get_by_text("3 runs tried again.")).to_be_visible()
    expect(dialog.get_by_role("heading", name="3 runs retried")).to_be_visible()
    dialog.get_by_role("button", name="Done").click()
    page.goto("/runs/bulk")
    page.get_by_role("row", name=re.compile("^Retry 3 runs Done")).get_by_role("link").click()
    expect(page.get_by_role("heading", name="Retry 3 runs")).to_be_visible()
    expect(page.get_by_role("table", name="Runs of the job").get_by_role("row")).to_have_count(4)
    page.get_by_text("Done", exact=True).first.click()
    with page.expect_download() as started:
        page.get_by_role("link", name="CSV").click()
    assert started.value.path().read_text().count(",done,") == len(ORDERS)

    # why they failed, with what became of them; its runs stand below it with what can be done
    page.goto("/dashboard")
    expect(
        page.get_by_role("link", name=re.compile(r"^Dashboard, \d+ alerts? open$"))
    ).to_be_visible()
    why = page.get_by_role("region", name="Why runs fail").get_by_role("listitem")
    why.filter(has_text="tried again").first.get_by_role("link").click()
    head = page.get_by_role("list", name="Why these runs failed")
    expect(head.get_by_role("button", name="Resolve")).to_be_visible()

    # somebody looks after it, and it is quiet for a while
    more = head.get_by_role("button", name="Assign or mute")
    more.click()
    page.get_by_role("menuitem", name="Ada Owner").click()
    expect(head).to_contain_text("Ada Owner is at it")
    more.click()
    page.get_by_role("menuitem", name="Mute for an hour").click()
    expect(head).to_contain_text("muted, ends")
    head.get_by_role("button", name="Stop muting").click()
    expect(head.get_by_text("muted, ends")).to_have_count(0)
    more.focus()
    page.keyboard.press("Enter")
    page.get_by_role("menuitem", name="Nobody").press("Enter")
    expect(head.get_by_text("is at it")).to_have_count(0)

    # days of one's own, and the palette by keyboard alone
    today = datetime.now(UTC).date().isoformat()
    page.goto("/dashboard")
    page.get_by_role("button", name="Own dates").click()
    page.get_by_label("First day").fill(today)
    page.get_by_label("Last day").fill(today)
    page.get_by_role("button", name="Show these days").click()
    expect(page).to_have_url(re.compile(f"since={today}&until={today}"))
    expect(page.get_by_role("link", name=re.compile("Failed, "))).to_be_visible()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("textbox", name="Go to anything")).to_be_focused()
    page.keyboard.type("K-4712")
    expect(
        page.get_by_role("button", name=re.compile("K-4712 Desk fails, failed")).first
    ).to_be_visible()
    page.keyboard.press("Enter")
    expect(page).to_have_title(re.compile(r"^K-4712 · Desk fails · Graphwright$"))
    page.get_by_role("link", name="Edit workflow").click()
    expect(page).to_have_url(re.compile(f"/workflows/{graph}"))
    expect(page.locator(".react-flow__node").first).to_be_visible()

    # on the list of workflows, letters typed at once, and Enter opens what they mean
    api.make({**line("desk-audits", [dict(FAILS)]), "name": "Desk audits"})
    page.goto("/workflows")
    expect(page.get_by_role("link", name="Desk audits")).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("audit log", delay=30)
    expect(page.get_by_role("textbox", name="Go to anything")).to_have_value("audit log")
    expect(page.locator("[data-action]").first).to_have_text("Audit log")
    page.keyboard.press("Enter")
    expect(page).to_have_title("Audit log · Settings · Graphwright")


def test_a_phone_shows_the_names_of_workflows(app: App, new_page: OpenPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844})
    app.api.make(line("refunds-charged-twice", [dict(FAILS)]))
    page.goto("/workflows")

    name = page.get_by_role("link", name="Refunds charged twice").locator("span").first
    expect(name).to_have_text("Refunds charged twice")
    assert name.evaluate(CUT) is False
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_what_an_entry_says_is_whole_in_the_admin_on_a_phone(app: App, new_page: OpenPage) -> None:
    name = "Refunds of orders that were paid twice, looked at by two people before anything is sent"
    graph = app.api.make({**line("admin-phone", [delay("first")]), "name": name})
    app.api.wait(app.api.start(graph, "go", draft=True), "completed")
    page = new_page(viewport=PHONE)
    page.goto("/settings/audit")  # what runs did is entered when somebody looks
    expect(page.get_by_role("row").filter(has_text=name).first).to_be_visible()
    page.goto("/admin/builder/auditentry/")
    details = page.locator("#result_list .field-column").filter(has_text=f"workflow: {name}").first
    expect(details).to_be_visible()
    assert details.evaluate("it => it.scrollHeight <= it.clientHeight && it.clientHeight > 60")
