"""A card that changed since the last run says so, and only that is run and paid for again."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.app import App
from tests.e2e.conftest import Watch
from tests.e2e.documents import agent, line, thinker
from tests.e2e.editor import fill_code, inspector, node, rename, run_of, run_panel, saved
from tests.e2e.test_pages import AT_ONCE, AXE, look_in_both

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def applied() -> dict[str, Any]:
    """Return a graph of which the second of three nodes will be changed; only the first is paid."""
    check = {"id": "check", "type": "output", "label": "Check", "config": {"value": "previous"}}
    letter = {"id": "letter", "type": "output", "label": "Letter", "config": {"value": "previous"}}
    nodes = [agent("extract", "ann", label="Extract"), check, letter]
    return line("stale", nodes, agents=[thinker("ann", "brisk")], defaults=READS)


READS = {"read_keys": ["input", "previous"]}


def mark(page: Page, of: str) -> Locator:
    """Return what a card says of a change."""
    return node(page, of).get_by_role("img", name=re.compile("since the last run"))


def test_what_changed_is_marked_and_only_that_is_run(
    app: App, slow_models: None, signed_in: Page
) -> None:
    page = signed_in
    page.context.add_init_script(path=AXE)
    graph = app.api.make(applied())
    first = app.api.wait(app.api.start(graph, "Hello", draft=True), "completed")
    page.goto(f"/workflows/{graph}")
    page.get_by_role("button", name="Test run", exact=True).click()
    panel = run_panel(page)
    standing = panel.get_by_role("status", name="This run")
    expect(standing).to_contain_text("Completed")
    stale = panel.get_by_role("button", name=re.compile("^Run what is stale"))
    expect(stale).to_have_count(0)

    rename(page, "check", "Look closer")
    saved(page)
    fill_code(page, "Value", "previous + '!'")
    expect(mark(page, "check")).to_have_accessible_name("Changed since the last run: its settings")
    expect(mark(page, "letter")).to_have_accessible_name(
        "Not up to date: builds on Look closer, which changed since the last run"
    )
    expect(mark(page, "extract")).to_have_count(0)
    expect(stale).to_have_accessible_name("Run what is stale, ≈ $0.00, 1 reused")
    page.keyboard.press("Escape")
    page.evaluate(AT_ONCE)
    found = look_in_both(page, "stale")
    inspector(page).get_by_role("button", name="Close the inspector").click()
    page.keyboard.press("o")
    line_of = page.get_by_role("treeitem", name=re.compile("^2 Look closer"))
    expect(line_of).to_contain_text("changed since the last run: its settings")
    found += look_in_both(page, "stale-outline")
    page.keyboard.press("o")

    page.keyboard.press("Control+Shift+Enter")
    expect(mark(page, "check")).to_have_count(0)
    expect(standing).to_contain_text("Completed")
    run = app.api.run(run_of(page))
    assert run["forked_from"]["run_id"] == first["id"]
    assert (run["spend"]["tokens"], run["result"]) == (0, f"{first['result']}!")
    expect(stale).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(mark(page, "check")).to_be_visible()
    assert found == []


OVERLAPS = """panel => {
    const shown = [...panel.querySelectorAll('header a, header button, header .mantine-Badge-root')]
        .map(each => [each, each.getBoundingClientRect()]).filter(([, box]) => box.width > 0);
    return shown.flatMap(([one, a]) => shown.filter(([other, b]) => one !== other
        && !one.contains(other) && !other.contains(one)
        && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom && b.top < a.bottom)
        .map(([other]) => `${one.textContent} / ${other.textContent}`));
}"""
"""What lies on something else in the head of the panel."""


def test_pinned_and_stale_the_head_of_the_panel_has_room(app: App, signed_in: Page) -> None:
    page = signed_in
    says = {"type": "output", "config": {"value": "'x'"}}
    ends = [{"id": each, "label": each.title(), **says} for each in ("first", "last")]
    graph = app.api.make(line("crowded-head", ends))
    for _ in range(2):
        app.api.wait(app.api.start(graph, "Hello", draft=True), "completed")
    page.goto(f"/workflows/{graph}")
    page.get_by_role("button", name="Test run", exact=True).click()
    panel = run_panel(page)
    node(page, "last").click()
    panel.get_by_role("tab", name="Node").click()
    panel.get_by_role("button", name="Pin its answer").click()
    expect(panel.get_by_text("1 pinned")).to_be_visible()
    node(page, "first").click()
    fill_code(page, "Value", "'y'")
    expect(panel.get_by_role("button", name=re.compile("^Run what is stale"))).to_be_visible()
    expect(panel.get_by_role("link", name="Open the whole run")).to_be_visible()
    for width in (1280, 1440, 1100):
        page.set_viewport_size({"width": width, "height": 800})
        assert panel.evaluate(OVERLAPS) == [], width


def test_after_the_start_fields_changed_it_says_why_nothing_is_taken_over(
    app: App, signed_in: Page, watch: Watch
) -> None:
    watch.expect(r"status of 400 .*/fork-plan/\?stale=true$")
    page = signed_in
    page.context.add_init_script(path=AXE)
    says = {"id": "say", "type": "output", "label": "Say", "config": {"value": "'x'"}}
    graph = app.api.make(line("new-fields", [says], interface=asking("name")))
    app.api.wait(app.api.start(graph, {"name": "Ada"}, draft=True), "completed")
    page.goto(f"/workflows/{graph}")
    page.get_by_role("button", name="Test run", exact=True).click()
    panel = run_panel(page)
    why = panel.get_by_role("status", name="Since this run")
    expect(panel.get_by_role("status", name="This run")).to_contain_text("Completed")
    expect(why).to_have_count(0)

    revision = app.api.get(f"graphs/{graph}/")["revision"]
    changed = {"revision": revision, "set_graph": {"interface": asking("name", "age")}}
    app.api.patch(f"graphs/{graph}/draft/", changed)
    page.reload()
    expect(why).to_contain_text("The start fields changed since this run")
    expect(why).to_contain_text("“Run again” starts from the start")
    page.evaluate(AT_ONCE)
    assert look_in_both(page, "stale-refused") == []


def asking(*names: str) -> dict[str, Any]:
    """Return an interface whose start fields must all be given."""
    fields = {name: {"type": "string"} for name in names}
    return {"inputs": {"type": "object", "properties": fields, "required": list(names)}}
