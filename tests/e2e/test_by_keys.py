"""The editor without a pointer: drawing with keys, the outline, what is said aloud."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.app import App
from tests.e2e.editor import inspector, node, nodes, on_canvas, saved, wires
from tests.e2e.hand import Hand
from tests.e2e.test_author_hour import document
from tests.e2e.test_draw import blank
from tests.e2e.test_pages import AT_ONCE, AXE, look, look_in_both

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def said(page: Page) -> Locator:
    """Return the place from which screen readers read."""
    return page.locator("[data-announcer]")


def add(hand: Hand, words: str, name: str) -> None:
    """Add a node after the selection, and call it something."""
    on_canvas(hand.page)
    hand.press("Tab")
    expect(hand.page.get_by_role("combobox", name="Add a node")).to_be_focused()
    hand.type(words)
    hand.press("Enter")
    hand.press("F2")
    expect(inspector(hand.page).get_by_label("Label of the node")).to_be_focused()
    hand.type(name)
    hand.press("Enter")


def lead_to(hand: Hand, words: str) -> None:
    """Wire what is selected to a node that is there."""
    hand.press("c")
    expect(hand.page.get_by_placeholder("Connect to")).to_be_focused()
    hand.type(words)
    hand.press("Enter")
    expect(hand.page.get_by_placeholder("Connect to")).to_have_count(0)


def test_what_is_typed_right_after_tab_is_no_shortcut(app: App, signed_in: Page) -> None:
    page = signed_in
    blank(page, "Typed at once")
    graph = page.url
    for title in ("One", "Two"):
        page.goto(graph)
        expect(page.locator(".react-flow__node-pill").first).to_be_visible()
        before = nodes(page).count()
        on_canvas(page)
        page.keyboard.press("Tab")
        page.keyboard.type(f"agent: {title}\n", delay=15)
        expect(nodes(page)).to_have_count(before + 1)
        expect(nodes(page).filter(has_text=title)).to_have_count(1)
        expect(page.locator(".react-flow__node-note")).to_have_count(0)
        expect(page.get_by_role("tree")).to_have_count(0)
        saved(page)


def test_a_workflow_is_drawn_with_keys_alone(app: App, signed_in: Page) -> None:
    page = signed_in
    blank(page, "By keys")
    hand = Hand(page)

    add(hand, "agent", "Extract")
    hand.press("ArrowLeft")
    hand.press("Enter")
    expect(inspector(page).get_by_role("textbox", name="Add start fields")).to_be_focused()
    hand.type("name, cv, role, salary, remote")
    hand.press("Enter")
    hand.press("Escape")
    hand.press("ArrowRight")
    add(hand, "router", "Classify")
    add(hand, "agent", "Tech check")
    hand.press("ArrowLeft")
    add(hand, "agent", "Team check")
    expect(said(page)).to_contain_text("Added Agent, wired from Classify")
    add(hand, "approval", "Invite?")
    add(hand, "output", "Letter")
    for _ in range(3):
        hand.press("ArrowLeft")
    hand.press("ArrowRight")
    lead_to(hand, "invite")

    expect(said(page)).to_have_text(
        re.compile("Wired Tech check, .*to Invite\\?|Wired Tech check, to Invite")
    )
    assert hand.actions <= 60, hand.actions
    drawn = document(page)
    names = {each["id"]: each["label"] for each in drawn["nodes"]}
    ends = {(names.get(e["source"], "Start"), names[e["target"]]) for e in drawn["edges"]}
    assert ends == {
        ("Start", "Extract"),
        ("Extract", "Classify"),
        ("Classify", "Tech check"),
        ("Classify", "Team check"),
        ("Tech check", "Invite?"),
        ("Team check", "Invite?"),
        ("Invite?", "Letter"),
    }
    places = [(each["position"]["x"], each["position"]["y"]) for each in drawn["nodes"]]
    assert len(set(places)) == len(places)


def test_wires_are_chosen_and_led_elsewhere_and_problems_found_by_keys(
    app: App, signed_in: Page
) -> None:
    page = signed_in
    blank(page, "Wires by keys")
    hand = Hand(page)
    for kind, name in (("delay", "One"), ("delay", "Two"), ("output", "Three")):
        add(hand, kind, name)
    chosen = page.locator(".react-flow__edge.selected")

    page.keyboard.press("[")
    expect(chosen).to_have_count(1)
    expect(said(page)).to_have_text(re.compile("^Wire: Two, .*to Three"))
    page.keyboard.press("Shift+C")
    expect(page.get_by_placeholder("Lead this wire to")).to_be_focused()
    hand.type("end")
    page.keyboard.press("Enter")
    expect(said(page)).to_have_text(re.compile("^Now Two, .*to End"))
    page.keyboard.press("[")
    expect(said(page)).to_have_text(re.compile("^Wire: One, .*to Two"))
    page.keyboard.press("]")
    expect(said(page)).to_have_text(re.compile("^Wire: Two, .*to End"))
    ends = {(each["source"], each["target"]) for each in document(page)["edges"]}
    assert ("two", "__end__") in ends
    assert not any(target == "three" for _source, target in ends)

    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=re.compile("[1-9] warning"))).to_be_visible()
    page.keyboard.press("F8")
    expect(inspector(page).get_by_label("Label of the node")).to_have_value("Three")


def line_of(page: Page, words: str) -> Locator:
    """Return a line of the outline."""
    return page.get_by_role("treeitem", name=re.compile(words))


def test_the_outline_alone_draws_undoes_and_is_heard(app: App, signed_in: Page) -> None:
    page = signed_in
    page.context.add_init_script(path=AXE)
    blank(page, "By ear")
    page.evaluate(AT_ONCE)
    hand = Hand(page)
    page.keyboard.press("o")
    tree = page.get_by_role("tree", name="Nodes in the order of a run")
    expect(tree).to_be_visible()
    expect(line_of(page, "^Start")).to_be_focused()
    empty = page.get_by_text("Nothing is drawn yet")
    expect(empty).to_be_visible()

    add(hand, "router", "Classify")
    expect(empty).to_have_count(0)
    tree.locator("[tabindex='0']").focus()
    expect(line_of(page, "^1 Classify, router")).to_be_focused()
    add(hand, "delay", "Look closer")
    line_of(page, "^1 Classify").click()
    add(hand, "output", "Letter")
    line_of(page, "^2 Look closer").click()
    lead_to(hand, "letter")

    expect(said(page)).to_have_text(re.compile("^Wired Look closer.* to Letter"))
    expect(line_of(page, "^1 Classify, router; 2 ways")).to_be_visible()
    expect(line_of(page, "goes to 3")).to_have_count(2)
    expect(wires(page)).to_have_count(4)
    found = look_in_both(page, "outline")

    page.keyboard.press("Delete")
    expect(said(page)).to_have_text(re.compile("^Deleted Look closer"))
    expect(nodes(page)).to_have_count(2)
    page.keyboard.press("Control+z")
    expect(line_of(page, "^2 Look closer")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.get_by_role("combobox", name="Add a node")).to_have_count(0)
    page.keyboard.press("o")
    expect(tree).to_have_count(0)
    node(page, "letter").click()
    expect(page.get_by_role("application", name="Canvas")).to_have_attribute(
        "aria-activedescendant", "on-canvas-letter"
    )

    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    page.evaluate(AT_ONCE)
    expect(tree).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    line_of(page, "^1 Classify").click()
    expect(inspector(page).get_by_label("Label of the node")).to_be_visible()
    expect(page.get_by_role("button", name="Publish", exact=True)).to_be_in_viewport()
    found += look(page, "outline-phone")
    assert found == []

    page.get_by_role("button", name="Close the outline").click()
    expect(page.get_by_role("button", name="Add Agent", exact=True)).to_have_count(0)
    for within in (node(page, "classify"), page.get_by_label("Canvas tools")):
        box = within.bounding_box()
        assert box is not None
        assert box["x"] >= 0, box
        assert box["x"] + box["width"] <= 390, box
