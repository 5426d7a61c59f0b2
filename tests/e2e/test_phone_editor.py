"""The editor on a phone: the outline draws, and the sheet of what is chosen lies on none of its tools."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.app import App, wait_until
from tests.e2e.conftest import OpenPage
from tests.e2e.documents import line
from tests.e2e.editor import inspector, nodes, run_panel, wires
from tests.e2e.test_by_keys import line_of
from tests.e2e.test_editor_tools import delay
from tests.e2e.test_pages import AT_ONCE, AXE, PHONE, look_in_both

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def inside(part: Locator, whole: Locator) -> bool:
    """Return whether a part lies within the height of something."""
    one, other = part.bounding_box(), whole.bounding_box()
    assert one is not None and other is not None
    foot = other["y"] + other["height"]
    return other["y"] - 1 <= one["y"] and one["y"] + one["height"] <= foot + 1


def tool(page: Page, name: str) -> Locator:
    """Return a tool of the outline."""
    tools = page.get_by_role("toolbar", name="Outline tools")
    return tools.get_by_role("button", name=name, exact=True)


def test_nothing_beneath_the_outline_is_reached(app: App, new_page: OpenPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    graph = app.api.make(line("beneath-outline", [delay("first")]))
    page.goto(f"/workflows/{graph}")
    outline = page.get_by_role("region", name="Outline")
    canvas = page.get_by_role("application", name="Canvas")
    expect(line_of(page, "Wait first")).to_be_visible()
    expect(canvas).to_have_attribute("inert", "")
    for _ in range(30):
        page.keyboard.press("Tab")
        assert not page.evaluate("document.activeElement.matches('.react-flow, .react-flow *')")

    tool(page, "Add a node").tap()
    expect(page.get_by_role("combobox", name="Add a node")).to_be_focused()
    page.keyboard.press("Escape")
    has_focus = "outline => outline.contains(document.activeElement)"
    wait_until(lambda: outline.evaluate(has_focus), "the focus in the outline")

    outline.get_by_role("button", name="Close the outline").tap()
    expect(canvas).not_to_have_attribute("inert", "")


def test_the_tools_of_the_outline_say_what_they_do(app: App, new_page: OpenPage) -> None:
    page = new_page(viewport={**PHONE, "width": 360}, has_touch=True)
    graph = app.api.make(line("worded-tools", [delay("first")]))
    page.goto(f"/workflows/{graph}")
    line_of(page, "Wait first").tap()
    words = page.get_by_role("toolbar", name="Outline tools").locator("[data-word]")
    expect(words).to_have_text(["Add", "Connect", "Delete", "Undo", "Redo", "Describe", "Comments"])
    right = 0.0
    for word in words.all():
        box = word.bounding_box()
        assert box is not None and right < box["x"] and box["x"] + box["width"] <= 360, box
        right = box["x"] + box["width"] + 3


def test_the_bar_is_two_rows_of_targets_for_a_thumb(app: App, new_page: OpenPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    graph = app.api.make(line("thumb-bar", [delay("first")]), publish=True)
    page.goto(f"/workflows/{graph}")
    expect(line_of(page, "Wait first")).to_be_visible()
    bar = page.locator("[data-region='bar']")
    expect(bar.get_by_role("button", name="Publish")).to_be_visible()
    targets = bar.locator("a:visible, button:visible")
    boxes = [each.bounding_box() for each in targets.all()]
    closing = page.get_by_role("button", name="Close the outline").bounding_box()
    assert len(boxes) == 9 and closing is not None
    for box in (*boxes, closing):
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, box
        assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"], box
    assert len({round(box["y"]) for box in boxes if box is not None}) == 2


@pytest.mark.parametrize("inputs", [None, {"order": {"type": "string"}}])
def test_the_signs_of_the_bar_have_words(
    app: App, new_page: OpenPage, inputs: dict[str, object] | None
) -> None:
    page = new_page(viewport={**PHONE, "width": 360}, has_touch=True)
    document = line("worded-bar", [delay("first")])
    if inputs:
        document["interface"] = {"inputs": {"type": "object", "properties": inputs}}
    page.goto(f"/workflows/{app.api.make(document, publish=True)}")
    bar = page.locator("[data-region='bar']")
    words = bar.locator("[data-word]")
    expect(words).to_have_text(["Problems", "Settings", "Versions", "Form" if inputs else "Chat"])
    right, rows = 0.0, set()
    for word in words.all():
        box = word.bounding_box()
        assert box is not None and right < box["x"], box
        right = box["x"] + box["width"] + 2
        rows.add(box["y"])
    deeds = [bar.get_by_role("button", name=name) for name in ("Test run", "Publish")]
    for deed in deeds:
        box = deed.bounding_box()
        assert box is not None and right < box["x"] and box["x"] + box["width"] <= 360, box
        assert deed.evaluate("it => it.scrollWidth <= it.clientWidth")
    assert max(rows) - min(rows) < 1, rows


def test_a_long_title_has_two_lines_in_the_list_of_runs(app: App, new_page: OpenPage) -> None:
    graph = app.api.make(line("two-lines", [delay("first")]))
    title = "I was charged 31 euros twice for the order K-4711"
    app.api.wait(app.api.start(graph, title, draft=True), "completed")
    page = new_page(viewport=PHONE, has_touch=True)
    page.goto(f"/runs?graph={graph}")
    shown = page.get_by_role("row").get_by_text(title)
    expect(shown).to_be_visible()
    assert shown.evaluate("it => it.scrollHeight <= it.clientHeight && it.clientHeight > 30")


def test_the_tools_of_the_canvas_are_targets_for_a_thumb(app: App, new_page: OpenPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    page.goto(f"/workflows/{app.api.make(line('thumb-tools', [delay('first')]))}")
    page.get_by_role("button", name="Close the outline").tap()
    tools = page.get_by_role("toolbar", name="Canvas tools")
    expect(tools.get_by_role("button", name="Fit everything")).to_be_in_viewport(ratio=1)
    buttons = tools.locator("button:visible")
    for button in buttons.all():
        box = button.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 44, box
        expect(button).to_be_in_viewport(ratio=1)

    page.get_by_role("button", name="Test run", exact=True).tap()
    expect(run_panel(page)).to_be_visible()
    whole, first = tools.bounding_box(), buttons.first.bounding_box()
    assert whole is not None and first is not None
    assert first["height"] >= 44 and whole["height"] <= 60


def test_the_sheet_and_the_test_run_take_turns(app: App, new_page: OpenPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    page.context.add_init_script(path=AXE)
    waits = [delay(f"n{number}") for number in range(8)]
    page.goto(f"/workflows/{app.api.make(line('thumb-runs', waits))}")
    page.evaluate(AT_ONCE)
    tree = page.get_by_role("tree", name="Nodes in the order of a run")
    page.get_by_role("button", name="Test run", exact=True).tap()
    given = run_panel(page).get_by_role("textbox", name="Input")
    expect(given).to_be_visible()

    line_of(page, "Wait n1").tap()
    expect(inspector(page).get_by_label("Label of the node")).to_be_visible()
    expect(given).to_be_hidden()
    lines = tree.locator("xpath=..")
    wait_until(lambda: inside(line_of(page, "Wait n1"), lines), "the chosen row to be in sight")
    room = lines.bounding_box()
    assert room is not None and room["height"] >= 3 * 44
    assert look_in_both(page, "outline-sheet-run") == []

    run_panel(page).get_by_role("tab", name="Input").tap()
    expect(given).to_be_visible()
    expect(inspector(page)).to_have_count(0)
    expect(line_of(page, "Wait n1")).to_have_attribute("aria-selected", "true")
    line_of(page, "Wait n1").tap()
    expect(inspector(page)).to_be_visible()
    page.get_by_role("button", name="Test run", exact=True).tap()
    expect(given).to_be_visible()


def test_a_workflow_is_described_from_the_outline(app: App, new_page: OpenPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    page.goto(f"/workflows/{app.api.make(line('thumb-describes', []))}")
    outline = page.get_by_role("region", name="Outline")
    outline.get_by_role("button", name="Describe it").tap()
    expect(page.get_by_role("dialog", name=re.compile("^Describe"))).to_be_visible()

    page.goto(f"/workflows/{app.api.make(line('thumb-changes', [delay('first')]))}")
    tool(page, "Describe a change").tap()
    expect(page.get_by_role("dialog", name="Describe a change")).to_be_visible()
    boxes = [each.bounding_box() for each in tool(page, "Undo").locator("xpath=../button").all()]
    assert all(box is not None and min(box["width"], box["height"]) >= 44 for box in boxes)
    assert len({round(box["y"]) for box in boxes if box is not None}) == 1


def test_a_thumb_connects_and_deletes_what_is_chosen(app: App, new_page: OpenPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    page.context.add_init_script(path=AXE)
    waits = [delay(f"n{number}") for number in range(12)]
    graph = app.api.make(line("thumb-draws", waits))
    page.goto(f"/workflows/{graph}")
    page.evaluate(AT_ONCE)
    tree = page.get_by_role("tree", name="Nodes in the order of a run")
    expect(wires(page)).to_have_count(12)

    line_of(page, "Wait n10").tap()
    expect(inspector(page).get_by_label("Label of the node")).to_have_value("Wait n10")
    expect(inspector(page).get_by_text("Duration").first).to_be_visible()
    lines = tree.locator("xpath=..")
    wait_until(lambda: inside(line_of(page, "Wait n10"), lines), "the chosen row to be in sight")
    assert look_in_both(page, "outline-sheet") == []

    tool(page, "Connect to").tap()
    page.get_by_placeholder("Connect to").fill("n3")
    page.get_by_role("button", name="done → Wait n3").tap()
    expect(wires(page)).to_have_count(13)

    tool(page, "Delete").tap()
    expect(line_of(page, "Wait n10")).to_have_count(0)
    expect(nodes(page)).to_have_count(11)
    tool(page, "Undo").tap()
    expect(line_of(page, "Wait n10")).to_be_visible()
