"""The menu of nodes, edges, frames and the canvas: by mouse and by keys, with the actions of everywhere else."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.app import App
from tests.e2e.conftest import OpenPage
from tests.e2e.documents import line
from tests.e2e.editor import inspector, middle, node, nodes, run_panel, saved, wires
from tests.e2e.test_pages import AT_ONCE, AXE, look_in_both, settled

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def menu(page: Page, name: str) -> Locator:
    """Return the open menu of that name; nothing else may be one."""
    opened = page.get_by_role("menu", name=name)
    expect(opened).to_be_visible()
    expect(page.get_by_role("menu")).to_have_count(1)
    return opened


def choose(page: Page, name: str, item: str) -> None:
    """Take an item of the open menu, which then is gone."""
    menu(page, name).get_by_role("menuitem", name=item, exact=True).click()
    expect(page.get_by_role("menu")).to_have_count(0)


def right_click(page: Page, at: tuple[float, float]) -> None:
    """Ask for the menu of what is there."""
    page.mouse.click(*at, button="right")


def box_of(card: Locator) -> Any:
    """Return where a card stands in the window."""
    box = card.bounding_box()
    assert box is not None
    return box


def drawn(app: App, page: Page) -> str:
    """Open the editor of two waits, one after the other; return the graph's id."""
    waits = [
        {"id": each, "type": "delay", "label": f"Wait {each}", "config": {"duration_ms": 1}}
        for each in ("a", "b")
    ]
    graph_id = app.api.make(line("menus", waits))
    page.goto(f"/workflows/{graph_id}")
    expect(nodes(page)).to_have_count(2)
    return graph_id


def by_mouse(page: Page) -> None:
    """Rename, disable, copy and paste where the pointer is, put a node into an edge, frame and unframe."""
    node(page, "a").click(button="right")
    choose(page, "Wait a", "Rename")
    page.keyboard.type("First")
    expect(inspector(page).get_by_label("Label of the node")).to_have_value("First")
    page.keyboard.press("Enter")
    expect(node(page, "a")).to_contain_text("First")

    node(page, "a").click(button="right")
    choose(page, "First", "Disable")
    node(page, "a").click(button="right")
    choose(page, "First", "Enable")

    node(page, "a").click(button="right")
    choose(page, "First", "Copy")
    right_click(page, (420, 620))
    choose(page, "Canvas", "Paste here")
    expect(node(page, "a_2")).to_be_visible()
    box = box_of(node(page, "a_2"))
    assert (box["x"], box["y"]) == pytest.approx((420, 620), abs=10)
    page.keyboard.press("Control+z")
    expect(nodes(page)).to_have_count(2)

    edge = wires(page).and_(page.locator('[data-id="e1"]'))
    right_click(page, middle(edge))
    choose(page, "Wire", "Edit condition")
    expect(inspector(page).get_by_role("combobox", name="Field", exact=True)).to_be_focused()
    right_click(page, middle(edge))
    choose(page, "Wire", "Insert a node here")
    expect(page.get_by_role("dialog", name="Add a node").get_by_role("combobox")).to_be_focused()
    page.keyboard.type("wait")
    page.keyboard.press("Enter")
    expect(nodes(page)).to_have_count(3)
    expect(wires(page)).to_have_count(3)
    sides = sorted((box["x"], box["x"] + box["width"]) for box in map(box_of, nodes(page).all()))
    assert all(right < left for (_, right), (left, _) in pairwise(sides)), sides


def by_keys(page: Page) -> None:
    """Open the menu of the selection, walk it, and leave it without and with a choice."""
    page.get_by_role("button", name="Fit everything").click()
    node(page, "a").click()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(".react-flow__node-card.selected")).to_have_count(3)
    page.keyboard.press("Shift+F10")
    expect(menu(page, "3 selected").get_by_role("menuitem").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(page.locator(".react-flow__node-card.selected")).to_have_count(3)

    page.keyboard.press("ContextMenu")
    first = menu(page, "3 selected").get_by_role("menuitem").first
    expect(first).to_be_focused()
    page.keyboard.type("fra")
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu")).to_have_count(0)
    page.keyboard.press("ContextMenu")
    expect(menu(page, "Frame").get_by_role("menuitem").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".react-flow__node-note").get_by_role("textbox")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("Together")
    page.keyboard.press("Escape")
    expect(page.locator(".react-flow__node-note")).to_contain_text("Together")
    page.keyboard.press("ContextMenu")
    choose(page, "Frame", "Select what it frames")
    expect(page.locator(".react-flow__node-card.selected")).to_have_count(3)
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+F10")
    menu(page, "Canvas")
    page.keyboard.press("Tab")
    expect(page.get_by_role("menu")).to_have_count(0)


def to_here(app: App, page: Page, graph_id: str) -> None:
    """Run to a node: what follows it is not started; going on from there uses a run that got so far."""
    app.api.wait(app.api.start(graph_id, "x", draft=True), "completed")
    node(page, "a").click(button="right")
    choose(page, "First", "Run to here")
    panel = run_panel(page)
    panel.get_by_role("button", name="Run to “First”").click()
    expect(panel.get_by_role("tabpanel", name="Live")).to_contain_text("Stopped after “First”")
    page.get_by_role("button", name="Close the inspector").click()
    done = page.locator('[aria-label*="Completed"]')
    expect(nodes(page).filter(has=done)).to_have_count(1)

    node(page, "b").click(button="right")
    choose(page, "Wait b", "Run from here")
    plan = page.get_by_role("dialog", name="Run from here").get_by_role("region", name="Plan")
    expect(plan).to_contain_text(re.compile("Reused.*First.*again.*Wait b", re.DOTALL))


def test_what_can_be_done_with_a_thing_is_in_its_menu(app: App, new_page: OpenPage) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.context.add_init_script(path=AXE)
    graph_id = drawn(app, page)
    page.evaluate(AT_ONCE)
    by_mouse(page)
    by_keys(page)
    node(page, "b").click(button="right")
    menu(page, "Wait b")
    settled(page)

    assert "\n".join(look_in_both(page, "editor-menu")) == ""
    page.mouse.click(700, 700)
    expect(page.get_by_role("menu")).to_have_count(0)
    saved(page)
    to_here(app, page, graph_id)
