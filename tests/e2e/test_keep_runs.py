"""How long a workspace keeps its runs, set by an admin and read by everybody else."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App
from tests.e2e.conftest import OpenPage
from tests.e2e.test_inbox import GRACE, member, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def kept(app: App) -> int | None:
    """Return for how many days runs are kept; None is for ever."""
    days: int | None = app.api.get("session/")["workspace"]["settings"]["keep_runs_days"]
    return days


def test_runs_are_deleted_only_after_a_yes(app: App, signed_in: Page) -> None:
    page = signed_in
    page.goto("/settings/workspace")
    field = page.get_by_label("Keep finished runs for")
    save = page.get_by_role("button", name="Save", exact=True)
    expect(field).to_have_value("")
    expect(page.get_by_role("region", name="Workspace")).to_contain_text("Never touched:")

    field.fill("30 days")
    save.click()
    asked = page.get_by_role("dialog", name="Keep runs for 30 days only?")
    asked.get_by_role("button", name="Cancel").click()
    expect(asked).to_have_count(0)
    assert kept(app) is None

    save.click()
    asked.get_by_role("button", name="Delete older runs").click()
    expect(page.get_by_text("The workspace was changed.")).to_be_visible()
    assert kept(app) == 30
    page.reload()
    expect(field).to_have_value("30 d")

    field.fill("")
    save.click()
    expect(page.get_by_text("The workspace was changed.")).to_be_visible()
    assert kept(app) is None


def test_who_is_no_admin_reads_it_only(app: App, new_page: OpenPage) -> None:
    member(app)
    page = new_page(storage_state=None)
    sign_in(page, GRACE)
    page.goto("/settings/workspace")
    expect(page.get_by_label("Keep finished runs for")).to_be_disabled()
    expect(page.get_by_text("Only an admin may change this.")).to_be_visible()
