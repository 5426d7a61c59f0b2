"""The editor's tools for what is drawn already: replace, guides and frames, extract, run from here, keys, fit to be read."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, wait_until
from tests.e2e.documents import line
from tests.e2e.editor import drag, inspector, middle, node, nodes, run_panel, saved, wires
from tests.e2e.test_pages import AT_ONCE, AXE, look_in_both, settled

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def delay(node_id: str, **more: Any) -> dict[str, Any]:
    """Return a node that waits for a moment."""
    return {
        "id": node_id,
        "type": "delay",
        "label": f"Wait {node_id}",
        "config": {"duration_ms": 1},
        **more,
    }


def open_editor(page: Page, app: App, document: dict[str, Any]) -> str:
    """Open the editor of a fresh graph; return its id."""
    graph_id = app.api.make(document)
    page.goto(f"/workflows/{graph_id}")
    expect(nodes(page)).to_have_count(len(document["nodes"]))
    return graph_id


def test_a_text_is_replaced_everywhere_and_back(app: App, signed_in: Page) -> None:
    page = signed_in
    open_editor(page, app, line("replace", [delay("a"), delay("b")]))

    page.keyboard.press("Control+Shift+f")
    dialog = page.get_by_role("dialog", name="Find and replace")
    dialog.get_by_label("Find", exact=True).fill("wait")
    expect(dialog.get_by_role("status")).to_have_text("In 2 places")
    dialog.get_by_label("Replace with").fill("Rest")
    dialog.get_by_role("button", name="Replace all").click()

    expect(node(page, "a")).to_contain_text("Rest a")
    expect(node(page, "b")).to_contain_text("Rest b")
    page.keyboard.press("Control+z")
    expect(node(page, "b")).to_contain_text("Wait b")


def test_a_dragged_card_catches_and_a_frame_takes_its_cards_along(
    app: App, signed_in: Page
) -> None:
    page = signed_in
    placed = [
        delay("a", position={"x": 0, "y": 0}),
        delay("b", position={"x": 320, "y": 43}),
    ]
    graph_id = open_editor(page, app, line("guides", placed))
    x, y = middle(node(page, "b"))
    scale = (
        page.evaluate(
            "document.querySelector('.react-flow__node-card').getBoundingClientRect().width"
        )
        / 232
    )

    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 3, y)
    page.mouse.move(x + 3, y - 40 * scale, steps=4)
    page.mouse.up()
    saved(page)
    stored = {
        each["id"]: each["position"]
        for each in app.api.get(f"graphs/{graph_id}/")["document"]["nodes"]
    }
    assert stored["b"]["y"] == 0

    page.keyboard.press("Control+a")
    page.keyboard.press("Control+g")
    frame = page.locator(".react-flow__node-note")
    expect(frame).to_have_count(1)
    box = frame.bounding_box()
    assert box is not None
    page.keyboard.press("Escape")
    top = box["x"] + box["width"] / 2, box["y"] + 8
    before = middle(node(page, "a"))
    drag(page, top, (top[0], top[1] + 80))
    saved(page)
    assert middle(node(page, "a"))[1] > before[1] + 40
    page.keyboard.press("Control+z")
    wait_until(lambda: middle(node(page, "a")) == pytest.approx(before, abs=1), "the way back")


def test_nodes_become_a_workflow_of_their_own(app: App, signed_in: Page) -> None:
    page = signed_in
    open_editor(page, app, line("whole", [delay("a"), delay("b"), delay("c")]))
    node(page, "b").click()

    page.keyboard.press("Control+Shift+g")
    dialog = page.get_by_role("dialog", name="Extract to a subgraph")
    dialog.get_by_label("Name of the new workflow").fill("Middle part")
    dialog.get_by_role("button", name="Extract").click()

    expect(nodes(page)).to_have_count(3)
    expect(node(page, "middle-part")).to_contain_text("Middle part")
    expect(wires(page)).to_have_count(3)
    saved(page)
    assert app.api.graph("middle-part")["published"]["number"] == 1
    page.keyboard.press("Control+z")
    expect(node(page, "b")).to_be_visible()


def test_the_draft_runs_from_a_node_on_with_what_was_recorded(app: App, signed_in: Page) -> None:
    page = signed_in
    document = line("onward", [delay("a"), delay("b")])
    graph_id = open_editor(page, app, document)
    node(page, "b").click()
    page.keyboard.press("Alt+Shift+Enter")
    expect(page.get_by_role("dialog", name="Run from here")).to_contain_text("no finished run")
    page.keyboard.press("Escape")

    app.api.wait(app.api.start(graph_id, "x", draft=True), "completed")
    node(page, "b").click()
    page.keyboard.press("Alt+Shift+Enter")
    plan = page.get_by_role("dialog", name="Run from here").get_by_role("region", name="Plan")
    expect(plan).to_contain_text(re.compile("Reused.*Wait a.*again.*Wait b", re.DOTALL))
    page.get_by_role("button", name="Start the fork").click()

    standing = run_panel(page).get_by_role("status", name="This run")
    expect(standing).to_contain_text("Completed")
    assert page.url.endswith(f"/workflows/{graph_id}")


def test_a_shortcut_is_changed_and_given_back(app: App, signed_in: Page) -> None:
    page = signed_in
    open_editor(page, app, line("keys", [delay("a")]))
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")

    page.keyboard.press("?")
    expect(sheet.get_by_label("Search shortcuts")).to_be_focused()
    sheet.get_by_label("Search shortcuts").fill("Add a note")
    sheet.get_by_title("Change the keys for Add a note").click()
    page.keyboard.press("Control+m")
    expect(sheet.get_by_title("Change the keys for Add a note")).to_have_text("CtrlM")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.keyboard.press("n")
    page.keyboard.press("Control+m")
    expect(page.locator(".react-flow__node-note")).to_have_count(1)

    page.keyboard.press("Escape")
    page.keyboard.press("?")
    sheet.get_by_role("button", name="Usual keys for Add a note").click()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.keyboard.press("n")
    expect(page.locator(".react-flow__node-note")).to_have_count(2)


def test_the_editor_is_fit_to_be_read_whatever_is_open(app: App, signed_in: Page) -> None:
    page = signed_in
    page.context.add_init_script(path=AXE)
    triage = app.api.graph("support-triage")["id"]
    page.goto(f"/workflows/{triage}")
    settled(page)
    page.evaluate(AT_ONCE)
    node(page, "classify").click()
    expect(inspector(page)).to_be_visible()
    found = look_in_both(page, "editor-node")
    page.get_by_role("button", name=re.compile("errors?, |No problems")).click()
    expect(page.get_by_role("region", name="Problems")).to_be_visible()
    found += look_in_both(page, "editor-problems")
    page.get_by_role("button", name="Close problems").click()
    for keys, name in (
        ("Tab", "Add a node"),
        ("?", "Keyboard shortcuts"),
        ("Control+Shift+f", "Find and replace"),
        ("Control+Shift+g", "Extract to a subgraph"),
    ):
        node(page, "classify").click()
        page.keyboard.press(keys)
        dialog = page.get_by_role("dialog", name=name)
        expect(dialog).to_be_visible()
        settled(page)
        found += look_in_both(page, f"editor-{name}".lower().replace(" ", "-"))
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    for button in ("Versions", "Publish"):
        page.get_by_role("button", name=button, exact=True).click()
        dialog = page.get_by_role("dialog", name=button)
        expect(dialog).to_be_visible()
        settled(page)
        found += look_in_both(page, f"editor-{button.lower()}")
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)

    assert "\n".join(found) == ""
