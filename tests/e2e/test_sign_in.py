"""Signing in beyond a password: codes of an app, recovery codes, passkeys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.builder.api.sign_in.factor import code_of
from tests.e2e.app import App, served
from tests.e2e.conftest import OpenPage, Watch
from tests.e2e.test_account import PASSWORD, REFUSED, fine, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.slow]
EMAIL = "kim@example.org"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[App]:
    """A server of this module's own: its people have second factors."""
    with served(tmp_path_factory.mktemp("sign-in"), sqlite_template) as running:
        yield running


def with_passkeys(page: Page) -> None:
    """Give the browser a device that holds passkeys and agrees to everything."""
    page.context.new_cdp_session(page).send("WebAuthn.enable")
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )


def confirm(page: Page) -> None:
    page.get_by_role("dialog").get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()


def sign_out(page: Page) -> None:
    page.get_by_role("button", name=re.compile(": menu$")).click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page).to_have_url(re.compile("/sign-in"))


def test_a_person_sets_up_codes_and_a_passkey_and_signs_in_with_each(
    app: App, new_page: OpenPage, watch: Watch
) -> None:
    watch.expect(REFUSED)
    app.ensure_member(name="Kim", email=EMAIL, password=PASSWORD, role="operator")
    page = new_page(storage_state=None)
    with_passkeys(page)
    sign_in(page, EMAIL, PASSWORD)
    expect(page).to_have_url(re.compile("/dashboard"))
    page.goto("/profile")

    page.get_by_role("button", name="Set up codes").click()
    confirm(page)
    letters = page.get_by_role("dialog").locator("code")
    expect(letters).to_be_visible()
    fine(page, "code-offer")
    secret = letters.inner_text().replace(" ", "")
    page.get_by_label("Code that the app shows now").fill(code_of(secret))
    page.get_by_role("button", name="Switch on").click()
    spare = page.get_by_role("list", name="Recovery codes").get_by_role("listitem")
    expect(spare).to_have_count(10)
    fine(page, "recovery-codes")
    one = spare.first.inner_text()
    page.get_by_role("button", name="I have kept them").click()

    page.get_by_role("button", name="Add a passkey").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Laptop")
    page.get_by_role("button", name="Make the passkey").click()
    factors = page.get_by_role("list", name="Second factors")
    expect(factors).to_contain_text("Laptop")
    factors.scroll_into_view_if_needed()
    fine(page, "security")

    sign_out(page)
    fine(page, "sign-in-ways")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page).to_have_url(re.compile("/dashboard"))

    sign_out(page)
    sign_in(page, EMAIL, PASSWORD)
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    fine(page, "code-step")
    page.get_by_label("Code", exact=True).fill("000000")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("this code is not right")
    page.get_by_role("button", name="Use a recovery code").click()
    page.get_by_label("Recovery code").fill(one)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/dashboard"))
