"""The author's first hour: what it takes to say what goes in, what comes out, and what is read."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, wait_until
from tests.e2e.documents import line
from tests.e2e.editor import fill_code, inspector, middle, node, nodes, quick_add, saved, wires
from tests.e2e.hand import Hand
from tests.e2e.test_draw import blank, drop_from_palette

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def document(page: Page) -> dict[str, Any]:
    """Return the draft as the server has it, after the moment in which changes are gathered."""
    page.wait_for_timeout(800)
    saved(page)
    graph = page.url.split("/workflows/")[1].split("/")[0]
    answer = page.request.get(f"/api/graphs/{graph}/")
    found: dict[str, Any] = json.loads(answer.text())["document"]
    return found


def test_five_start_fields_take_at_most_twelve_actions(app: App, signed_in: Page) -> None:
    page = signed_in
    blank(page, "Applications")
    hand = Hand(page)
    panel = inspector(page)

    hand.click(node(page, "__start__"))
    hand.click(panel.get_by_role("textbox", name="Add start fields"))
    hand.type("name, cv, role, salary, remote")
    hand.press("Enter")
    hand.choose(panel.get_by_role("combobox", name="Type of cv"), "Long text")
    hand.choose(panel.get_by_role("combobox", name="Type of salary"), "Money")
    hand.choose(panel.get_by_role("combobox", name="Type of remote"), "Yes/no")

    assert hand.actions <= 12, hand.actions
    expect(node(page, "__start__")).to_contain_text("name, cv, role +2")
    assert document(page)["interface"]["inputs"] == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "name": {"type": "string"},
            "cv": {"type": "string", "x-widget": "text"},
            "role": {"type": "string"},
            "salary": {"type": "number", "format": "money", "x-unit": "USD"},
            "remote": {"type": "boolean"},
        },
        "required": ["name", "cv", "role", "salary", "remote"],
    }


def test_the_first_nodes_work_as_they_are_dropped(app: App, signed_in: Page) -> None:
    page = signed_in
    blank(page, "First node")
    expect(page.get_by_role("button", name="No problems")).to_be_visible()

    for words in ("agent", "agent", "output"):
        quick_add(page, words)
    expect(nodes(page)).to_have_count(3)

    expect(page.get_by_role("button", name="No problems")).to_be_visible()
    drawn = document(page)
    assert [agent["id"] for agent in drawn["agents"]] == ["agent", "agent_2"]
    assert {agent["model"] for agent in drawn["agents"]} == {"local/default"}
    assert [(edge["source"], edge["target"]) for edge in drawn["edges"]] == [
        ("__start__", "agent"),
        ("agent", "agent_2"),
        ("agent_2", "output"),
    ]
    places = [node["position"]["x"] for node in drawn["nodes"]]
    assert places == sorted(set(places))
    node(page, "agent_2").click()
    page.keyboard.press("Delete")
    expect(nodes(page)).to_have_count(2)
    wait_until(
        lambda: [agent["id"] for agent in document(page)["agents"]] == ["agent"],
        "the agent to leave with its node",
    )


def test_the_palette_never_lies_on_what_was_drawn(app: App, signed_in: Page) -> None:
    page = signed_in
    blank(page, "In sight")
    search = page.get_by_role("textbox", name="Search nodes")
    expect(search).to_be_visible()

    quick_add(page, "agent")
    inspector(page).get_by_role("button", name="Close the inspector").click()
    expect(page.get_by_role("button", name="Expand the palette")).to_be_visible()
    saved(page)
    page.reload()
    expect(node(page, "agent")).to_be_visible()
    expect(search).to_have_count(0)
    strip = page.get_by_role("complementary", name="Palette").bounding_box()
    start = node(page, "__start__").bounding_box()
    assert strip is not None
    assert start is not None
    assert strip["x"] + strip["width"] < start["x"], (strip, start)


def test_a_note_is_written_at_once(app: App, signed_in: Page) -> None:
    page = signed_in
    blank(page, "Notes")

    page.keyboard.press("n")
    page.keyboard.type("An n in a note")

    expect(page.locator(".react-flow__node-note")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".react-flow__node-note")).to_contain_text("An n in a note")
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    expect(page.locator(".react-flow__node-note")).to_have_count(2)


def test_what_a_new_node_lacks_is_no_error_before_it_is_left(app: App, signed_in: Page) -> None:
    page = signed_in
    blank(page, "Unfinished")
    drop_from_palette(page, "HTTP request", 420, 200)
    saved(page)

    need = nodes(page).get_by_role("img", name=re.compile("^Needs: "))
    expect(need).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^No problems"))).to_be_visible()
    expect(inspector(page)).not_to_contain_text("This is required.")

    page.keyboard.press("Escape")
    page.get_by_role("button", name="Workflow settings", exact=True).click()
    expect(need).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("^Problems: 1 error"))).to_be_visible()


def test_where_a_run_starts_is_one_click(app: App, signed_in: Page) -> None:
    page = signed_in
    blank(page, "Where to start")
    drop_from_palette(page, "Delay", 420, 200)
    drop_from_palette(page, "Output", 420, 400)
    wires(page).first.dispatch_event("click")  # the canvas may still move to what was dropped
    expect(page.locator(".react-flow__edge.selected")).to_have_count(1)
    page.keyboard.press("Delete")
    expect(wires(page)).to_have_count(0)
    saved(page)

    page.get_by_role("button", name=re.compile("^Problems: 1 error")).click()
    page.get_by_role("button", name="Start at Delay").click()

    expect(wires(page)).to_have_count(1)
    assert document(page)["edges"][0]["target"] == "delay"


def test_a_restored_version_is_one_step_of_undo(app: App, signed_in: Page) -> None:
    page = signed_in
    drawn = line("restored", [{"id": "a", "type": "output", "label": "Tell", "config": {}}])
    page.goto(f"/workflows/{app.api.make(drawn, publish=True)}")
    node(page, "a").click()
    quick_add(page, "delay")
    expect(nodes(page)).to_have_count(2)

    page.get_by_role("button", name="Versions").click()
    page.get_by_role("button", name="More for version 1").click()
    page.get_by_role("menuitem", name="Restore to the draft").click()
    page.get_by_role("button", name="Restore", exact=True).click()
    expect(page.get_by_text("Version 1 is in the draft")).to_be_visible()
    expect(nodes(page)).to_have_count(1)
    assert [each["id"] for each in document(page)["nodes"]] == ["a"]

    page.get_by_role("button", name="Undo").click()
    expect(nodes(page)).to_have_count(2)
    assert [each["id"] for each in document(page)["nodes"]] == ["a", "delay"]
    [last] = app.api.get("audit/?action=graph.restored&limit=1")["results"]
    assert last["action"] == "graph.restored"


def start_fields(page: Page, words: str) -> None:
    """Declare what goes in."""
    node(page, "__start__").click()
    inspector(page).get_by_role("textbox", name="Add start fields").fill(words)
    page.keyboard.press("Enter")
    inspector(page).get_by_role("button", name="Close the inspector").click()


def test_an_agent_that_reads_and_gives_values_takes_at_most_seven_actions(
    app: App, signed_in: Page
) -> None:
    page = signed_in
    blank(page, "Two values")
    start_fields(page, "name, cv")
    hand = Hand(page)
    panel = inspector(page)

    palette = page.get_by_role("button", name="Add Agent", exact=True)
    hand.drag_to(palette, page.locator(".react-flow__pane"), 420, 300)
    hand.click(panel.get_by_role("textbox", name="Add output fields"))
    hand.type("skills, level")
    hand.press("Enter")
    hand.click(panel.get_by_role("textbox", name="Prompt", exact=True))
    hand.type("What can this person do? /input.cv")
    expect(page.get_by_role("option").first).to_be_visible()
    page.wait_for_timeout(500)  # a list that has just opened takes no Enter
    hand.press("Enter")

    assert hand.actions <= 7, hand.actions
    drawn = document(page)
    agent = drawn["nodes"][0]
    assert agent["config"]["prompt"] == "What can this person do? {{ input.cv }}"
    assert agent["read_keys"] == ["input", "previous"]
    assert agent["write_keys"] == ["skills", "level"]
    assert drawn["state_schema"] == {
        "type": "object",
        "properties": {"skills": {"type": "string"}, "level": {"type": "string"}},
    }
    expect(page.get_by_role("button", name="No problems")).to_be_visible()


def test_a_value_from_the_tree_brings_the_narrowest_grant_in_one_undo_step(
    app: App, signed_in: Page
) -> None:
    page = signed_in
    blank(page, "Narrow")
    start_fields(page, "name, cv")
    quick_add(page, "approval")
    panel = inspector(page)

    panel.get_by_role("button", name="Put a value into Prompt message").click()
    page.get_by_role("button", name="Put in input.cv").click()

    wait_until(lambda: "input.cv" in document(page)["nodes"][0]["read_keys"], "the grant")
    step = document(page)["nodes"][0]
    assert "{{ input.cv }}" in step["config"]["prompt_message"]
    before = step["read_keys"]
    page.keyboard.press("Escape")
    fill_code(page, "Prompt message", "Please look.")
    panel.get_by_label("Label of the node").focus()
    wait_until(lambda: "input.cv" not in document(page)["nodes"][0]["read_keys"], "it goes again")
    page.get_by_role("button", name="Undo").click()
    wait_until(lambda: "input.cv" in document(page)["nodes"][0]["read_keys"], "it comes back")
    page.get_by_role("button", name="Undo").click()
    step = document(page)["nodes"][0]
    assert step["read_keys"] == [key for key in before if key != "input.cv"]
    assert "input.cv" not in step["config"].get("prompt_message", "")


def test_a_mistyped_start_field_is_cured_by_one_click(app: App, signed_in: Page) -> None:
    page = signed_in
    blank(page, "Mistyped")
    start_fields(page, "name, cv")
    quick_add(page, "agent")
    fill_code(page, "Prompt", "Hello {{ input.nam }}")
    saved(page)
    hand = Hand(page)

    cure = inspector(page).get_by_role("button", name="Use name")
    expect(cure).to_be_visible()
    expect(inspector(page).locator(".cm-meant")).to_have_text("input.nam")
    hand.click(cure)

    assert hand.actions <= 2
    expect(inspector(page).locator(".cm-meant")).to_have_count(0)
    assert document(page)["nodes"][0]["config"]["prompt"] == "Hello {{ input.name }}"
    expect(page.get_by_role("button", name="No problems")).to_be_visible()


def test_a_rename_is_one_step_over_every_place(app: App, signed_in: Page) -> None:
    page = signed_in
    told = {"read_keys": ["level"], "config": {"prompt": "Is {{ memory.level }} high?"}}
    nodes_ = [
        {"id": "a", "type": "agent", "label": "Classify", "write_keys": ["level"], "config": {}},
        {"id": "b", "type": "agent", "label": "Check", **told},
    ]
    drawn = line("renamed", nodes_, state_schema={"properties": {"level": {"type": "string"}}})
    drawn["edges"][1] |= {"condition": "memory.level == 'senior'"}
    page.goto(f"/workflows/{app.api.make(drawn)}")
    node(page, "a").click()

    name = inspector(page).get_by_role("textbox", name="Name of level")
    name.fill("grade")
    name.press("Enter")
    expect(inspector(page).get_by_role("textbox", name="Name of grade")).to_be_visible()

    after = document(page)
    assert after["nodes"][0]["write_keys"] == ["grade"]
    assert after["nodes"][1]["read_keys"] == ["grade"]
    assert after["nodes"][1]["config"]["prompt"] == "Is {{ memory.grade }} high?"
    assert after["edges"][1]["condition"] == "memory.grade == 'senior'"
    assert after["state_schema"]["properties"] == {"grade": {"type": "string"}}
    page.get_by_role("button", name="Undo").click()
    expect(inspector(page).get_by_role("textbox", name="Name of level")).to_be_visible()
    back = document(page)
    assert [back[part] for part in ("nodes", "state_schema")] == [
        drawn[part] for part in ("nodes", "state_schema")
    ]


def test_the_tree_puts_values_into_keys_texts_and_paths(app: App, signed_in: Page) -> None:
    """By a click as a key, by a drag into a text, and with a fallback where one may be missing."""
    page = signed_in
    rows = {"type": "array", "items": {"type": "string"}}
    drawn = line(
        "tree",
        [
            {"id": "a", "type": "agent", "label": "Classify", "write_keys": ["level", "rows"]},
            {"id": "b", "type": "output", "label": "Tell", "read_keys": ["rows"], "config": {}},
            {"id": "c", "type": "approval", "label": "Ask", "config": {"review_keys": ["rows"]}},
        ],
        state_schema={"properties": {"level": {"type": "string"}, "rows": rows}},
        initial_memory={"rows": ["x"]},
    )
    drawn["edges"].append({"id": "skip", "source": "a", "target": "b", "on": "failed"})
    page.goto(f"/workflows/{app.api.make(drawn)}")
    panel = inspector(page)
    tree = page.locator("[data-known]")

    node(page, "b").click()
    panel.get_by_role("button", name="Put a value into Value").click()
    expect(tree).to_have_attribute("data-known", "true")
    expect(page.get_by_role("button", name="Put in memory.level")).to_contain_text("may be missing")
    page.get_by_role("button", name="First of memory.rows").click()
    expect(panel.get_by_role("textbox", name="Value")).to_have_text("{{ memory.rows[0] }}")
    panel.get_by_role("textbox", name="Value").fill("")
    panel.get_by_role("button", name="Put a value into Value").click()
    page.get_by_role("button", name="Use a fallback of memory.level").click()
    expect(panel.get_by_role("textbox", name="Value")).to_have_text(
        "{{ has(memory.level) ? memory.level : '' }}"
    )
    panel.get_by_role("button", name="Access").click()
    panel.get_by_role("button", name="Remove rows").click()
    expect(panel.get_by_text("Its fields use level.")).to_be_visible()
    panel.get_by_role("button", name="Close the inspector").click()

    node(page, "c").click()
    panel.get_by_role("button", name="Put a value into What the reviewer sees").click()
    page.get_by_role("button", name="Put in memory.level").click()
    panel.get_by_role("button", name="Put a value into Prompt message").click()
    row = page.get_by_role("button", name="Put in memory.rows")
    expect(tree).to_have_attribute("data-known", "true")
    row.hover()  # the list is drawn at its place by then, and moves no more
    page.mouse.down()
    x, y = middle(row)
    page.mouse.move(x + 8, y + 4)
    expect(page.locator("[data-dragged=true]")).to_have_count(1)  # and lets fields be seen
    page.mouse.move(*middle(panel.get_by_role("textbox", name="Prompt message")), steps=4)
    page.mouse.up()
    expect(panel.get_by_role("textbox", name="Prompt message")).to_contain_text("{{ memory.rows }}")
    expect(row).to_have_count(0)

    after = {each["id"]: each for each in document(page)["nodes"]}
    assert after["b"]["read_keys"] == ["level"]
    assert after["c"]["config"]["review_keys"] == ["rows", "level"]
    assert "rows" in after["c"]["read_keys"]

    node(page, "a").click()
    page.keyboard.press("Tab")
    expect(page.get_by_role("option").first).to_contain_text("For each of rows")
    page.keyboard.press("Enter")
    expect(panel.get_by_label("Label of the node")).to_have_value("For each of rows")
    each, one = document(page)["nodes"][-2:]
    assert (each["read_keys"], each["config"]["items_path"]) == (["rows"], "$.memory.rows")
    assert (each["config"]["worker_node_id"], one["read_keys"]) == (one["id"], ["map_item"])
