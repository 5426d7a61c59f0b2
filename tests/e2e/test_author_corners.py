"""What lies in the way of nobody: offers, dialogs and keys of the editor where there is little room."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.app import App, wait_until
from tests.e2e.conftest import OpenPage
from tests.e2e.documents import line
from tests.e2e.editor import inspector, node, nodes, wires
from tests.e2e.test_editor_tools import delay, open_editor
from tests.e2e.test_pages import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ADULT = "input.age > 18"


def meet(one: Locator, other: Locator) -> bool:
    """Return whether two things on the page lie on one another."""
    a, b = one.bounding_box(), other.bounding_box()
    assert a is not None and b is not None
    across = a["x"] < b["x"] + b["width"] and b["x"] < a["x"] + a["width"]
    return across and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"]


def focused(page: Page) -> str:
    """Return the label of what has the focus, or the name of its element."""
    label: str = page.evaluate(
        "document.activeElement.ariaLabel ?? document.activeElement.tagName.toLowerCase()"
    )
    return label


def test_what_a_node_offers_hides_no_port(app: App, signed_in: Page) -> None:
    page = signed_in
    document = line("alike", [delay("a"), delay("b")])
    document["nodes"].append(delay("c", position={"x": 500, "y": 300}))
    document["edges"][1]["condition"] = ADULT
    document["edges"].append({"id": "too", "source": "a", "target": "c", "condition": ADULT})
    open_editor(page, app, document)

    take = page.get_by_role("button", name="Take both")
    expect(take).to_have_count(1)
    offer = take.locator("xpath=..")
    expect(offer).to_contain_text("Only one of these is taken: Wait b and Wait c.")
    for port in page.locator(".react-flow__handle:visible").all():
        assert not meet(offer, port), port
    take.click()
    expect(take).to_have_count(0)
    page.keyboard.press("o")
    tree = page.get_by_role("tree", name="Nodes in the order of a run")
    expect(tree).to_contain_text("Wait a, delay; takes all that fit; 2 ways")


def test_the_buttons_below_a_long_difference_stay_in_sight(app: App, signed_in: Page) -> None:
    page = signed_in
    page.set_viewport_size({"width": 1280, "height": 720})
    graph = app.api.make(line("long-change", [delay("a")]), publish=True)
    draft = app.api.get(f"graphs/{graph}/")
    fresh = [delay(f"n{number}", position={"x": 0, "y": 100 * number}) for number in range(20)]
    app.api.patch(f"graphs/{graph}/draft/", {"revision": draft["revision"], "set_nodes": fresh})
    page.goto(f"/workflows/{graph}")
    page.get_by_role("button", name="Publish", exact=True).click()

    dialog = page.get_by_role("dialog", name="Publish")
    expect(dialog.get_by_text("Wait n19")).to_be_attached()
    expect(dialog.get_by_text("Publishing needs another person's approval")).to_be_attached()
    dialog.get_by_label("What changed").fill("It waits longer.\n" * 12)
    for name in ("Publish", "Cancel"):
        expect(dialog.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)


def test_tab_adds_only_from_the_canvas_and_a_title_gives_the_focus_back(
    app: App, signed_in: Page
) -> None:
    page = signed_in
    open_editor(page, app, line("focus", [delay("a")]))
    expect(wires(page)).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name=re.compile("^Skip to"))).to_be_focused()
    expect(page.get_by_role("combobox", name="Add a node")).to_have_count(0)

    node(page, "a").click()
    for key, name in (("Enter", "Rest"), ("Escape", "Nap")):
        page.keyboard.press("F2")
        expect(inspector(page).get_by_label("Label of the node")).to_be_focused()
        page.keyboard.type(name)
        page.keyboard.press(key)
        expect(page.locator(".react-flow__node-card")).to_contain_text(name)
        assert focused(page) == "Canvas"
    page.keyboard.press("Tab")
    expect(page.get_by_role("combobox", name="Add a node")).to_be_focused()


def test_the_first_hint_says_what_works(app: App, signed_in: Page) -> None:
    """It said to press Tab on the canvas, which on a page just opened nobody is on."""
    page = signed_in
    page.goto(f"/workflows/{app.api.make(line('hint', []))}")
    expect(page.get_by_text("click the canvas and press Tab")).to_be_visible()
    page.mouse.click(700, 560)
    page.keyboard.press("Tab")
    expect(page.get_by_role("combobox", name="Add a node")).to_be_focused()


def test_what_is_pasted_into_nothing_leaves_the_start_in_sight(app: App, signed_in: Page) -> None:
    page = signed_in
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/clipboard-*.js", hold)
    open_editor(page, app, line("to-copy", [delay(name) for name in "abc"]))
    expect(nodes(page)).to_have_count(3)
    page.get_by_role("application", name="Canvas").focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+c")
    wait_until(lambda: held, "the part that pastes asked for, and not there")
    page.goto(f"/workflows/{app.api.make(line('to-fill', []))}")
    page.unroute("**/clipboard-*.js")
    expect(page.get_by_role("heading", name="Start with a node")).to_be_visible()
    page.get_by_role("application", name="Canvas").focus()
    page.keyboard.press("Control+v")
    expect(nodes(page)).to_have_count(3)

    start, palette = node(page, "__start__"), page.locator("[data-region='palette']")
    wait_until(lambda: not meet(start, palette), "the start beside the palette")
    expect(start).to_be_in_viewport(ratio=1)


def test_what_is_written_from_the_right_is_cut_at_its_end(app: App, signed_in: Page) -> None:
    page = signed_in
    title = "فحص الطلبات الواردة وإرسال الردود إلى العملاء"
    graph = app.api.make(
        {**line("from-right", [{**delay("first"), "label": title}]), "name": title}
    )
    run = app.api.start(graph, title, draft=True)
    app.api.wait(run, "completed")
    for place in (f"/workflows/{graph}", "/runs", f"/runs/{run}", "/workflows"):
        page.goto(place)
        expect(page.get_by_text(title).first).to_be_visible()
        directions = """them => them.filter((it) => it.checkVisibility() && !it.closest('title, option'))
            .map((it) => getComputedStyle(it).direction)"""
        cut = page.locator(f"#root [dir='auto']:text-is('{title}')")
        expect(cut.first).to_be_visible()
        assert set(cut.evaluate_all(directions)) == {"rtl"}, place
        heading = page.get_by_role("heading", level=1)
        if place.endswith(graph):
            expect(heading.locator("[dir='auto']").first).to_have_css("direction", "rtl")


def test_what_stands_beside_a_name_from_the_right_keeps_its_place(
    app: App, signed_in: Page, new_page: OpenPage
) -> None:
    page = signed_in
    name, label = "סיווג 12 פניות", "5 בקשות"
    graph = app.api.make({**line("beside", [{**delay("first"), "label": label}]), "name": name})
    app.api.wait(app.api.start(graph, "שלום 3", draft=True), "completed")
    page.goto(f"/workflows/{graph}")
    page.get_by_role("button", name="Outline").first.click()
    row = page.get_by_role("treeitem", name=re.compile(label))
    expect(row.locator("bdi", has_text=label)).to_have_css("direction", "rtl")
    expect(row).to_contain_text(f"1 {label}, ")

    phone = new_page(viewport=PHONE)
    phone.goto(f"/runs?graph={graph}")
    under = phone.get_by_role("row").filter(has_text=name)
    named, when = under.locator("bdi", has_text=name), under.get_by_role("time").first
    expect(when).to_be_visible()
    left, right = named.bounding_box(), when.bounding_box()
    assert left is not None and right is not None
    assert left["x"] + left["width"] <= right["x"], (left, right)


def test_a_long_name_leaves_a_phone_room_for_the_run(app: App, new_page: OpenPage) -> None:
    page = new_page(viewport=PHONE)
    name = ("Checks each application for the open position of a senior engineer. " * 3)[:200]
    graph = app.api.make({**line("long-name", [delay("first")]), "name": name})
    run = app.api.start(graph, "What the run is called is long. " * 9, draft=True)
    page.goto(f"/runs/{run}")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(name)
    head = page.locator("header", has=heading).bounding_box()
    assert head is not None and head["height"] <= 250


def test_a_link_to_a_step_that_is_gone_says_so(app: App, signed_in: Page) -> None:
    page = signed_in
    graph = app.api.make(line("gone", [delay("a")]))
    page.goto(f"/workflows/{graph}?node=b")

    expect(page.get_by_text("That step is no longer in this workflow.")).to_be_visible()
    expect(page).to_have_url(re.compile(f"/workflows/{graph}$"))
    page.goto(f"/workflows/{graph}?node=a")
    expect(inspector(page).get_by_label("Label of the node")).to_have_value("Wait a")


def test_a_link_leads_into_the_setting_that_it_names(app: App, signed_in: Page) -> None:
    page = signed_in
    graph = app.api.make(line("capped", [delay("a")], limits={"max_token_budget": 10}))
    page.goto(f"/workflows/{graph}?field=limits.max_token_budget")
    expect(page.get_by_role("textbox", name="Budget, in tokens")).to_be_focused()

    page.goto(f"/workflows/{graph}?node=a&field=label")
    expect(inspector(page).get_by_label("Label of the node")).to_be_focused()
