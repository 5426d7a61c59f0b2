"""What follows when a node, a memory field or a start field is called otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from engine.check.renames.edits import Stuck, follow, names_of
from engine.check.renames.texts import (
    CannotFollow,
    NewName,
    in_expression,
    in_jsonpath,
    in_template,
)
from engine.check.subject import Subject
from tests.engine.check.graphs import line, node, spec, world

LEVEL = NewName("memory", "level", "grade")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("memory.level == 'level'", "memory.grade == 'level'"),
        ("has(memory.level) ? memory.level : ''", "has(memory.grade) ? memory.grade : ''"),
        ("memory['level'].size() > 2", "memory.grade.size() > 2"),
        ("memory.levels + memory.level.name", "memory.levels + memory.grade.name"),
        ('"memory.level" + memory . level', '"memory.level" + memory.grade'),
        ("memory.?level.orValue('')", "memory.?grade.orValue('')"),
        ("input.level", "input.level"),
        ("memory.list.map(level, level + 1)", "memory.list.map(level, level + 1)"),
        ("memory.level ==", "memory.level =="),
    ],
)
def test_an_expression_follows_and_nothing_else_of_it_changes(before: str, after: str) -> None:
    assert in_expression(before, LEVEL) == after


def test_a_name_that_is_no_word_stands_in_brackets() -> None:
    dashed = NewName("outputs", "a", "x-1")

    assert in_expression("outputs.a.text + 'a'", dashed) == "outputs['x-1'].text + 'a'"
    assert in_expression("outputs['x-1']", NewName("outputs", "x-1", "a")) == "outputs.a"
    assert in_jsonpath("$.outputs.a[*].id", dashed) == "$.outputs['x-1'][*].id"


@pytest.mark.parametrize(
    "text",
    [
        "memory.level.size() > 1 && [1].exists(memory, memory == 1)",
        "'level' in memory",
        """memory["le" + "vel"] == "level" """,
    ],
)
def test_what_no_place_shows_is_not_followed(text: str) -> None:
    with pytest.raises(CannotFollow):
        in_expression(text, LEVEL)


def test_a_template_changes_between_its_braces_only() -> None:
    before = "memory.level: {{ memory.level }}, {{ '}}' + memory.level }} {{ input.level }}"

    assert in_template(before, LEVEL) == (
        "memory.level: {{ memory.grade }}, {{ '}}' + memory.grade }} {{ input.level }}"
    )
    assert in_template("{{ memory.level", LEVEL) == "{{ memory.level"


def test_keys_and_paths_follow_with_what_lies_below_them() -> None:
    field, start = LEVEL, NewName("input", "cv", "resume")

    assert [field.of_key(key) for key in ("level", "level.a", "levels", "input.level", "*")] == [
        "grade",
        "grade.a",
        "levels",
        "input.level",
        "*",
    ]
    assert start.of_key("input.cv.pages") == "input.resume.pages"
    assert in_jsonpath("$.memory['level'].rows", LEVEL) == "$.memory.grade.rows"
    assert in_jsonpath("$.memory.levels", LEVEL) == "$.memory.levels"


def renamed(document: dict[str, Any], kind: Any, old: str, new: str) -> dict[str, Any]:
    """Return what every edit sets by its place, and what is stuck under `stuck`."""
    subject = Subject(spec(document), world())
    found = list(follow(subject, names_of(subject, kind, old, new)))
    stuck = [each.id for each in found if isinstance(each, Stuck)]
    edits = {
        ".".join(map(str, (each.part, each.id, *each.path))): each.value
        for each in found
        if not isinstance(each, Stuck)
    }
    return {**edits, **({"stuck": stuck} if stuck else {})}


def test_a_memory_field_is_renamed_in_tables_keys_texts_and_conditions() -> None:
    document = line(
        node("a", "agent", write_keys=["level"], config={"prompt": "{{ input }}"}),
        node("b", "agent", read_keys=["level"], config={"prompt": "Is {{ memory.level }} high?"}),
        node("c", "approval", read_keys=["level"], config={"review_keys": ["level"]}),
        state_schema={"properties": {"x": {}, "level": {}}, "required": ["level"]},
        initial_memory={"level": "junior"},
        interface={"outputs": ["level"]},
    )
    document["edges"][1]["condition"] = "memory.level == 'high'"
    document["edges"][1]["id"] = "way"

    assert renamed(document, "field", "level", "grade") == {
        "edge.way.condition": "memory.grade == 'high'",
        "node.a.write_keys": ["grade"],
        "node.b.read_keys": ["grade"],
        "node.b.config.prompt": "Is {{ memory.grade }} high?",
        "node.c.read_keys": ["grade"],
        "node.c.config.review_keys": ["grade"],
        "graph..interface.outputs": ["grade"],
        "graph..state_schema": {"properties": {"x": {}, "grade": {}}, "required": ["grade"]},
        "graph..initial_memory": {"grade": "junior"},
    }


def test_a_start_field_is_renamed_where_it_is_read_as_input_and_as_memory() -> None:
    inputs = {"type": "object", "properties": {"cv": {}, "name": {}}, "required": ["cv"]}
    document = line(
        node("a", "agent", read_keys=["input.cv", "cv"], config={"prompt": "{{ input.cv }}"}),
        interface={"inputs": inputs},
    )

    changed = renamed(document, "input", "cv", "resume")

    assert changed["node.a.read_keys"] == ["input.resume", "resume"]
    assert changed["node.a.config.prompt"] == "{{ input.resume }}"
    assert changed["graph..interface.inputs"] == {
        "type": "object",
        "properties": {"resume": {}, "name": {}},
        "required": ["resume"],
    }
    document["initial_memory"] = {"cv": ""}
    assert renamed(document, "input", "cv", "resume")["node.a.read_keys"] == ["input.resume", "cv"]


def test_a_node_takes_along_its_answer_and_its_own_memory_keys() -> None:
    document = line(
        node("ask", "approval", config={}),
        node(
            "b",
            "agent",
            read_keys=["outputs.ask", "ask_result"],
            config={"prompt": "{{ outputs.ask.decision }} {{ memory.ask_result }}"},
        ),
    )

    assert renamed(document, "node", "ask", "decide-it") == {
        "node.b.read_keys": ["outputs.decide-it", "decide-it_result"],
        "node.b.config.prompt": (
            "{{ outputs['decide-it'].decision }} {{ memory['decide-it_result'] }}"
        ),
    }


def test_a_mapping_follows_on_the_side_that_is_here_and_a_half_written_node_too() -> None:
    document = line(
        node(
            "sub",
            "subgraph",
            config={"subgraph_id": "other", "input_mapping": {"level": "level"}},
        ),
        {"id": "half", "type": "function", "config": {"arguments": {}}, "read_keys": ["level"]},
    )

    changed = renamed(document, "field", "level", "grade")

    assert changed["node.sub.config.input_mapping"] == {"grade": "level"}
    assert changed["node.half.read_keys"] == ["grade"]


def test_what_cannot_follow_is_named() -> None:
    document = line(node("a", "output", read_keys=["level"], config={"value": "'level' in memory"}))

    assert renamed(document, "field", "level", "grade") == {
        "node.a.read_keys": ["grade"],
        "stuck": ["a"],
    }
