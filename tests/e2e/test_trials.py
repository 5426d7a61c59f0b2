"""What is tried on the canvas: an answer is pinned, a run stands before a card, a card runs alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App
from tests.e2e.documents import agent, line, thinker
from tests.e2e.editor import node, run_of, run_panel
from tests.e2e.test_pages import AT_ONCE, AXE, look_in_both

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_pinned_stood_before_and_alone(app: App, slow_models: None, signed_in: Page) -> None:
    page = signed_in
    page.context.add_init_script(path=AXE)
    letter = {"id": "letter", "type": "output", "config": {"value": "'Dear ' + outputs.say"}}
    nodes = [agent("say", "ann"), {**letter, "label": "Letter", "read_keys": ["outputs"]}]
    graph = app.api.make(line("tried", nodes, agents=[thinker("ann", "brisk")]))
    app.api.wait(app.api.start(graph, "Hello", draft=True), "completed")
    page.goto(f"/workflows/{graph}")
    panel = run_panel(page)
    page.get_by_role("button", name="Test run", exact=True).click()
    standing = panel.get_by_role("status", name="This run")
    expect(standing).to_contain_text("Completed")

    node(page, "say").click()
    page.keyboard.press("p")
    expect(panel.get_by_text("1 pinned")).to_be_visible()
    node(page, "letter").click()
    page.keyboard.press("b")
    expect(node(page, "letter").get_by_role("img", name="Test runs stop before it")).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(standing).to_contain_text("Waiting")
    expect(panel.get_by_text("Stands before Letter")).to_be_visible()
    page.evaluate(AT_ONCE)
    assert look_in_both(page, "at-a-breakpoint") == []

    page.reload()
    node(page, "letter").get_by_role("button", name="Continue").click()
    expect(standing).to_contain_text("Completed")
    run = app.api.run(run_of(page))
    assert run["spend"]["tokens"] == 0
    assert str(run["result"]).startswith("Dear ")

    page.keyboard.press("Escape")
    node(page, "letter").click()
    before = run_of(page)
    page.keyboard.press("Shift+R")
    expect(panel.get_by_text("“Letter” alone")).to_be_visible()
    assert run_of(page) != before
    panel.get_by_role("tab", name="Node").click()
    panel.get_by_role("button", name=re.compile("Edit what it finds")).click()
    expect(panel.get_by_role("textbox", name="What it finds")).to_have_value(re.compile("previous"))
    page.evaluate(AT_ONCE)
    assert look_in_both(page, "node-alone") == []

    # What was not run alone shows the whole run, and another card finds there what it found last.
    node(page, "say").click()
    expect(node(page, "say").get_by_role("img", name="Completed")).to_be_visible()
    expect(panel.get_by_text("pinned, not run")).to_be_visible()
    page.keyboard.press("p")
    page.keyboard.press("Shift+R")
    expect(panel.get_by_text("“say” alone")).to_be_visible()
    node(page, "letter").click()
    page.keyboard.press("Shift+R")
    expect(panel.get_by_text("“Letter” alone")).to_be_visible()
    expect(standing).to_contain_text("Completed")


def test_a_workflow_is_renamed_where_its_name_stands(app: App, signed_in: Page) -> None:
    page = signed_in
    waits = [{"id": "a", "type": "delay", "config": {"duration_ms": 1}}]
    graph = app.api.make(line("old-name", waits))
    page.goto(f"/workflows/{graph}")
    page.get_by_role("heading", level=1).get_by_role("button").click()
    name = page.get_by_label("Name", exact=True)
    expect(name).to_be_focused()
    page.keyboard.type("Hiring")
    page.get_by_label("Description").fill("Reads applications.")
    page.get_by_role("combobox", name="Tags").fill("hr, people ")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Save", exact=True).click()

    expect(page.get_by_role("heading", level=1, name="Hiring")).to_be_visible()
    found = app.api.get(f"graphs/{graph}/")
    assert (found["name"], found["description"]) == ("Hiring", "Reads applications.")
    assert found["tags"] == ["hr", "people"]
