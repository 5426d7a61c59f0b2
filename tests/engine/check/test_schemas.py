"""JSON Schemas inside a document."""

from __future__ import annotations

import pytest

from tests.engine.check.graphs import codes, found, line, node, problems


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ({"state_schema": {"type": "nope"}}, "state_schema"),
        ({"state_schema": {"type": "array"}}, "state_schema"),
        ({"state_schema": {"properties": {"a": {"$ref": "http://example.com/x"}}}}, "state_schema"),
        (
            {"state_schema": {"properties": {"a": {"reducer": "newest"}}}},
            "state_schema.properties.a.reducer",
        ),
        (
            {"state_schema": {"properties": {"a": {"type": "string"}}}, "initial_memory": {"a": 1}},
            "initial_memory.a",
        ),
        ({"interface": {"inputs": {"required": 1}}}, "interface.inputs"),
    ],
)
def test_what_is_no_schema_or_does_not_fit(document, path):
    """C190."""
    assert found(line(node("a"), **document)) == {("InvalidValue", path)}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"a": {"type": "strng"}},
            'properties.a.type is "strng", a type is one of array, boolean, integer, null, '
            "number, object, string.",
        ),
        ({"a": {"enum": "x"}}, 'properties.a.enum is "x", it must be a list.'),
        ({"a": 3}, "properties.a is 3, it must be true or false or an object in { }."),
        ({"a": {"pattern": "("}}, 'properties.a.pattern: "(" is not a "regex".'),
    ],
)
def test_what_is_wrong_in_a_schema_is_said_with_its_place(fields, words):
    document = line(node("a"), interface={"inputs": {"properties": fields}})

    [problem] = [each for each in problems(document) if each.code == "InvalidValue"]

    assert problem.message == f"This is no JSON Schema: {words}"


def test_schemas_of_a_config():
    """V7, I2."""
    agent = node("a", "agent", write_keys=["x"], config={"result_schema": {"type": "array"}})
    form = node("b", "question", config={"kind": "form", "schema": {"type": 5}})

    assert found(line(agent, form)) == {
        ("InvalidValue", "nodes[0].config.result_schema"),
        ("InvalidValue", "nodes[1].config.schema"),
    }


@pytest.mark.parametrize("reducer", ["replace", "merge", "append", "union", "sum", "min", "max"])
def test_sound_schemas(reducer):
    """C53."""
    schema = {
        "type": "object",
        "properties": {"a": {"type": "array", "items": {"enum": [[1], {}]}, "reducer": reducer}},
    }

    assert codes(line(node("a"), state_schema=schema, initial_memory={"a": [[1]]})) == set()


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ({"interface": {"inputs": {"name": "string", "cv": "string"}}}, "interface.inputs"),
        ({"interface": {"inputs": {"inputs": {"type": "object"}}}}, "interface.inputs"),
        ({"state_schema": {"level": {"type": "string"}}}, "state_schema"),
    ],
)
def test_names_that_are_no_schema(document, path):
    assert found(line(node("a"), **document)) == {("SchemaShape", path)}


@pytest.mark.parametrize(
    "inputs", [{}, {"type": "string"}, {"x-title": 1, "name": "string"}, {"title": "Anything"}]
)
def test_a_word_of_json_schema_makes_a_schema(inputs):
    assert codes(line(node("a"), interface={"inputs": inputs})) == set()


@pytest.mark.parametrize(
    ("field", "place"),
    [
        ({"type": "string", "enum": []}, "level.enum"),
        ({"type": "array", "items": {"type": "string", "enum": []}}, "level.items.enum"),
    ],
)
def test_a_choice_without_values_yet_is_a_schema_that_nothing_fits(field, place):
    schema = {"type": "object", "properties": {"level": field}}

    for given, lane in (
        ({"interface": {"inputs": schema}}, "interface.inputs"),
        ({"state_schema": schema}, "state_schema"),
    ):
        [problem] = [p for p in problems(line(node("a"), **given)) if p.severity != "hint"]
        assert (problem.code, problem.severity) == ("NoChoices", "warning")
        assert problem.path == f"{lane}.properties.{place}"


@pytest.mark.parametrize("field", [True, None, {"enum": None}, {"items": True}, {"enum": ["x"]}])
def test_what_is_no_empty_choice_is_not_told_as_one(field):
    inputs = {"type": "object", "properties": {"level": field}}

    assert "NoChoices" not in codes(line(node("a"), interface={"inputs": inputs}))


def test_a_long_place_in_a_schema_is_shown_in_part():
    inputs = {"properties": {"x" * 2_000: {"type": "y" * 2_000}}}
    [problem] = [
        p
        for p in problems(line(node("a"), interface={"inputs": inputs}))
        if p.code == "InvalidValue"
    ]

    assert len(problem.message) < 300
