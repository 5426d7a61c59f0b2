"""Test runs in the editor: started, watched, answered, cured and found again without leaving it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, wait_until
from tests.e2e.conftest import OpenPage
from tests.e2e.documents import agent, line, thinker
from tests.e2e.editor import fill_code, inspector, middle, node, run_draft, run_of, run_panel
from tests.e2e.test_editor_tools import delay
from tests.e2e.test_pages import AT_ONCE, AXE, look_in_both

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Hand:
    """Presses and clicks of a person, counted."""

    def __init__(self) -> None:
        self.deeds = 0

    def click(self, target: object) -> None:
        """Click once."""
        self.deeds += 1
        target.click()  # type: ignore[attr-defined]

    def press(self, page: Page, keys: str) -> None:
        """Press one shortcut."""
        self.deeds += 1
        page.keyboard.press(keys)


def test_the_first_good_run_takes_three_deeds_on_one_page(app: App, signed_in: Page) -> None:
    page, hand = signed_in, Hand()
    graph = app.api.graph("support-triage")["id"]
    page.goto(f"/workflows/{graph}")
    expect(node(page, "classify")).to_be_visible()

    hand.click(page.get_by_role("button", name="Test run", exact=True))
    panel = run_panel(page)
    hand.click(panel.get_by_role("button", name="Run", exact=True))
    standing = panel.get_by_role("status", name="This run")
    expect(standing).to_contain_text("Waiting")
    hand.click(panel.get_by_role("button", name=re.compile("^Approve")))
    expect(standing).to_contain_text("Completed")

    assert hand.deeds <= 4
    assert page.url.endswith(f"/workflows/{graph}")
    expect(node(page, "classify").locator("[aria-label]").first).to_have_attribute(
        "aria-label", re.compile("Completed")
    )
    node(page, "classify").click()
    expect(panel.get_by_role("tab", name="Node")).to_have_attribute("aria-selected", "true")
    expect(panel.get_by_role("heading", name="In", exact=True)).to_be_visible()
    expect(panel.get_by_role("heading", name="Out", exact=True)).to_be_visible()

    run_id = run_of(page)
    page.reload()
    expect(panel.get_by_role("status", name="This run")).to_contain_text("Completed")
    assert run_of(page) == run_id
    page.keyboard.press("Control+Enter")
    expect(standing).to_contain_text("Waiting")
    assert run_of(page) != run_id


def tall(slug: str) -> dict[str, Any]:
    """Return a graph with many ways beside each other, of which the lowest asks a person."""
    says = {"type": "output", "config": {"value": "'x'"}}
    nodes = [{"id": "first", **says}, *({"id": f"out{at}", **says} for at in range(7))]
    nodes.append({"id": "ask", "type": "approval", "label": "Ask", "config": {"review_keys": []}})
    ends = ["first", *(node["id"] for node in nodes[1:])]
    edges = [{"source": "first" if at else "__start__", "target": to} for at, to in enumerate(ends)]
    return {"graphwright": 1, "id": slug, "name": "Tall", "nodes": nodes, "edges": edges}


def test_the_card_that_waits_is_seen_between_bar_and_panel(app: App, new_page: OpenPage) -> None:
    """At whatever height: when the run comes to it, and when the panel is opened later."""
    page = new_page(viewport={"width": 1280, "height": 720})
    graph = app.api.make(tall("tall"))
    page.goto(f"/workflows/{graph}")
    expect(node(page, "ask")).to_be_visible()

    def sees_it() -> None:
        expect(run_panel(page).get_by_role("status", name="This run")).to_contain_text("Waiting")
        page.wait_for_function(
            """() => {
              const box = (what) => document.querySelector(what)?.getBoundingClientRect();
              const [card, bar] = [box('[data-id="ask"]'), box('[role="toolbar"]')];
              const head = box('.react-flow')?.top;  // what is out of sight is not drawn at all
              return card && card.top >= head && card.bottom <= bar?.top && card.width > 80;
            }"""
        )

    run_draft(page)
    sees_it()
    page.get_by_role("button", name="Close the test run").click()
    page.get_by_role("button", name="Fit everything").click()
    page.get_by_role("button", name="Test run", exact=True).click()
    sees_it()


def test_a_chosen_card_that_grows_stays_above_the_tools(
    app: App, slow_models: None, new_page: OpenPage
) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    graph = line("grows", [agent("say", "ann")], agents=[thinker("ann", "slow")])
    page.goto(f"/workflows/{app.api.make(graph)}")
    page.get_by_role("button", name="Test run", exact=True).click()
    card, tools = node(page, "say"), page.get_by_role("toolbar", name="Canvas tools")
    card.click()
    expect(inspector(page)).to_be_visible()

    def room() -> float:
        foot, top = card.bounding_box(), tools.bounding_box()
        assert foot is not None and top is not None
        return top["y"] - foot["y"] - foot["height"]

    page.wait_for_timeout(600)  # what is clicked is brought in sight a little later
    page.mouse.move(*middle(card))
    page.mouse.wheel(0, 24 - room())
    wait_until(lambda: abs(room() - 24) < 2, "the card just above the tools")
    before = card.bounding_box()
    page.keyboard.press("Control+Enter")
    panel = run_panel(page)
    expect(panel.get_by_role("status", name="This run")).to_contain_text("Running")
    expect(card).to_contain_text("The answer is worked out")
    after = card.bounding_box()
    assert before is not None and after is not None and after["height"] > before["height"]
    wait_until(lambda: room() >= 0, "the card above the tools")
    panel.get_by_role("button", name="Stop").click()


def misspelt(slug: str) -> dict[str, Any]:
    """Return a graph that pays a model first and fails at a misspelt name then."""
    letter = {
        "id": "letter",
        "type": "output",
        "label": "Letter",
        "read_keys": ["input"],
        "config": {"value": "input.nme"},
    }
    return line(slug, [agent("say", "ann"), letter], agents=[thinker("ann", "brisk")])


def test_a_failure_is_cured_and_retried_and_nothing_is_paid_twice(
    app: App, slow_models: None, signed_in: Page
) -> None:
    page, hand = signed_in, Hand()
    graph = app.api.make(misspelt("misspelt"))
    failed = app.api.wait(app.api.start(graph, {"name": "Ann"}, draft=True), "failed")
    page.goto(f"/workflows/{graph}")
    expect(node(page, "letter")).to_be_visible()
    page.get_by_role("button", name="Test run", exact=True).click()
    panel = run_panel(page)
    expect(panel.get_by_role("status", name="This run")).to_contain_text("Failed")
    panel.get_by_role("tab", name="Live").click()
    expect(panel.get_by_role("button", name="Retry from the failed node")).to_be_visible()

    hand.click(panel.get_by_role("button", name="Show the node"))
    hand.deeds += 1
    fill_code(page, "Value", "input.name")
    hand.click(panel.get_by_role("button", name="Retry with the fixed draft"))
    expect(panel.get_by_role("status", name="This run")).to_contain_text("Completed")

    assert hand.deeds <= 4
    again = app.api.run(run_of(page))
    assert again["result"] == "Ann"
    assert failed["spend"]["tokens"] > 0
    made = [event["type"] for event in app.api.events(again["id"])[failed["seq"] :]]
    assert "StepIntended" not in made
    calls = [e for e in app.api.events(again["id"]) if e["type"] == "StepIntended"]
    assert len(calls) == len(
        [e for e in app.api.events(failed["id"]) if e["type"] == "StepIntended"]
    )


def test_what_a_failed_card_may_not_read_is_allowed_and_retried_by_one_click(
    app: App, signed_in: Page
) -> None:
    page = signed_in
    letter = {
        "id": "letter",
        "type": "output",
        "label": "Letter",
        "read_keys": [],
        # on one way only, so that it is no sure failure that stops the start
        "config": {"value": "1 == 1 ? input.name : ''"},
    }
    graph = app.api.make(line("unread", [letter]))
    app.api.wait(app.api.start(graph, {"name": "Ann"}, draft=True), "failed")
    page.goto(f"/workflows/{graph}")
    expect(node(page, "letter")).to_be_visible()
    page.get_by_role("button", name="Test run", exact=True).click()
    panel = run_panel(page)
    panel.get_by_role("tab", name="Live").click()
    expect(panel.get_by_role("alert")).to_contain_text("Letter may not read input.name yet.")

    node(page, "letter").get_by_role("button", name="Allow reading input.name and retry").click()

    expect(panel.get_by_role("status", name="This run")).to_contain_text("Completed")
    assert app.api.run(run_of(page))["result"] == "Ann"


def test_two_people_at_one_draft_see_their_own_run(
    app: App, signed_in: Page, new_page: OpenPage
) -> None:
    bea = {"name": "Bea", "email": "bea-tests@example.org", "password": "a quiet harbour 8"}
    app.ensure_member(role="author", **bea)
    hers = new_page(storage_state=None)
    hers.goto("/")
    hers.get_by_label("E-mail").fill(bea["email"])
    hers.get_by_label("Password", exact=True).fill(bea["password"])
    hers.get_by_role("button", name="Sign in").click()
    expect(hers.get_by_role("heading", name="Workflows", level=1)).to_be_visible()
    shout = {"id": "out", "type": "output", "label": "Out", "config": {"value": "input"}}
    graph = app.api.make(line("two-at-it", [{**shout, "read_keys": ["input"]}]))

    for page, word in ((signed_in, "mine"), (hers, "hers")):
        page.goto(f"/workflows/{graph}")
        expect(node(page, "out")).to_be_visible()
        live = run_draft(page, word).get_by_role("tabpanel", name="Live")
        expect(live).to_contain_text(word)
    for page, word in ((signed_in, "mine"), (hers, "hers")):
        page.reload()
        expect(run_panel(page).get_by_role("tabpanel", name="Live")).to_contain_text(word)
    assert run_of(signed_in) != run_of(hers)


def test_inputs_are_kept_by_name_and_chosen_again(app: App, signed_in: Page) -> None:
    page = signed_in
    out = {"id": "out", "type": "output", "label": "Out", "read_keys": ["input"]}
    graph = app.api.make(line("named-inputs", [{**out, "config": {"value": "input"}}]))
    page.goto(f"/workflows/{graph}")
    page.get_by_role("button", name="Test run", exact=True).click()
    panel = run_panel(page)
    box = panel.get_by_role("textbox", name="Input")
    for name, text in (("angry", "Where is my money?"), ("thanks", "You are great.")):
        box.fill(text)
        panel.get_by_role("button", name="Keep as a sample").click()
        page.get_by_role("textbox", name="Name of the sample").fill(name)
        page.get_by_role("button", name="Keep", exact=True).click()
        expect(panel.get_by_role("combobox", name="Sample")).to_have_value(name)

    page.reload()
    panel.get_by_role("combobox", name="Sample").click()
    page.get_by_role("option", name="angry").click()
    expect(box).to_have_value("Where is my money?")
    panel.get_by_role("button", name="Run", exact=True).click()
    expect(panel.get_by_role("tabpanel", name="Live")).to_contain_text("Where is my money?")


FIELDS = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "role", "cv", "remote"],
    "properties": {
        "name": {"type": "string", "title": "Name"},
        "role": {"type": "string", "enum": ["engineer", "designer"]},
        "cv": {"type": "string", "x-widget": "text", "description": "The whole CV"},
        "age": {"type": "integer"},
        "remote": {"type": "boolean"},
    },
}
"""What an application holds; a switch that nobody touched says no, and says it to the run."""


CHOICES = [{"id": "yes", "label": "Gladly"}, {"id": "no", "label": "No"}]


def test_a_filled_form_starts_a_run(app: App, signed_in: Page) -> None:
    page = signed_in
    out = {"id": "out", "type": "output", "label": "Out", "read_keys": ["input"]}
    nodes = [{**out, "config": {"value": "input"}}]
    graph = app.api.make(line("application", nodes, interface={"inputs": FIELDS}))
    page.goto(f"/workflows/{graph}")
    panel = run_draft(page)
    expect(panel.get_by_text("This is required.")).to_have_count(3)
    expect(panel.get_by_role("status", name="This run")).to_contain_text("Not started")

    panel.get_by_role("textbox", name="Name").fill("Grace Hopper")
    panel.get_by_text("Engineer", exact=True).click()
    panel.get_by_role("textbox", name="Cv").fill("Wrote compilers.\n" * 12)
    panel.get_by_role("button", name="Run", exact=True).click()

    expect(panel.get_by_role("status", name="This run")).to_contain_text("Completed")
    told = app.api.run(run_of(page))["result"]
    assert {**told, "cv": told["cv"][:5]} == {
        "name": "Grace Hopper",
        "role": "engineer",
        "cv": "Wrote",
        "remote": False,
    }


def test_the_panel_is_fit_to_be_read(app: App, signed_in: Page) -> None:
    page, found = signed_in, []
    page.context.add_init_script(path=AXE)
    fields = {"inputs": {**FIELDS, "required": ["name", "role"]}}
    asked = {"kind": "choice", "question": "Shall we meet?", "options": CHOICES}
    ask = {"id": "ask", "type": "question", "label": "Ask", "config": asked}
    out = {"id": "out", "type": "output", "label": "Out", "read_keys": ["input"]}
    nodes = [ask, {**out, "config": {"value": "input.name"}}]
    graph = app.api.make(line("readable", nodes, interface=fields))
    page.goto(f"/workflows/{graph}")
    page.evaluate(AT_ONCE)
    panel = run_draft(page)
    expect(panel.get_by_text("This is required.")).to_have_count(2)
    found += look_in_both(page, "panel-input")

    panel.get_by_role("textbox", name="Name").fill("Grace Hopper")
    panel.get_by_text("Engineer", exact=True).click()
    panel.get_by_role("button", name="Run", exact=True).click()
    expect(panel.get_by_role("radio", name="Gladly")).to_be_visible()
    found += look_in_both(page, "panel-asked")

    panel.get_by_role("radio", name="Gladly").click()
    panel.get_by_role("button", name="Answer", exact=True).click()
    expect(panel.get_by_role("status", name="This run")).to_contain_text("Completed")
    found += look_in_both(page, "panel-live")
    node(page, "out").click()
    expect(panel.get_by_role("heading", name="Out", exact=True)).to_be_visible()
    found += look_in_both(page, "panel-node")
    assert "\n".join(found) == ""


COVERED = """notice => [...document.querySelectorAll('button, a, input, textarea')].filter(each => {
    const [one, other] = [each.getBoundingClientRect(), notice.getBoundingClientRect()];
    return !notice.contains(each) && !each.closest('.react-flow__viewport') && one.width > 0
        && one.left < other.right && one.right > other.left
        && one.top < other.bottom && one.bottom > other.top;
}).map(each => each.getAttribute('aria-label') || each.textContent)"""
"""What can be pressed and lies under a notice; cards move, and are not meant."""


def test_a_notice_covers_nothing_that_is_pressed(app: App, new_page: OpenPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    graph = app.api.make(line("told-beside", [delay(f"n{number}") for number in range(3)]))
    page.goto(f"/workflows/{graph}")
    for opened in (False, True):
        if opened:
            page.get_by_role("button", name="Test run", exact=True).click()
            expect(run_panel(page)).to_be_visible()
        node(page, "n1").click()
        expect(inspector(page)).to_be_visible()
        page.keyboard.press("Delete")
        notice = page.get_by_role("alert").filter(has_text="Wire joined")
        expect(notice).to_be_visible()
        node(page, "n0").click()
        expect(inspector(page)).to_be_visible()
        assert notice.evaluate(COVERED) == [], f"with the panel open: {opened}"
        page.get_by_role("application", name="Canvas").focus()
        page.keyboard.press("Control+z")
        expect(node(page, "n1")).to_be_visible()
