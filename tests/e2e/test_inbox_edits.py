"""Edits in the inbox: what is typed is what is sent, and the keys lead in and out again."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, looked
from tests.e2e.documents import Document, line
from tests.e2e.test_inbox import open_item, waiting

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("empty_inbox")]
LETTER = "Dear all, " * 10_500


def letter(slug: str, **more: Any) -> Document:
    """Return a graph that has a sum, a day and a large letter approved."""
    keys = ["amount", "due", "letter", "payee"]
    config = {"prompt_message": "Pay {{ memory.payee }}?", "review_keys": keys}
    check = {"id": "check", "type": "approval", "label": "Check", "config": config}
    config["editable_keys"] = keys[:3]
    value = "{'amount': memory.amount, 'due': memory.due, 'size': size(memory.letter)}"
    done = {"id": "done", "type": "output", "read_keys": keys[:3], "config": {"value": value}}
    money = {"type": "number", "format": "money", "x-unit": "USD"}
    day, text = {"type": "string", "format": "date"}, {"type": "string"}
    properties = {"amount": money, "due": day, "letter": text, "payee": text}
    memory = {"amount": 40, "due": "2026-12-01", "letter": LETTER, "payee": "No\u202ehtron"}
    schema = {"type": "object", "properties": properties}
    return line(slug, [check, done], state_schema=schema, initial_memory={**memory, **more})


def test_what_was_not_edited_stays_as_it_was(app: App, signed_in: Page) -> None:
    """A large text is read whole before it can be edited; a comma stands between thousands."""
    page = signed_in
    run_id, interrupt = waiting(app, letter("letter"))
    assert "$blob" in interrupt["request"]["data"]["letter"]
    pane = open_item(page, interrupt)
    expect(pane.get_by_role("heading", level=2)).to_have_text("Pay No⟨U+202E⟩htron?")
    page.keyboard.press("e")
    expect(pane.get_by_role("textbox", name="Letter")).to_have_value(LETTER)
    amount = pane.get_by_role("textbox", name="Amount")
    amount.fill("1.200,50")
    page.keyboard.press("Control+Enter")
    expect(pane).to_contain_text("Did you mean 1,200.50?")
    expect(amount).to_be_focused()
    amount.fill("$1,200.50")
    pane.get_by_label("Due").fill("2026-12-24")
    page.keyboard.press("Control+Enter")

    result = app.api.wait(run_id, "completed")["result"]
    assert result == {"amount": 1200.5, "due": "2026-12-24", "size": len(LETTER)}


def test_the_keys_lead_out_of_the_fields(app: App, signed_in: Page) -> None:
    """Escape gives the keys back, with what was edited in sight; Tab goes on to the comment."""
    page = signed_in
    run_id, interrupt = waiting(app, letter("keys", letter="Dear all"))
    pane = open_item(page, interrupt)
    page.keyboard.press("e")
    amount = pane.get_by_role("textbox", name="Amount")
    expect(amount).to_be_focused()
    page.keyboard.type("1200")
    pane.get_by_role("textbox", name="Letter").press("Tab")
    expect(pane.get_by_role("textbox", name="Comment")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    pane.get_by_role("link").first.focus()
    page.keyboard.press("Control+z")
    expect(amount).to_have_value("1200")

    amount.focus()
    page.keyboard.press("Escape")
    expect(pane).to_contain_text("Nothing is decided yet.")
    page.keyboard.press("Escape")
    looked(page)
    expect(pane.get_by_role("button", name=re.compile("^Approve with 1 edit"))).to_be_visible()
    page.keyboard.press("a")

    assert app.api.wait(run_id, "completed")["result"]["amount"] == 1200


def test_own_words_outlast_a_ready_made_reason(app: App, signed_in: Page) -> None:
    """A click puts the reason before what was typed, a second one takes it away."""
    page = signed_in
    _, interrupt = waiting(app, letter("words", letter="Dear all"))
    pane = open_item(page, interrupt)
    page.keyboard.press("r")
    page.keyboard.type("It was 30")
    reason = pane.get_by_role("textbox", name="Reason")
    chip = pane.get_by_role("group", name="Reasons").get_by_text("Not needed any more")
    chip.click()
    expect(reason).to_have_value("Not needed any more: It was 30")
    chip.click()
    expect(reason).to_have_value("It was 30")
