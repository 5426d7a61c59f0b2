"""Settings, Tools: a server that asks for OAuth is connected on screen, and says when that is over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, served
from tests.e2e.test_account import fine
from tests.oauth_mcp_server import Guarded, guarded_server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def guarded() -> Iterator[Guarded]:
    with guarded_server() as server:
        yield server


@pytest.fixture(scope="module")
def app(
    tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path, guarded: Guarded
) -> Iterator[App]:
    """A server whose operator allows the other one on this machine."""
    place = tmp_path_factory.mktemp("connect")
    with served(place, sqlite_template, EGRESS_ALLOW=guarded.origin) as running:
        yield running


def test_a_server_is_connected_and_says_when_that_is_over(
    app: App, signed_in: Page, guarded: Guarded
) -> None:
    page = signed_in
    app.api.post("tool-sources/", {"name": "crm", "kind": "mcp_http", "url": guarded.url})
    page.goto("/settings/tools")
    card = page.get_by_role("region", name="crm")
    expect(card.get_by_role("alert")).to_contain_text("asks to sign in")
    fine(page, "tools-asks-sign-in")
    card.get_by_role("button", name="Connect").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("acts with that account")
    fine(page, "tools-connect")
    dialog.get_by_role("button", name="Go to the sign-in").click()

    expect(page.get_by_text("crm is connected.")).to_be_visible()
    expect(page).to_have_url(f"{app.address}/settings/tools")
    expect(card).to_contain_text("crm/whisper")
    expect(card).to_contain_text("Connected at")
    fine(page, "tools-connected")

    guarded.end_consents()
    page.get_by_role("button", name="More about crm").click()
    page.get_by_role("menuitem", name="Look at it again").click()
    expect(card).to_contain_text("The sign-in is over")
    fine(page, "tools-sign-in-over")
    guarded.declines = True
    card.get_by_role("button", name="Connect").click()
    dialog.get_by_role("button", name="Go to the sign-in").click()
    expect(page.get_by_text("was not given your consent")).to_be_visible()
