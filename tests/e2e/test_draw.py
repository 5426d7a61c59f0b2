"""A workflow drawn from nothing: palette, wires, forms, undo, problems, publish, run."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App
from tests.e2e.editor import (
    connect,
    drag,
    fill_code,
    inspector,
    middle,
    node,
    nodes,
    quick_add,
    rename,
    run_draft,
    saved,
    wires,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

REMEMBER = """() => {
    window.looks = [];
    const look = () => {
        for (const card of document.querySelectorAll('.react-flow__node [aria-label]')) {
            window.looks.push(card.getAttribute('aria-label') + ': ' + card.textContent);
        }
    };
    new MutationObserver(look).observe(document.body, {
        subtree: true, childList: true, characterData: true, attributes: true,
    });
}"""


def blank(page: Page, name: str) -> None:
    """Make an empty workflow on the page of workflows."""
    page.goto("/workflows")
    page.get_by_role("button", name="New workflow").click()
    dialog = page.get_by_role("dialog", name="New workflow")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    expect(page.get_by_text("Start with a node")).to_be_visible()


def drop_from_palette(page: Page, label: str, x: int, y: int) -> None:
    """Drag a node type from the palette onto the canvas."""
    pane = page.locator(".react-flow__pane")
    page.get_by_role("button", name=f"Add {label}", exact=True).drag_to(
        pane, target_position={"x": x, "y": y}
    )


def choose(page: Page, label: str, option: str) -> None:
    """Pick an option of a list in the inspector."""
    field = inspector(page).get_by_role("combobox", name=label, exact=True)
    field.click()
    page.get_by_role("option", name=re.compile(option)).first.click()


def test_a_workflow_is_drawn_published_and_run(
    app: App, slow_models: None, signed_in: Page
) -> None:
    page = signed_in
    blank(page, "Drawn by hand")

    drop_from_palette(page, "Agent", 420, 300)
    expect(nodes(page)).to_have_count(1)
    expect(wires(page)).to_have_count(1)
    page.get_by_role("button", name="Close the inspector").click()
    quick_add(page, "output")
    expect(nodes(page)).to_have_count(2)
    agent_at, output_at = middle(node(page, "agent")), middle(node(page, "output"))
    drag(page, output_at, (agent_at[0] + 330, agent_at[1] + 120))
    connect(page, "agent", "output")
    expect(wires(page)).to_have_count(2)

    node(page, "agent").click()
    fill_code(page, "Prompt", "Say something about {{ input")
    saved(page)
    count = page.get_by_role("button", name=re.compile("errors?, "))
    expect(count).to_have_accessible_name(re.compile("^Problems: [1-9] error"))
    page.get_by_role("button", name="Publish", exact=True).click()
    dialog = page.get_by_role("dialog", name="Publish")
    expect(dialog.get_by_role("button", name="Publish")).to_be_disabled()
    dialog.get_by_role("button", name="Show problems").click()
    problems = page.get_by_role("region", name="Problems")
    problems.get_by_role("button").filter(has_text="Agent").first.click()
    expect(inspector(page).get_by_label("Label of the node")).to_be_visible()
    problems.get_by_role("button", name="Close problems").click()

    node(page, "agent").click()
    choose(page, "Model", "brisk")
    fill_code(page, "Prompt", "Say something about {{ input }}")
    rename(page, "agent", "Talk")
    expect(node(page, "talk")).to_contain_text("Talk")
    saved(page)

    page.reload()
    expect(node(page, "talk")).to_contain_text("Talk")
    expect(nodes(page)).to_have_count(2)
    expect(wires(page)).to_have_count(2)
    node(page, "talk").click()
    expect(inspector(page)).to_contain_text("Say something about {{ input }}")

    page.get_by_role("button", name="Publish", exact=True).click()
    dialog.get_by_label("What changed").fill("The first one.")
    dialog.get_by_role("button", name="Publish").click()
    live = page.get_by_role("alert").filter(has_text="Version 1 is live")
    expect(live.get_by_role("button", name="Open the chat")).to_be_visible()
    expect(page.locator("header").first).to_contain_text("v1 live")
    publish = page.get_by_role("button", name="Publish", exact=True)
    expect(publish).to_have_attribute("data-variant", "default")

    page.evaluate(REMEMBER)
    panel = run_draft(page, "rivers")
    card = node(page, "talk").locator("[aria-label]").first
    expect(card).to_have_attribute("aria-label", re.compile("Completed"))
    looks = page.evaluate("window.looks.filter((look) => look.startsWith('Talk, Agent, Running'))")
    assert any(re.search("answer|worked|step|written|comes", look) for look in looks), looks
    expect(panel.get_by_role("status", name="This run")).to_contain_text("Completed")
    expect(panel.get_by_role("tabpanel", name="Live")).to_contain_text("step by step")


def test_every_gesture_is_undone_and_redone(app: App, signed_in: Page) -> None:
    page = signed_in
    blank(page, "There and back")

    def drawn() -> tuple[int, int, list[str]]:
        return nodes(page).count(), wires(page).count(), sorted(nodes(page).all_inner_texts())

    pictures = [drawn()]

    def shows(picture: tuple[int, int, list[str]]) -> None:
        # what is proven comes with the answer of the save
        for _ in range(50):
            if drawn() == picture:
                break
            page.wait_for_timeout(100)
        assert drawn() == picture

    def done() -> None:
        page.wait_for_timeout(700)
        saved(page)
        pictures.append(drawn())
        assert pictures[-1] != pictures[-2], pictures

    drop_from_palette(page, "Delay", 420, 300)
    expect(nodes(page)).to_have_count(1)
    done()
    page.get_by_role("button", name="Close the inspector").click()
    drop_from_palette(page, "Output", 760, 400)
    expect(nodes(page)).to_have_count(2)
    done()
    connect(page, "delay", "output")
    expect(wires(page)).to_have_count(2)
    done()
    rename(page, "delay", "A short while")
    expect(node(page, "a_short_while")).to_contain_text("A short while")
    done()
    node(page, "a_short_while").click()
    page.keyboard.press("Control+d")
    expect(nodes(page)).to_have_count(3)
    done()
    page.keyboard.press("Delete")
    expect(nodes(page)).to_have_count(2)
    done()

    for picture in reversed(pictures[:-1]):
        page.get_by_role("button", name="Undo").click()
        expect(nodes(page)).to_have_count(picture[0])
        expect(wires(page)).to_have_count(picture[1])
        shows(picture)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    for picture in pictures[1:]:
        page.keyboard.press("Control+Shift+z")
        expect(nodes(page)).to_have_count(picture[0])
        expect(wires(page)).to_have_count(picture[1])
        shows(picture)
    saved(page)
    page.reload()
    expect(nodes(page)).to_have_count(pictures[-1][0])
    expect(node(page, "a_short_while")).to_contain_text("A short while")
