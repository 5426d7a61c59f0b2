"""The proof on the canvas, versions compared, a run forked and compared: as an author does it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.app import App
from tests.e2e.documents import line
from tests.e2e.editor import inspector, node, saved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

POST = {"url": "https://example.com/", "method": "POST"}


def problems(page: Page) -> Locator:
    return page.get_by_role("region", name="Problems")


def open_problems(page: Page) -> Locator:
    page.get_by_role("button", name=re.compile("errors|No problems")).click()
    return problems(page)


def sending(slug: str) -> dict[str, Any]:
    """Return a router before an approval and a POST, with a way beside the approval."""
    nodes = [
        {"id": "sort", "type": "router", "label": "Sort", "config": {"expression": "'ask'"}},
        {
            "id": "review",
            "type": "approval",
            "label": "Review",
            "config": {"policy": {"eligible": ["group:nobody-here"]}},
        },
        {"id": "pay", "type": "http_request", "label": "Pay back", "config": POST},
    ]
    document = line(slug, nodes)
    document["edges"].append({"id": "beside", "source": "sort", "target": "pay", "when": "small"})
    return document


def open_edges(page: Page) -> list[str]:
    """Return the ids of the edges that are drawn as a way without a guard."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('.react-flow__edge:has([data-open=true])')]"
        ".map((edge) => edge.dataset.id)"
    )
    return sorted(found)


def test_the_way_to_a_danger_is_drawn_and_a_problem_leads_to_its_field(
    app: App, signed_in: Page
) -> None:
    """C192: An unguarded way is drawn when its problem is picked; a problem focuses its field."""
    page = signed_in
    graph = app.api.make(sending("proof-way"))
    page.goto(f"/workflows/{graph}")
    panel = open_problems(page)

    panel.locator('[data-code="UnguardedEffect"]').click()
    expect(node(page, "pay").locator("[data-open=true]").first).to_be_visible()
    assert open_edges(page) == ["beside", "e0"]

    panel.locator('[data-code="NobodyMayDecide"]').click()
    policy = inspector(page).get_by_role("group", name="Who decides")
    expect(policy.get_by_role("button", name=re.compile("nobody-here"))).to_be_focused()
    assert open_edges(page) == []


def test_the_gate_and_the_mark(app: App, signed_in: Page) -> None:
    """C192: The gate blocks publication; a node that an author marks is dangerous too."""
    page = signed_in
    graph = app.api.make(
        line("proof-gate", [{"id": "out", "type": "output", "label": "Tell", "config": {}}])
    )
    page.goto(f"/workflows/{graph}")
    node(page, "out").click()
    inspector(page).get_by_role("button", name=re.compile("^Reliability")).click()
    inspector(page).get_by_role("switch", name=re.compile("^Dangerous step")).click()
    saved(page)
    panel = open_problems(page)
    expect(panel).to_contain_text("1 dangerous, 1 not guarded")

    panel.get_by_role("switch", name="Publish only with a guard before each").click()
    expect(page.get_by_role("button", name=re.compile("^Problems: 1 error"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(inspector(page)).to_be_visible()
    page.get_by_role("button", name="Publish", exact=True).click()
    dialog = page.get_by_role("dialog", name="Publish")
    expect(dialog).to_contain_text("1 error to fix first")
    expect(dialog.get_by_role("button", name="Publish", exact=True)).to_be_disabled()


def test_versions_are_compared_and_an_older_one_goes_live(app: App, signed_in: Page) -> None:
    """A version says what changed since; an older one becomes live again."""
    page = signed_in
    out = {"id": "out", "type": "output", "label": "Tell", "config": {"value": "'one and only'"}}
    graph = app.api.make(line("proof-versions", [out]), publish=True)
    detail = app.api.get(f"graphs/{graph}/")
    changed = {**detail["document"]["nodes"][0], "config": {"value": "'two'"}}
    revision = app.api.patch(
        f"graphs/{graph}/draft/", {"revision": detail["revision"], "set_nodes": [changed]}
    )["revision"]
    page.goto(f"/workflows/{graph}")

    page.get_by_role("button", name="Publish", exact=True).click()
    since = page.get_by_role("region", name="Changes since version 1")
    expect(since).to_contain_text("1 node changed")
    expect(since).to_contain_text("Value")
    page.keyboard.press("Escape")

    app.api.post(f"graphs/{graph}/publish/", {"revision": revision})
    page.reload()
    page.get_by_role("button", name="Versions", exact=True).click()
    page.get_by_role("button", name="More for version 1").click()
    page.get_by_role("menuitem", name="Make it live again").click()
    page.get_by_role("button", name="Make it live", exact=True).click()
    expect(page.get_by_text("Version 1 again")).to_be_visible()
    assert app.api.get(f"graphs/{graph}/")["published"]["number"] == 3


def test_a_run_is_forked_with_other_memory_and_compared(app: App, signed_in: Page) -> None:
    """C33: From a node of a run, with changed memory, a new run goes on; both are compared."""
    page = signed_in
    first = {"id": "first", "type": "output", "label": "First", "config": {"value": "'done'"}}
    second = {
        "id": "second",
        "type": "output",
        "label": "Second",
        "read_keys": ["topic"],
        "config": {"value": "memory.topic"},
    }
    document = line("proof-fork", [first, second], initial_memory={"topic": "boats"})
    graph = app.api.make(document, publish=True)
    run = app.api.start(graph, "go")
    app.api.wait(run, "completed")
    page.goto(f"/runs/{run}")

    node(page, "second").click()
    page.get_by_role("button", name="Fork from here").click()
    dialog = page.get_by_role("dialog", name="Fork this run")
    expect(dialog.get_by_role("region", name="Plan")).to_contain_text("First")
    dialog.get_by_label("Memory at this point").fill('{"topic": "ships"}')
    dialog.get_by_role("button", name="Start the fork").click()
    expect(page).not_to_have_url(re.compile(run))
    expect(page.get_by_text("forked from")).to_be_visible()
    forked = page.url.rsplit("/", 1)[-1]
    assert app.api.wait(forked, "completed")["result"] == "ships"

    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("menuitem", name="Compare with the run it came from").click()
    row = page.get_by_role("region", name="Nodes").get_by_role("row").filter(has_text="Second")
    expect(row).to_contain_text("boats")
    expect(row).to_contain_text("ships")
    expect(page.get_by_role("region", name="Run B")).to_contain_text("forked from A")
