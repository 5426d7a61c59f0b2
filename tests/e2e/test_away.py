"""Away: who says so, who decides meanwhile and what they may edit, and where everybody sees it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, looked
from tests.e2e.conftest import OpenPage, Watch
from tests.e2e.documents import line
from tests.e2e.test_inbox import open_item, sign_in, waiting

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("empty_inbox")]

RAUL = {"name": "Raul Away", "email": "raul.away@example.com", "password": "correct horse 9"}
NAMED = f"user:{RAUL['email']}"


def payment() -> dict[str, object]:
    """Return a workflow in which Raul decides, and alone edits the sum."""
    review = {
        "id": "check",
        "type": "approval",
        "label": "Check the sum",
        "config": {
            "prompt_message": "Pay this?",
            "review_keys": ["amount", "note"],
            "editable_keys": ["amount", "note"],
            "editable_by": {"amount": ["role:operator"], "note": [NAMED]},
            "policy": {"eligible": [NAMED]},
        },
    }
    fields = {"amount": {"type": "number"}, "note": {"type": "string"}}
    schema = {"type": "object", "properties": fields}
    return line("away", [review], state_schema=schema, initial_memory={"amount": 40, "note": "a"})


def test_who_is_away_is_stood_in_for(
    app: App, signed_in: Page, new_page: OpenPage, watch: Watch
) -> None:
    """C96: Raul says that he is away; Ada finds his item, edits what he may, and is on record."""
    watch.expect("400 .*/stand-ins/")
    app.ensure_member(**RAUL, role="reviewer")
    raul = new_page(storage_state=None)
    sign_in(raul, RAUL)
    run_id, interrupt = waiting(app, payment())

    raul.goto("/profile#away")
    dialog = raul.get_by_role("dialog", name="While you are away")
    dialog.get_by_label("Who decides meanwhile").click()
    raul.get_by_role("option", name=re.compile("^Ada Owner")).click()
    first = dialog.get_by_label("First day")
    today = first.input_value()
    first.fill("2020-01-01")
    dialog.get_by_role("button", name="Set away").click()
    expect(dialog).to_contain_text("Choose today or later: it is")
    first.fill(today)
    expect(dialog).not_to_contain_text("Choose today or later")
    dialog.get_by_role("button", name="Set away").click()
    expect(raul.get_by_role("list", name="Your absences")).to_contain_text(
        "Ada Owner decides meanwhile"
    )
    expect(raul.get_by_role("button", name="Another absence")).to_be_visible()
    raul.goto("/inbox")
    told = raul.get_by_role("region", name="You are away")
    expect(told).to_contain_text(re.compile("You are away until .*: Ada Owner decides"))
    expect(told.get_by_role("link", name="Change")).to_be_visible()
    signed_in.goto("/settings/members")
    expect(signed_in.get_by_role("list", name="Members")).to_contain_text(
        re.compile("Away until .*; Ada Owner decides meanwhile")
    )
    pane = open_item(signed_in, interrupt)
    expect(pane.locator("header")).to_contain_text("for Raul Away")
    expect(pane.locator("footer")).to_contain_text("You decide for Raul Away, away until")
    row = signed_in.locator(f"[data-item='{interrupt['request_id']}']")
    expect(row).to_contain_text("for Raul Away")
    expect(pane).to_contain_text("You decide for Raul Away, who is away.")
    expect(pane).to_contain_text("Raul Away can still decide.")
    expect(pane).to_contain_text(re.compile("Raul Away is away until .*; Ada Owner decides"))
    expect(pane).to_contain_text("Any operator may edit this")
    pane.get_by_role("button", name=re.compile("^Edit")).click()
    expect(pane.get_by_label("amount", exact=False)).to_have_count(0)
    pane.get_by_label("note", exact=False).first.fill("b")
    looked(pane)
    pane.get_by_role("button", name=re.compile("^Approve with 1 edit")).click()

    assert app.api.wait(run_id, "completed")["status"] == "completed"
    expect(pane).to_contain_text("Ada Owner, for Raul Away, approved this with edits")
    [absence] = app.api.get("stand-ins/")["results"]
    app.api._call("DELETE", f"stand-ins/{absence['id']}/", None)
