"""People speak about a card, each with the other there, and workflows are put into folders."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.app import App
from tests.e2e.conftest import OpenPage
from tests.e2e.documents import line
from tests.e2e.editor import inspector, node, nodes, rename, saved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROSE = {"email": "rose@example.org", "name": "Rose Reviewer", "password": "a fourth harbour 9"}


@pytest.fixture
def roses(app: App, new_page: OpenPage) -> Page:
    """A page of a reviewer, signed in: she draws nothing and has a voice all the same."""
    app.ensure_member(**ROSE, role="reviewer")
    page = new_page(storage_state=None)
    page.goto("/sign-in")
    page.get_by_label("E-mail").fill(ROSE["email"])
    page.get_by_label("Password", exact=True).fill(ROSE["password"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    return page


def marked(page: Page, node_id: str) -> Locator:
    """Return the mark of open threads on a card."""
    return node(page, node_id).get_by_role("img", name=re.compile("open comment thread"))


def test_a_card_is_spoken_of_and_workflows_lie_in_folders(
    app: App, signed_in: Page, roses: Page
) -> None:
    adas = signed_in
    delays = [
        {"id": each, "type": "delay", "label": each.title(), "config": {"duration_ms": 10}}
        for each in ("one", "two")
    ]
    graph = app.api.make(line("spoken-of", delays))
    for page in (adas, roses):
        page.goto(f"/workflows/{graph}")
        expect(nodes(page)).to_have_count(2)
        expect(page.get_by_role("button", name="Comments")).to_be_visible()

    # A list without threads says how one is begun: also where there are no keys.
    roses.get_by_role("button", name="Comments").click()
    expect(roses.get_by_text("write under Comments, below its settings")).to_be_visible()
    roses.get_by_role("button", name="Close comments").click()

    # Ada names Rose by keys alone; Rose sees the mark at once, finds the thread, and answers.
    node(adas, "one").click()
    adas.keyboard.press("m")
    words = adas.get_by_role("combobox", name="Write a comment")
    expect(words).to_be_focused()
    words.press_sequentially("Is this long enough, @ros")
    expect(adas.get_by_role("option", name=ROSE["name"])).to_have_attribute("aria-selected", "true")
    words.press("Enter")
    expect(words).to_have_value(f"Is this long enough, @{ROSE['name']} ")
    words.press_sequentially("? <b>https://example.com</b>")
    words.press("Control+Enter")
    expect(inspector(adas).locator("b", has_text=f"@{ROSE['name']}")).to_be_visible()

    expect(marked(roses, "one")).to_have_text("1")
    told = roses.get_by_role("alert").filter(has_text="named you in Spoken of")
    expect(told).to_contain_text("Is this long enough")
    roses.get_by_role("button", name="Comments, 1 for you").click()
    panel = roses.get_by_role("region", name="Comments")
    panel.get_by_role("button", name=re.compile("^Is this long enough.*New for you")).click()
    answer = inspector(roses).get_by_role("combobox", name="Reply")
    expect(answer).to_be_focused()
    answer.fill("It is.")
    answer.press("Control+Enter")
    expect(inspector(adas).get_by_text("It is.")).to_be_visible()

    # The thread follows the card to its new id, and a link leads to it.
    expect(inspector(roses).get_by_text("It is.")).to_be_visible()
    expect(roses.get_by_role("button", name=re.compile("Comments.* for you"))).to_have_count(0)
    thread = app.api.get(f"graphs/{graph}/threads/")["results"][0]["id"]
    roses.goto("/inbox")
    expect(roses.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    expect(adas.get_by_role("group", name="Also here")).to_have_count(0)
    rename(adas, "one", "Pause")
    expect(marked(adas, "pause")).to_have_text("1")
    saved(adas)
    adas.goto(f"/workflows/{graph}?thread={thread}")
    expect(inspector(adas).get_by_role("combobox", name="Reply")).to_be_focused()
    inspector(adas).get_by_role("button", name="Resolve").click()
    expect(inspector(adas).get_by_role("button", name="Open again")).to_be_visible()
    expect(marked(adas, "pause")).to_have_count(0)

    # Elsewhere a reply is told too: on every page, in the inbox, and later among the mentions.
    reply = f"graphs/{graph}/threads/{thread}/comments/"
    app.api.post(reply, {"text": "Then it stays as it is."})
    expect(roses.get_by_role("alert").filter(has_text="answered in Spoken of")).to_be_visible()
    expect(roses.get_by_role("link", name=re.compile("answered in Spoken of$"))).to_be_visible()
    roses.get_by_role("button", name=re.compile("menu, 1 unread mention$")).click()
    roses.get_by_role("menuitem", name="Mentions").click()
    entries = roses.get_by_role("main").get_by_role("listitem")
    expect(entries).to_contain_text(["Then it stays", "Is this long enough"])
    roses.get_by_role("link", name=re.compile("^Unread.*Then it stays")).click()
    expect(inspector(roses).get_by_text("Then it stays")).to_be_visible()
    expect(roses.get_by_role("button", name=re.compile("menu$"))).to_be_visible()

    # A workflow is put into a folder from its menu; the address says the folder.
    adas.goto("/workflows")
    adas.get_by_role("button", name="More for Spoken of").click()
    adas.get_by_role("menuitem", name="Move to a folder").click()
    adas.get_by_role("dialog").get_by_label("Folder", exact=True).fill("Support/Refunds")
    adas.get_by_role("button", name="Move", exact=True).click()
    folders = adas.get_by_role("navigation", name="Folders")
    folders.get_by_role("button", name="Support, 1 workflow").click()
    expect(adas).to_have_url(re.compile(r"\?folder=Support$"))
    folders.get_by_role("button", name="Rename this folder").click()
    name = adas.get_by_role("dialog").get_by_label("Folder", exact=True)
    name.fill("n" * 309)
    name.press("Enter")
    expect(adas.get_by_text("at most 40 letters, this one has 309")).to_be_visible()
    expect(name).to_be_focused()
    expect(name).to_have_value("n" * 309)
    name.fill("Care")
    adas.get_by_role("button", name="Rename", exact=True).click()
    expect(adas).to_have_url(re.compile(r"\?folder=Care$"))
    expect(adas.get_by_role("row", name=re.compile("Spoken of"))).to_contain_text("Refunds")
    adas.get_by_role("row", name=re.compile("Spoken of")).drag_to(
        folders.get_by_role("button", name="All workflows")
    )
    expect(adas.get_by_text("Nothing is in Care any more")).to_be_visible()
    moved = adas.get_by_role("alert").filter(has_text="now in no folder")
    moved.get_by_role("button", name="Undo").click()
    expect(adas.get_by_role("row", name=re.compile("Spoken of"))).to_contain_text("Refunds")

    # A folder is removed by a click: what lay in it is one folder up, and Undo makes it again.
    folders.get_by_role("button", name="Refunds, 1 workflow").click()
    folders.get_by_role("button", name="Remove this folder").click()
    expect(adas).to_have_url(re.compile(r"\?folder=Care$"))
    expect(folders.get_by_role("button", name=re.compile("Refunds"))).to_have_count(0)
    up = adas.get_by_role("alert").filter(has_text="now in Care").last
    up.get_by_role("button", name="Undo").click()
    expect(folders.get_by_role("button", name="Refunds, 1 workflow")).to_be_visible()

    # A new folder is made around what is chosen; picking rows moves none of them.
    folders.get_by_role("button", name="All workflows").click()
    row = adas.get_by_role("row", name=re.compile("Spoken of"))
    expect(row).to_be_visible()
    before = row.bounding_box()
    row.get_by_role("checkbox").check()
    expect(adas.get_by_role("group", name="Picked workflows")).to_be_visible()
    assert row.bounding_box() == before
    folders.get_by_role("button", name="New folder").click()
    adas.get_by_role("dialog").get_by_label("Folder", exact=True).fill("Talks")
    adas.get_by_role("button", name="Make", exact=True).click()
    expect(folders.get_by_role("button", name="Talks, 1 workflow")).to_be_visible()
