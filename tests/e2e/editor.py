"""The editor as hands know it: cards, handles, wires, the inspector."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect


def node(page: Page, node_id: str) -> Locator:
    """Return a node on the canvas."""
    return page.locator(f'.react-flow__node[data-id="{node_id}"]')


def nodes(page: Page) -> Locator:
    """Return every card on the canvas; the pills of start and end are none."""
    return page.locator(".react-flow__node-card")


def wires(page: Page) -> Locator:
    """Return every edge between two cards or pills."""
    return page.locator(".react-flow__edge")


def inspector(page: Page) -> Locator:
    """Return the panel on the right."""
    return page.get_by_role("complementary", name="Inspector")


def run_panel(page: Page) -> Locator:
    """Return the docked panel of test runs."""
    return page.get_by_role("region", name="Test run")


def run_draft(page: Page, text: str | None = None) -> Locator:
    """Start a test run of the draft from the panel, with a text or what stands there; return the panel."""
    page.get_by_role("button", name="Test run", exact=True).click()
    panel = run_panel(page)
    if text is not None:
        panel.get_by_role("textbox", name="Input").fill(text)
    panel.get_by_role("button", name=re.compile("^Run")).click()
    return panel


def run_of(page: Page) -> str:
    """Return the id of the run that the panel shows."""
    link = run_panel(page).get_by_role("link", name="Open the whole run")
    expect(link).to_have_attribute("href", re.compile("^/runs/"))
    return str(link.get_attribute("href")).rsplit("/", 1)[1]


def saved(page: Page) -> None:
    """Wait until the draft is on the server."""
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()


def middle(handle: Locator) -> tuple[float, float]:
    """Return the middle of an element in the window."""
    box = handle.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Press, move in steps, release."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 8, start[1] + 4)
    page.mouse.move(*end, steps=8)
    page.mouse.up()


def connect(page: Page, source: str, target: str, port: str = "completed") -> None:
    """Draw a wire from an output handle of one node to the input of another."""
    out = node(page, source).locator(f'.react-flow__handle.source[data-handleid="{port}"]')
    into = node(page, target).locator(".react-flow__handle.target")
    drag(page, middle(out), middle(into))


def on_canvas(page: Page) -> None:
    """Put the focus on the canvas where nothing has it, as on a page just opened: Tab adds from there."""
    if page.evaluate("document.activeElement === document.body"):
        page.get_by_role("application", name="Canvas").focus()


def quick_add(page: Page, words: str) -> None:
    """Add a node with the palette that Tab opens."""
    on_canvas(page)
    page.keyboard.press("Tab")
    box = page.get_by_role("combobox", name="Add a node")
    expect(box).to_be_focused()
    box.fill(words)
    page.keyboard.press("Enter")
    expect(box).to_have_count(0)


def rename(page: Page, node_id: str, label: str) -> None:
    """Select a node and type another label."""
    node(page, node_id).click()
    field = inspector(page).get_by_label("Label of the node")
    field.fill(label)
    field.press("Enter")


def fill_code(page: Page, label: str, text: str) -> None:
    """Type into a code field of the inspector."""
    box = inspector(page).get_by_role("textbox", name=re.compile(f"^{label}"))
    box.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)
