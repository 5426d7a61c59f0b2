"""Letting people and programs in, and reading what people did, as an owner does it."""

from __future__ import annotations

import re
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App
from tests.e2e.conftest import OpenPage, Watch

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_an_invited_person_joins_by_the_link_once(
    signed_in: Page, new_page: OpenPage, watch: Watch
) -> None:
    watch.expect("409 .*invitations/look")
    page = signed_in
    page.goto("/settings/members")
    page.get_by_role("button", name="Invite somebody").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("E-mail").fill("ivy@example.org")
    dialog.get_by_role("button", name=re.compile("^(Make the link|Send the invitation)$")).click()
    link = dialog.get_by_label("Link").input_value()
    assert re.search(r"/join#[\w-]{40,}$", link)
    dialog.get_by_role("button", name="Done").click()
    expect(page.get_by_role("list", name="Open invitations")).to_contain_text("ivy@example.org")

    guest = new_page(storage_state=None)
    guest.goto(link)
    expect(guest.get_by_role("heading", name="Join Harbour")).to_be_visible()
    expect(guest.get_by_text("Ada Owner invites you as author")).to_be_visible()
    expect(guest.get_by_label("E-mail")).to_have_value("ivy@example.org")
    guest.get_by_label("Your name").fill("Ivy Guest")
    guest.get_by_label("Password", exact=True).fill("a small island 9")
    guest.get_by_role("button", name="Join").click()
    expect(guest.get_by_role("heading", name="Workflows", level=1)).to_be_visible()

    late = new_page(storage_state=None)
    late.goto(link)
    expect(late.get_by_role("heading", name="This invitation does not work")).to_be_visible()
    expect(late.get_by_text("used already")).to_be_visible()
    page.reload()
    expect(page.get_by_role("list", name="Members", exact=True)).to_contain_text("Ivy Guest")
    expect(page.get_by_role("list", name="Open invitations")).to_have_count(0)


def test_a_token_is_shown_once_and_ends_when_it_is_revoked(app: App, signed_in: Page) -> None:
    page = signed_in
    page.goto("/settings/tokens")
    page.get_by_role("button", name="New token").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Nightly import")
    dialog.get_by_role("button", name="Make it").click()
    token = dialog.get_by_label("Token").input_value()
    assert status(app, token) == 200
    dialog.get_by_role("button", name="Done").click()
    row = page.get_by_role("list", name="API tokens").get_by_role("listitem")
    expect(row.filter(has_text="Nightly import")).to_contain_text("Yours")
    assert token not in page.content()

    page.get_by_role("button", name="Revoke Nightly import").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("heading", name="No tokens yet")).to_be_visible()
    assert status(app, token) == 401


def status(app: App, token: str) -> int:
    """Return how a call with the token is answered."""
    headers = {"Authorization": f"Bearer {token}"}
    try:
        with urlopen(Request(f"{app.address}/api/runs/", headers=headers)) as answer:
            return int(answer.status)
    except HTTPError as refused:
        return refused.code


def test_entries_are_found_and_the_chain_is_verified(app: App, signed_in: Page) -> None:
    app.api.post("agents/", {"id": "audited-helper"})
    page = signed_in
    page.goto("/settings/audit")
    table = page.get_by_role("table", name="Audit log")
    expect(table).to_be_visible()
    page.get_by_label("Search the audit log").fill("audited-helper")
    expect(table.get_by_role("row")).to_have_count(2)
    expect(table).to_contain_text("Agent added")
    expect(table).to_contain_text("Ada Owner")

    page.get_by_role("button", name="Verify").click()
    expect(page.get_by_text(re.compile(r"\d+ entries, none changed"))).to_be_visible()
