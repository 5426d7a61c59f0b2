"""The inbox: edits, reasons, who was first, every kind of question, and all of it without a mouse."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.app import App, looked
from tests.e2e.conftest import OpenPage, Watch
from tests.e2e.documents import Document, line, question

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("empty_inbox")]

LOOK_MS = 300
"""How long a person looks at least: what was just painted is not decided by a press."""
GRACE = {"email": "grace@example.org", "name": "Grace Second", "password": "a second harbour 8"}


def review(slug: str, **policy: Any) -> Document:
    """Return a graph that has a sum approved; the memory after it is the result."""
    approval = {
        "id": "check",
        "type": "approval",
        "label": "Check the sum",
        "config": {
            "prompt_message": "Pay {{ memory.amount }} to {{ memory.payee }}?",
            "review_keys": ["amount", "payee"],
            "editable_keys": ["amount"],
            "policy": policy,
        },
    }
    result = {
        "id": "done",
        "type": "output",
        "read_keys": ["amount", "check_result"],
        "config": {"value": "{'amount': memory.amount, 'note': memory.check_result.comment}"},
    }
    schema = {
        "type": "object",
        "properties": {"amount": {"type": "number"}, "payee": {"type": "string"}},
    }
    memory = {"amount": 40, "payee": "Northwind"}
    return line(slug, [approval, result], state_schema=schema, initial_memory=memory)


def waiting(app: App, document: Document) -> tuple[str, dict[str, Any]]:
    """Start a run of a graph; return its id and the interrupt that it waits for."""
    run_id = app.api.start(app.api.make(document), "go", draft=True)
    return run_id, app.api.open_interrupt(run_id)


def open_item(page: Page, interrupt: dict[str, Any], view: str = "") -> Locator:
    """Open an item by its address and return its pane, once a person could have looked at it."""
    page.goto(f"/inbox/{interrupt['request_id']}{view}")
    pane = page.get_by_role("article")
    expect(pane).to_be_visible()
    looked(page)
    return pane


def test_an_approval_with_edits_runs_with_what_was_edited(app: App, signed_in: Page) -> None:
    run_id, interrupt = waiting(app, review("edited"))
    pane = open_item(signed_in, interrupt)
    expect(pane).to_contain_text("Northwind")

    pane.get_by_role("button", name=re.compile("^Edit")).click()
    pane.get_by_label("amount", exact=False).first.fill("25")
    expect(pane).to_contain_text(re.compile("Was.*40"))
    pane.get_by_label("Comment").fill("Less is enough.")
    looked(pane)
    pane.get_by_role("button", name=re.compile("^Approve with 1 edit")).click()

    expect(pane).to_contain_text("Ada Owner approved this with edits: Amount 40.00 → 25.00")
    run = app.api.wait(run_id, "completed")
    assert run["result"] == {"amount": 25, "note": "Less is enough."}

    pane = open_item(signed_in, interrupt)
    expect(pane.get_by_role("heading", name="Pay 25 to Northwind?")).to_be_visible()
    changed = pane.get_by_role("region", name="Changed since it was first shown")
    expect(changed.locator("del").first).to_have_text("40.00")
    expect(changed.locator("ins").first).to_have_text("25.00")
    expect(changed).to_contain_text("Pay 40 to Northwind?")
    signed_in.goto("/inbox?state=done")
    listed = signed_in.get_by_role("list", name="Items")
    expect(listed).to_contain_text("Pay 25 to Northwind?")
    expect(listed).to_contain_text("approved this with edits: Amount 40.00 → 25.00")
    signed_in.goto("/settings/audit")
    entries = signed_in.get_by_role("table", name="Audit log")
    expect(entries).to_contain_text("amount 40 → 25")


def test_a_rejection_needs_its_reason_and_ends_the_run(app: App, signed_in: Page) -> None:
    run_id, interrupt = waiting(app, review("refused", require_reason="reject"))
    pane = open_item(signed_in, interrupt)

    looked(pane)
    pane.get_by_role("button", name=re.compile("^Reject")).click()
    pane.get_by_role("button", name=re.compile("^Reject")).click()
    expect(pane).to_contain_text("Say why, so that the author can act on it.")
    pane.get_by_text("Against our rules").click()
    pane.get_by_role("button", name=re.compile("^Reject")).click()

    expect(pane).to_contain_text("Ada Owner rejected this")
    run = app.api.wait(run_id, "failed")
    assert run["error"]["code"] == "ApprovalRejected"
    assert "Against our rules" in run["error"]["message"]


def test_what_is_written_stays_until_it_is_discarded(app: App, signed_in: Page) -> None:
    page = signed_in
    run_id, interrupt = waiting(app, review("written", require_reason="always"))
    pane = open_item(page, interrupt)
    amount = pane.get_by_label("amount", exact=False).first
    comment = pane.get_by_role("textbox", name="Comment")

    comment.fill("Agreed")
    page.keyboard.press("Escape")
    expect(comment).not_to_be_focused()
    page.keyboard.press("r")
    expect(pane.get_by_role("textbox", name="Reason")).to_have_value("Agreed")
    page.keyboard.press("Escape")
    expect(comment).to_have_value("Agreed")
    comment.fill("")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    expect(amount).to_be_focused()
    amount.fill("25")
    page.keyboard.press("Escape")
    expect(amount).not_to_be_focused()
    expect(amount).to_have_value("25")
    expect(page.locator(f"[data-item='{interrupt['request_id']}']")).to_contain_text("draft")
    page.reload()
    looked(page)
    expect(amount).to_have_value("25")
    page.keyboard.press("e")
    expect(amount).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(pane).to_contain_text("A comment is needed here: why you approve.")
    expect(comment).to_be_focused()
    page.keyboard.type("On the phone")
    pane.get_by_role("button", name="Discard edits").click()
    expect(amount).to_have_count(0)
    expect(comment).to_have_value("On the phone")
    looked(pane)
    page.keyboard.press("a")

    result = app.api.wait(run_id, "completed")["result"]
    assert result == {"amount": 40, "note": "On the phone"}


def member(app: App) -> None:
    """Make the second person, unless an earlier test of this worker did."""
    app.ensure_member(**GRACE, role="reviewer")


def sign_in(page: Page, person: dict[str, str]) -> None:
    """Sign in on the page that the address of a stranger leads to."""
    page.goto("/inbox")
    page.get_by_label("E-mail").fill(person["email"])
    page.get_by_label("Password", exact=True).fill(person["password"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Inbox", level=1)).to_be_visible()


def test_who_comes_second_is_told_who_and_what(
    app: App, signed_in: Page, new_page: OpenPage, watch: Watch
) -> None:
    member(app)
    graces = new_page(storage_state=None)
    sign_in(graces, GRACE)
    run_id, interrupt = waiting(app, review("raced"))
    ours = open_item(signed_in, interrupt)
    hers = open_item(graces, interrupt)
    watch.expect("409")

    def ada_first(route: Route) -> None:
        if app.api.run(run_id)["status"] == "waiting":
            app.api.answer(interrupt, decision="approved", comment="Fine by me.")
        route.continue_()

    graces.route("**/api/interrupts/*/answer/", ada_first)
    looked(hers)
    hers.get_by_role("button", name=re.compile("^Reject")).click()
    hers.get_by_role("textbox", name="Reason").fill("I would rather not.")
    hers.get_by_role("button", name=re.compile("^Reject")).click()

    expect(graces.get_by_text("Your rejection was not used")).to_be_visible()
    expect(graces.get_by_text("Ada Owner approved this first")).to_be_visible()
    expect(hers).to_contain_text("Ada Owner approved this")
    expect(hers).to_contain_text("Fine by me.")
    expect(ours).to_contain_text("Ada Owner approved this")
    expect(ours.get_by_role("button", name=re.compile("^Approve"))).to_have_count(0)
    assert app.api.wait(run_id, "completed")["result"]["amount"] == 40


def test_an_open_item_follows_what_others_decide(
    app: App, signed_in: Page, new_page: OpenPage
) -> None:
    member(app)
    graces = new_page(storage_state=None)
    sign_in(graces, GRACE)
    _, interrupt = waiting(app, review("followed"))
    ours = open_item(signed_in, interrupt)
    hers = open_item(graces, interrupt)

    looked(hers)
    hers.get_by_role("button", name=re.compile("^Approve")).click()

    expect(ours).to_contain_text("Grace Second approved this")
    expect(ours.get_by_role("button", name=re.compile("^Approve"))).to_have_count(0)


def test_a_text_is_asked_and_delivered(app: App, signed_in: Page) -> None:
    run_id, interrupt = waiting(app, question("words", "text"))
    pane = open_item(signed_in, interrupt)

    pane.get_by_label("Your answer").fill("Along the river")
    pane.get_by_role("button", name=re.compile("^Answer")).click()

    expect(pane).to_contain_text("Ada Owner answered this")
    assert app.api.wait(run_id, "completed")["result"] == "Along the river"


OPTIONS = [
    {"id": "red", "label": "Red", "description": "As a rose."},
    {"id": "blue", "label": "Blue"},
    {"id": "green", "label": "Green"},
]


def test_one_of_several_is_chosen(app: App, signed_in: Page) -> None:
    run_id, interrupt = waiting(app, question("colour", "choice", options=OPTIONS))
    pane = open_item(signed_in, interrupt)

    pane.get_by_role("radio", name=re.compile("Blue")).check()
    pane.get_by_role("button", name=re.compile("^Answer")).click()

    expect(pane).to_contain_text("Ada Owner answered this")
    assert app.api.wait(run_id, "completed")["result"] == "blue"


def test_several_are_chosen(app: App, signed_in: Page) -> None:
    run_id, interrupt = waiting(app, question("colours", "multi-choice", options=OPTIONS))
    pane = open_item(signed_in, interrupt)

    pane.get_by_role("checkbox", name=re.compile("Red")).check()
    pane.get_by_role("checkbox", name=re.compile("Green")).check()
    pane.get_by_role("button", name=re.compile("^Answer")).click()

    expect(pane).to_contain_text("Ada Owner answered this")
    assert app.api.wait(run_id, "completed")["result"] == ["red", "green"]


def test_a_form_is_typed(app: App, signed_in: Page) -> None:
    schema = {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "guests": {"type": "integer", "minimum": 1},
            "breakfast": {"type": "boolean"},
        },
        "required": ["city", "guests"],
    }
    run_id, interrupt = waiting(app, question("journey", "form", schema=schema))
    pane = open_item(signed_in, interrupt)

    pane.get_by_label("City", exact=False).fill("Porto")
    pane.get_by_label("Guests", exact=False).fill("2")
    pane.get_by_role("checkbox", name="Breakfast").check()
    pane.get_by_role("button", name=re.compile("^Answer")).click()

    expect(pane).to_contain_text("Ada Owner answered this")
    result = app.api.wait(run_id, "completed")["result"]
    assert result == {"city": "Porto", "guests": 2, "breakfast": True}, json.dumps(result)


def test_the_inbox_needs_no_mouse(app: App, signed_in: Page) -> None:
    page = signed_in
    first, asked_first = waiting(app, review("keys-first"))
    second, asked_second = waiting(app, review("keys-second"))
    page.goto(f"/inbox/{asked_second['request_id']}")
    pane = page.get_by_role("article")
    expect(pane).to_contain_text("Keys second")

    for asked in (asked_first, asked_second):
        expect(page.locator(f'[data-item="{asked["request_id"]}"]')).to_be_visible()
    current = page.locator('[data-item][aria-current="true"]')
    ids = [item.get_attribute("data-item") for item in page.locator("[data-item]").all()]
    away = ids.index(asked_first["request_id"]) - ids.index(asked_second["request_id"])
    for _ in range(abs(away)):
        page.keyboard.press("j" if away > 0 else "k")
    expect(current).to_have_attribute("data-item", asked_first["request_id"])
    expect(pane).to_contain_text("Keys first")
    page.wait_for_timeout(LOOK_MS)

    page.keyboard.press("F6")
    expect(pane.get_by_role("button", name=re.compile("^Approve"))).to_be_focused()
    page.keyboard.press("F6")
    expect(current).to_be_focused()
    page.keyboard.press("e")
    expect(pane.get_by_label("amount", exact=False).first).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("12")
    page.keyboard.press("Control+Enter")
    expect(current).not_to_have_attribute("data-item", asked_first["request_id"])
    assert app.api.wait(first, "completed")["result"]["amount"] == 12

    page.goto(f"/inbox/{asked_second['request_id']}")
    expect(pane).to_contain_text("Keys second")
    looked(page)
    page.keyboard.press("r")
    page.keyboard.type("Not this one.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text(re.compile("^Rejected")).first).to_be_visible()
    assert "Not this one." in app.api.wait(second, "failed")["error"]["message"]
