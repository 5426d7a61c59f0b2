"""Groups as an admin makes, changes and ends them, and as the page says who asks them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App
from tests.e2e.test_account import fine

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_an_admin_makes_changes_and_ends_a_group(app: App, signed_in: Page) -> None:
    app.ensure_member(
        name="Gil Guard", email="gil@example.org", password="a calm lake 42", role="reviewer"
    )
    page = signed_in
    page.goto("/settings/groups")
    page.get_by_role("button", name="New group").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("treasury")
    dialog.get_by_role("combobox", name="Members").or_(
        dialog.get_by_role("textbox", name="Members")
    ).click()
    page.get_by_role("option", name="Gil Guard").click()
    page.keyboard.press("Escape")
    dialog.get_by_role("button", name="Make the group").click()
    row = (
        page.get_by_role("list", name="Groups").get_by_role("listitem").filter(has_text="treasury")
    )
    expect(row).to_contain_text("Gil Guard")
    expect(row).to_contain_text("Nothing asks it yet")

    body = {"role": "viewer", "groups": ["treasury"], "email": "new@example.org"}
    app.api.post("invitations/", body)
    page.reload()
    expect(row).to_contain_text("Given by the invitation of new@example.org")
    fine(page, "groups")
    page.get_by_role("button", name="Remove treasury").click()
    expect(dialog).to_contain_text("Change these first")
    fine(page, "group-in-use")
    dialog.get_by_role("button", name="Close").first.click()

    page.get_by_role("button", name="Edit treasury").click()
    dialog.get_by_label("Name").fill("cashiers")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("list", name="Groups")).to_contain_text("cashiers")
    page.goto("/settings/members")
    page.get_by_role("button", name="Revoke the invitation of new@example.org").click()
    dialog.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("list", name="Open invitations")).to_have_count(0)
    page.goto("/settings/groups")
    page.get_by_role("button", name="Remove cashiers").click()
    dialog.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_text("cashiers")).to_have_count(0)
