"""Signing in beyond a password: codes of an app, recovery codes, passkeys, a firm's provider."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.builder.api.sign_in.factor import code_of
from tests.builder.api.sign_in.firm import Firm, firm
from tests.e2e.app import OWNER, App, served
from tests.e2e.conftest import OpenPage, Watch
from tests.e2e.test_account import PASSWORD, REFUSED, fine, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.slow]
EMAIL = "kim@example.org"


RULE = "from builder.models import Workspace\nWorkspace.objects.update(sign_in='second_factor')\n"


@pytest.fixture(scope="module")
def acme() -> Iterator[Firm]:
    """A firm's provider on this machine."""
    with firm() as running:
        yield running


@pytest.fixture(scope="module")
def app(
    tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path, acme: Firm
) -> Iterator[App]:
    """A server of this module's own: its people have second factors."""
    place = tmp_path_factory.mktemp("sign-in")
    with served(place, sqlite_template, EGRESS_ALLOW=acme.issuer) as running:
        yield running


def with_passkeys(page: Page) -> None:
    """Give the browser a device that holds passkeys and agrees to everything."""
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
    page.goto("/profile#security")

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
    expect(factors).to_contain_text("not used yet")
    page.get_by_role("button", name="Rename the passkey Laptop").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Blue laptop")
    page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    expect(factors).to_contain_text("Blue laptop")
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


def test_a_firm_signs_people_in_and_the_workspace_asks_for_more(
    app: App, signed_in: Page, new_page: OpenPage, watch: Watch, acme: Firm
) -> None:
    watch.expect(REFUSED)
    watch.expect(r"status of 422 .*/api/workspace/|net::ERR|favicon")
    acme.knows("u1", email="fay@acme.example", name="Fay Firm", groups=["finance"])
    page = signed_in
    page.goto("/settings/sign-in")
    page.get_by_role("button", name="Add a provider").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Acme")
    dialog.get_by_label("Issuer").fill(acme.issuer)
    dialog.get_by_label("Client ID").fill("graphwright")
    dialog.get_by_label("Client secret").fill("hush")
    dialog.get_by_role("button", name="Add a group").click()
    dialog.get_by_role("textbox", name="Group 1", exact=True).fill("finance")
    dialog.get_by_label("Role of group 1").click()
    page.get_by_role("option", name="Reviewer").click()
    fine(page, "provider-form")
    dialog.get_by_role("button", name="Add it").click()
    expect(page.get_by_role("list", name="Providers")).to_contain_text("Acme")
    fine(page, "sign-in-settings")

    fay = new_page(storage_state=None)
    fay.goto("/sign-in")
    fine(fay, "sign-in-firm")
    fay.get_by_role("button", name="Continue with Acme").click()
    fay.get_by_placeholder("sub").fill("u1")
    fay.get_by_role("button", name=re.compile("^Authorize")).click()
    expect(fay).to_have_url(re.compile("/inbox$"))
    expect(fay.get_by_role("button", name="Fay Firm: menu")).to_be_visible()

    code = app.api.post("invitations/", {"role": "author"})["code"]
    ivy = new_page(storage_state=None)
    acme.knows("u2", email="ivy@acme.example", name="Ivy Firm", groups=[])
    ivy.goto(f"/join#{code}")
    fine(ivy, "join-firm")
    ivy.get_by_role("button", name="Continue with Acme").click()
    ivy.get_by_placeholder("sub").fill("u1")
    ivy.get_by_role("button", name=re.compile("^Authorize")).click()
    expect(ivy.get_by_role("alert")).to_contain_text("You are a member already")
    fine(ivy, "join-firm-refused")
    ivy.get_by_role("button", name="Continue with Acme").click()
    ivy.get_by_placeholder("sub").fill("u2")
    ivy.get_by_role("button", name=re.compile("^Authorize")).click()
    expect(ivy.get_by_role("button", name="Ivy Firm: menu")).to_be_visible()

    page.goto("/settings/sign-in")
    page.get_by_label("A second step beside the password").click()
    expect(page.get_by_role("alert")).to_contain_text("you would be locked out")
    app.shell(RULE)
    page.goto("/workflows")
    expect(page.get_by_role("heading", name=re.compile("asks for a second factor"))).to_be_visible()
    fine(page, "closed")
    page.get_by_role("link", name="Set it up").click()
    page.get_by_role("button", name="Set up codes").click()
    page.get_by_role("dialog").get_by_label("Your password").fill(OWNER["password"])
    page.get_by_role("button", name="Go on").click()
    secret = page.get_by_role("dialog").locator("code").inner_text().replace(" ", "")
    page.get_by_label("Code that the app shows now").fill(code_of(secret))
    page.get_by_role("button", name="Switch on").click()
    page.get_by_role("button", name="I have kept them").click()
    page.goto("/workflows")
    expect(page.get_by_role("heading", name="Workflows", level=1)).to_be_visible()
    fay.goto("/inbox")
    expect(fay.get_by_role("heading", name="Inbox", level=1)).to_be_visible()
