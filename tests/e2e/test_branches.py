"""Conditions without a parser: a port for each value, two checks at once, in so many actions."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.app import App
from tests.e2e.documents import line
from tests.e2e.editor import inspector, middle, node, nodes, wires
from tests.e2e.hand import Hand
from tests.e2e.test_author_hour import document
from tests.e2e.test_pages import AT_ONCE, AXE, look_in_both

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LEVELS = ("senior", "mid", "junior")


def graded(slug: str, *more: str) -> dict[str, Any]:
    """Return a graph whose first step has a level to go on by, and further steps that nothing leads to."""
    grade = {"id": "grade", "type": "router", "label": "Grade", "config": {}}
    ends = [
        {"id": name, "type": "output", "label": name.capitalize(), "config": {}} for name in more
    ]
    for place, end in enumerate(ends):
        end["position"] = {"x": 620, "y": 60 + 130 * place}
    fields = {"level": {"type": "string", "enum": list(LEVELS)}, "years": {"type": "number"}}
    found = line(slug, [grade], state_schema={"type": "object", "properties": fields})
    return {**found, "nodes": [grade, *ends], "initial_memory": {"level": "senior"}}


def port(page: Page, label: str) -> Locator:
    """Return the handle of a value on the card of the grading step."""
    row = node(page, "grade").locator("[data-quiet]").filter(has_text=re.compile(f"^{label}$"))
    return row.locator(".react-flow__handle")


def pull(hand: Hand, source: Locator, end: tuple[float, float]) -> None:
    """Draw a wire from a handle to a place: one action."""
    hand.actions += 1
    start = middle(source)
    hand.page.mouse.move(*start)
    hand.page.mouse.down()
    hand.page.mouse.move(start[0] + 8, start[1] + 4)
    hand.page.mouse.move(*end, steps=8)
    hand.page.mouse.up()


def branch_by(hand: Hand, field: str) -> None:
    hand.click(node(hand.page, "grade"))
    chip = inspector(hand.page).get_by_role("button", name=field, exact=True)
    expect(chip).to_be_visible()
    hand.click(chip)
    expect(port(hand.page, "senior")).to_be_visible()


def test_three_values_take_eight_actions_and_two_checks_five(app: App, signed_in: Page) -> None:
    page = signed_in
    page.goto(f"/workflows/{app.api.make(graded('three-values'))}")
    expect(node(page, "grade")).to_be_visible()
    hand = Hand(page)
    branch_by(hand, "level")
    for place, level in enumerate(LEVELS):
        x, y = middle(node(page, "grade"))
        pull(hand, port(page, level), (x + 330, y - 160 + 130 * place))
        found = page.get_by_role("option", name=re.compile("^Output"))
        expect(found.first).to_be_visible()
        hand.click(found.first)
        expect(nodes(page)).to_have_count(2 + place)
        page.keyboard.press("Escape")
    assert hand.actions <= 8, hand.actions
    drawn = [edge["condition"] for edge in document(page)["edges"] if edge["source"] == "grade"]
    assert drawn == [f"memory.level == '{level}'" for level in LEVELS]
    expect(page.get_by_role("button", name="No problems")).to_be_visible()

    two = app.api.make(graded("two-checks", "tech", "team", "letter"))
    page.goto(f"/workflows/{two}")
    expect(node(page, "grade")).to_be_visible()
    hand = Hand(page)
    branch_by(hand, "level")
    for place, end in enumerate(("tech", "team")):
        pull(hand, port(page, "senior"), middle(node(page, end).locator(".target")))
        expect(wires(page)).to_have_count(2 + place)
    hand.click(page.get_by_role("button", name="Take both"))
    assert hand.actions <= 5, hand.actions
    expect(page.get_by_role("button", name="Take both")).to_have_count(0)
    saved = document(page)
    assert saved["nodes"][0]["branching"] == "all"
    assert [edge.get("condition") for edge in saved["edges"][1:]] == [
        "memory.level == 'senior'"
    ] * 2


def test_a_condition_is_chosen_and_what_was_written_by_hand_stays(
    app: App, signed_in: Page
) -> None:
    page = signed_in
    page.context.add_init_script(path=AXE)
    draft = graded("conditions", "tech", "team", "note", "mail")
    hand_written = '(memory.level == "mid") && memory.years > 2'
    draft["edges"] += [
        {"id": "if", "source": "grade", "target": "tech"},
        {"id": "by-hand", "source": "grade", "target": "team", "condition": hand_written},
        {"id": "else", "source": "grade", "target": "note"},
        {"id": "other", "source": "grade", "target": "mail"},
    ]
    page.goto(f"/workflows/{app.api.make(draft)}")
    panel = inspector(page)
    page.locator('.react-flow__edge[data-id="by-hand"]').dispatch_event("click")
    expect(panel.get_by_role("textbox", name="Condition")).to_contain_text("mid")

    page.locator('.react-flow__edge[data-id="if"]').dispatch_event("click")
    expect(panel.get_by_role("radio", name="Otherwise")).to_be_checked()
    panel.get_by_text("If", exact=True).click()
    for label, option in (("Field", "level"), ("Value", "senior")):
        panel.get_by_role("combobox", name=label, exact=True).click()
        page.get_by_role("option", name=option, exact=True).click()
    expect(port(page, "senior")).to_be_visible()
    expect(panel.get_by_text("Fits", exact=True)).to_be_visible()
    page.locator('.react-flow__edge[data-id="other"]').dispatch_event("click")
    expect(panel.get_by_role("note")).to_contain_text("Only one of these is taken: Note and Mail.")
    page.evaluate(AT_ONCE)
    assert look_in_both(page, "branches") == []
    panel.get_by_role("button", name="Take both").click()
    expect(panel.get_by_role("note")).to_have_count(0)

    saved = document(page)
    assert saved["nodes"][0]["branching"] == "all"
    assert [edge.get("condition") for edge in saved["edges"][1:]] == [
        "memory.level == 'senior'",
        hand_written,
        None,
        None,
    ]
