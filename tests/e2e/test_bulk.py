"""Several approvals of one node decided together, and the dashboard that counts them."""

from __future__ import annotations

import csv
import io
import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("empty_inbox")]

MESSAGES = (
    "You charged me 11 euros twice, please give me my money back!",
    "You charged me 12 euros twice, please give me my money back!",
)


def test_like_items_are_decided_together_each_for_what_was_shown(app: App, signed_in: Page) -> None:
    page, api = signed_in, app.api
    triage = api.graph("support-triage")["id"]
    runs = [api.start(triage, message) for message in MESSAGES]
    asked = [api.open_interrupt(run) for run in runs]
    page.goto(f"/inbox?graph={triage}&kind=approval")
    for message in MESSAGES:
        page.get_by_role("checkbox", name=f"They wrote: {message}").check()
    bar = page.get_by_role("group", name="Picked items")
    expect(bar).to_contain_text("2 picked")
    bar.get_by_role("button", name="Approve").click()
    dialog = page.get_by_role("dialog")
    for message in MESSAGES:
        expect(dialog).to_contain_text(message)
    dialog.get_by_role("button", name="Approve all").click()

    expect(page.get_by_text("2 items").first).to_be_visible()
    expect(bar).to_have_count(0)
    for item, run in zip(asked, runs, strict=True):
        api.wait(run, "completed")
        assert api.get(f"interrupts/{item['request_id']}/")["decided"]["decision"] == "approved"

    page.goto(f"/inbox?state=done&graph={triage}&kind=approval")
    with page.expect_download() as started:
        page.get_by_role("link", name="CSV").click()
    assert started.value.suggested_filename == "inbox.csv"
    lines = list(csv.DictReader(io.StringIO(started.value.path().read_text())))
    mine = [line for line in lines if line["run"] in runs]
    assert [line["decided_by"] for line in mine] == ["Ada Owner: approved"] * 2
    assert {line["amount_after"] for line in mine} == {"11", "12"}

    page.goto(f"/dashboard/approvals?graph={triage}")
    tiles = page.get_by_role("region", name="Approvals", exact=True)
    decided = tiles.get_by_role("link", name=re.compile("^Decided, 24 hours"))
    expect(decided.locator("b")).not_to_have_text("0")
    row = page.get_by_role("row", name=re.compile("^Whoever may decide by role"))
    expect(row).to_be_visible()
