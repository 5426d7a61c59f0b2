"""Accounts as people have them: joining by mail, a forgotten password, sessions, workspaces."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import OWNER, App, served, wait_until
from tests.e2e.conftest import OpenPage, Watch
from tests.e2e.letterbox import folder
from tests.e2e.test_pages import AT_ONCE, AXE, PHONE, RUN_AXE, THEMES

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PASSWORD = "a calm lake 42"
BACKEND = "tests.e2e.letterbox.Letterbox"
REFUSED = "40[134] .*|Failed to load resource.*40[134]"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[App]:
    """A server that sends mail."""
    place = tmp_path_factory.mktemp("mailing")
    with served(place, sqlite_template, EMAIL_BACKEND=BACKEND) as running:
        yield running


def letter_to(app: App, address: str, subject: str) -> str:
    """Return the link in the newest letter."""
    box = folder(app.folder / "var")

    def found() -> list[str]:
        files = sorted(box.glob(f"{address}-*"), key=lambda file: file.stat().st_mtime)
        texts = [file.read_text() for file in files]
        return [text for text in texts if text.startswith(subject)]

    text = wait_until(found, f"a letter to {address}", 120)[-1]
    link = re.search(r"https?://\S+", text)
    assert link
    return link[0]


def sign_in(page: Page, email: str, password: str) -> None:
    page.goto("/sign-in")
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()


def fine(page: Page, name: str) -> None:
    """Assert that axe finds nothing grave in either theme, also on a phone; keep pictures."""
    page.evaluate(AT_ONCE)
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        if page.locator("#root").count():  # a plain page of Django has no theme to wait for
            expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", theme)
        expect(page.locator("h1").first).to_be_attached()
        page.evaluate(AXE.read_text())
        assert page.evaluate(RUN_AXE, {}) == [], (name, theme)
        for kind, size in (("wide", {"width": 1280, "height": 720}), ("phone", PHONE)):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.wait_for_timeout(250)
            scrolled = "document.documentElement.scrollWidth > window.innerWidth"
            assert not page.evaluate(scrolled), (name, kind)
            if where := os.environ.get("PICTURES"):
                page.screenshot(path=Path(where) / f"{name}-{theme}-{kind}.png")
        page.set_viewport_size({"width": 1280, "height": 720})


def test_a_reviewer_joins_by_mail_and_forgets_the_password(
    app: App, signed_in: Page, new_page: OpenPage, watch: Watch
) -> None:
    watch.expect(REFUSED)
    page = signed_in
    page.goto("/settings/members")
    page.get_by_role("button", name="Invite somebody").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Role").click()
    page.get_by_role("option", name="Reviewer").click()
    dialog.get_by_label("E-mail").fill("rita@example.org")
    dialog.get_by_role("button", name="Send the invitation").click()
    expect(dialog).to_contain_text("on its way to rita@example.org")
    fine(page, "invited")

    rita = new_page(storage_state=None)
    rita.goto(letter_to(app, "rita@example.org", "Join Harbour"))
    rita.get_by_label("Your name").fill("Rita")
    rita.get_by_label("Password", exact=True).fill(PASSWORD)
    rita.get_by_role("button", name="Join").click()
    expect(rita).to_have_url(re.compile("/inbox$"))

    guest = new_page(storage_state=None)
    guest.goto("/sign-in")
    guest.get_by_label("E-mail").fill("rita@example.org")
    fine(guest, "sign-in")
    guest.get_by_role("link", name="Forgot password?").click()
    expect(guest.get_by_label("E-mail")).to_have_value("rita@example.org")
    fine(guest, "forgot")
    guest.get_by_label("E-mail").press("Enter")
    expect(guest.get_by_role("heading", name="Look at your mail")).to_be_visible()

    link = letter_to(app, "rita@example.org", "A new password")
    guest.goto(link)
    fine(guest, "reset")
    guest.get_by_label("New password").fill("a wholly new lake 43")
    guest.get_by_role("button", name="Set it").click()
    expect(guest.get_by_role("heading", name="The new password holds")).to_be_visible()
    rita.goto("/runs")
    expect(rita).to_have_url(re.compile("/sign-in"))

    guest.get_by_role("link", name="Sign in").click()
    sign_in(guest, "rita@example.org", "a wholly new lake 43")
    expect(guest).to_have_url(re.compile("/inbox$"))
    late = new_page(storage_state=None)
    late.goto(link)
    late.get_by_label("New password").fill("yet another lake 44")
    late.get_by_role("button", name="Set it").click()
    expect(late.get_by_role("heading", name="This link does not work")).to_be_visible()


def test_a_person_changes_name_and_password_and_ends_sessions(
    app: App, owner: Any, new_page: OpenPage, watch: Watch
) -> None:
    watch.expect(REFUSED)
    person = {"name": "Paul", "email": "paul@example.org", "password": PASSWORD}
    app.ensure_member(**person, role="operator")
    page, other = new_page(storage_state=None), new_page(storage_state=None)
    for each in (page, other):
        sign_in(each, person["email"], PASSWORD)
        expect(each).to_have_url(re.compile("/dashboard"))
    page.get_by_role("button", name="Paul: menu").click()
    page.get_by_role("menuitem", name="Profile").click()
    expect(page.get_by_role("heading", level=1, name="Profile")).to_be_visible()
    fine(page, "profile")
    page.get_by_label("Name").fill("Paul Pilot")
    page.get_by_label("Name").press("Enter")
    expect(page.get_by_role("button", name="Paul Pilot: menu")).to_be_visible()
    with page.expect_response(lambda said: said.request.method == "PATCH"):
        page.get_by_text("Dark", exact=True).click()  # seen at once, kept a moment later
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    other.reload()
    expect(other.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    page.get_by_text("As the system").click()
    page.get_by_role("combobox", name="Time zone").fill("Tokyo")
    page.get_by_role("option", name="Asia/Tokyo").click()
    page.goto("/notifications")
    page.get_by_role("radio", name="Once a day").click()
    page.get_by_role("combobox", name="At, in Asia/Tokyo").click()
    with page.expect_response(lambda said: said.request.method == "PATCH"):
        page.get_by_role("option", name="17:00").click()
    page.reload()
    expect(page.get_by_role("radio", name="Once a day")).to_be_checked()
    expect(page.get_by_role("combobox", name="At, in Asia/Tokyo")).to_have_value("17:00")
    page.goto("/profile")
    page.get_by_role("link", name="Password and security").click()
    sessions = page.get_by_role("list", name="Sessions").get_by_role("listitem")
    expect(sessions).to_have_count(3)
    expect(sessions.first).to_contain_text("this one")
    sessions.last.scroll_into_view_if_needed()
    fine(page, "sessions")

    page.get_by_label("Present password").fill("not it at all")
    page.get_by_label("New password").fill("a second calm lake 9")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("this is not your present password")).to_be_visible()
    page.get_by_label("Present password").fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("The password is changed")).to_be_visible()
    expect(sessions).to_have_count(1)
    other.goto("/runs")
    expect(other).to_have_url(re.compile("/sign-in"))

    sign_in(other, person["email"], "a second calm lake 9")
    expect(other).to_have_url(re.compile("/(dashboard|runs)"))
    page.reload()
    expect(sessions).to_have_count(2)
    page.get_by_role("button", name=re.compile("^End the session of")).click()
    expect(sessions).to_have_count(1)
    page.get_by_role("button", name="Sign out everywhere").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(re.compile("/sign-in"))


def test_an_owner_makes_a_second_workspace_and_switches(signed_in: Page) -> None:
    page = signed_in
    page.goto("/workflows")
    expect(page.get_by_text("Support triage").first).to_be_visible()
    menu = page.get_by_role("button", name="Ada Owner: menu")
    menu.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Harbour")).to_have_attribute("aria-current", "true")
    fine(page, "menu")
    page.get_by_role("menuitem", name="New workspace").press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Lighthouse")
    fine(page, "new-workspace")
    dialog.get_by_label("Name").press("Enter")

    expect(page.get_by_text("Support triage")).to_have_count(0)
    page.goto("/settings/workspace")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Lighthouse")
    menu.click()
    page.get_by_role("menuitem", name="Harbour").click()
    expect(page.get_by_text("Support triage").first).to_be_visible()


def test_the_administration_asks_on_the_one_page_and_lets_in(
    app: App, owner: Any, new_page: OpenPage, watch: Watch
) -> None:
    watch.expect("403.*admin|admin.*403|Failed to load resource.*403")
    page = new_page(storage_state=None)
    page.goto("/admin/builder/run/")
    page.get_by_label("E-mail").fill(OWNER["email"])
    page.get_by_label("Password", exact=True).fill(OWNER["password"])
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(re.compile("/admin/builder/run/$"))

    app.ensure_member(name="Vic", email="vic@example.org", password=PASSWORD)
    vic = new_page(storage_state=None)
    sign_in(vic, "vic@example.org", PASSWORD)
    expect(vic.get_by_role("heading", name="Workflows", level=1)).to_be_visible()
    vic.goto("/admin/")
    expect(vic.get_by_role("heading", name=re.compile("may not open"))).to_be_visible()
    fine(vic, "no-admin")
