"""Publishing that needs another person: asked in the editor, approved in the inbox, then live."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, looked
from tests.e2e.conftest import OpenPage
from tests.e2e.documents import line
from tests.e2e.test_inbox import GRACE, member, sign_in
from tests.e2e.test_pages import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("empty_inbox")]


def test_a_version_goes_live_once_somebody_else_approved_it(
    app: App, signed_in: Page, new_page: OpenPage
) -> None:
    member(app)
    output = {"id": "done", "type": "output", "label": "Reply", "config": {"value": "'hello'"}}
    graph = app.api.make(line("gated", [output]), publish=True)
    draft = app.api.get(f"graphs/{graph}/")
    node = {**draft["document"]["nodes"][0], "config": {"value": "'good morning'"}}
    app.api.patch(f"graphs/{graph}/draft/", {"revision": draft["revision"], "set_nodes": [node]})

    page = signed_in
    page.goto(f"/workflows/{graph}")
    page.get_by_role("button", name="Publish", exact=True).click()
    dialog = page.get_by_role("dialog", name="Publish")
    dialog.get_by_role("switch", name="Publishing needs another person's approval").check()
    expect(dialog.get_by_role("button", name="Publish", exact=True)).to_be_disabled()
    expect(dialog.get_by_text("Save the rule first")).to_be_visible()
    dialog.get_by_role("button", name="Save this rule").click()
    expect(dialog).to_contain_text("Somebody else has to approve it first: any reviewer")
    dialog.get_by_label("What changed").fill("A kinder greeting")
    dialog.get_by_role("button", name="Ask for approval").click()
    expect(dialog).to_contain_text("This draft waits for approval")
    listed = new_page()
    listed.goto("/workflows")
    row = listed.get_by_role("row", name=re.compile("Gated v1"))
    waits = row.get_by_title("Waits for approval by any reviewer")
    expect(waits).to_have_text("waits for approval by any reviewer")
    expect(row.get_by_text("changes", exact=True)).to_have_count(0)
    listed.close()

    graces = new_page(storage_state=None)
    sign_in(graces, GRACE)
    graces.goto("/inbox")
    item = graces.get_by_role("article", name=re.compile("Publish"))
    expect(item).to_contain_text("What would change since version 1")
    expect(item).to_contain_text("good morning")
    expect(item).to_contain_text("If you reject, version 1 stays live, and Ada Owner sees why.")
    looked(graces)
    graces.keyboard.press("a")

    expect(dialog.get_by_role("status")).to_contain_text("approved it: version 2 is live")
    expect(dialog.get_by_role("button", name="Ask for approval")).to_have_count(0)
    assert app.api.get(f"graphs/{graph}/versions/2/")["note"] == "A kinder greeting"


def test_who_asked_sees_a_rejection_where_they_draw(
    app: App, signed_in: Page, new_page: OpenPage
) -> None:
    """It stood in the dialog *Publish* alone, which nobody had a reason to open again."""
    member(app)
    output = {"id": "done", "type": "output", "label": "Reply", "config": {"value": "'hello'"}}
    graph = app.api.make(line("refused", [output]))
    app.api.patch(f"graphs/{graph}/publication/gate/", {"asks": ["role:reviewer"]})
    page = signed_in
    page.goto(f"/workflows/{graph}")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("dialog", name="Publish").get_by_role(
        "button", name="Ask for approval"
    ).click()
    bar = page.locator("[data-region=bar]")
    expect(bar).to_contain_text("Never published · waits for approval")
    page.keyboard.press("Escape")

    graces = new_page(storage_state=None)
    sign_in(graces, GRACE)
    graces.goto("/inbox")
    looked(graces)
    graces.keyboard.press("r")
    graces.get_by_role("textbox", name="Reason").fill("Not before Monday.")
    graces.keyboard.press("Control+Enter")

    expect(bar).to_contain_text("Never published · rejected")
    phone = new_page(viewport=PHONE)
    phone.goto(f"/workflows/{graph}")
    expect(phone.locator("[data-region=bar]").get_by_text("rejected")).to_be_visible()
    bar.get_by_role("button", name="Never published · rejected").click()
    expect(page.get_by_role("dialog", name="Publish")).to_contain_text("Not before Monday.")
