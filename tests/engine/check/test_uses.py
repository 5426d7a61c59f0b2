"""What the fields of a node read, and the grants that none of them needs."""

from __future__ import annotations

import pytest

from engine.check.subject import Subject
from engine.check.uses import idle_keys, named_paths, narrow_keys
from tests.engine.check.graphs import line, node, spec, world


def told(type_, read_keys=(), **fields):
    """Return the narrowest keys that a node's fields need, and the keys that none uses."""
    drawn = line(node("a", type_, read_keys=list(read_keys), **fields))
    (found,) = Subject(spec(drawn), world()).nodes
    paths = named_paths(found)
    return None if paths is None else narrow_keys(paths), idle_keys(found)


@pytest.mark.parametrize(
    ("value", "keys"),
    [
        ("memory.level", ("level",)),
        ("input.cv", ("input.cv",)),
        ("size(input) + size(input.cv)", ("input",)),
        ("outputs['x-1'].score", ("outputs.x-1",)),
        ("has(previous.a) ? previous.a : goal", ("previous",)),
        ("memory", ("*",)),
        ("goal", ()),
    ],
)
def test_an_expression_needs_the_narrowest_keys(value, keys):
    assert told("output", config={"value": value})[0] == keys


def test_templates_paths_and_keys_count_alike():
    query = {"text": "About {{ input.name }}"}
    prompt = told("agent", config={"prompt": "Read {{ memory.cv }}"}, memory_query=query)
    path = told("map", config={"worker_node_id": "w", "items_path": "$.memory.rows[*].id"})
    judging = {"type": "llm_judge", "target_key": "level", "evaluator_agent_id": "helper"}
    judged = told("verifier", config=judging)

    assert prompt[0] == ("cv", "input.name")
    assert path[0] == ("rows",)
    assert judged[0] == ("level",)


def test_a_key_that_no_field_uses_is_idle():
    keys = ["input", "level", "outputs.x", "notes.a"]
    config = {"value": "memory.level + memory.notes.a.b"}

    assert told("output", keys, config=config)[1] == ("input", "outputs.x")


@pytest.mark.parametrize(
    ("type_", "fields"),
    [
        ("function", {}),
        ("agent", {}),
        ("output", {"config": {"value": "memory.level +"}}),
    ],
)
def test_nothing_is_idle_where_more_may_be_read(type_, fields):
    """A function's code, an agent without a prompt of its own, and a text that cannot be read yet."""
    assert told(type_, ["level"], **fields) == (None, ())
