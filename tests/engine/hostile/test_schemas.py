"""JSON Schemas that stand for more than they write."""

from __future__ import annotations

import time
from typing import Any

import pytest

from engine.core.values.json_schema import Validator
from engine.core.values.schema_cost import SchemaCost, SchemaTooDear


def chain(levels: int, word: str = "allOf") -> dict[str, Any]:
    """Return definitions that each name the next one twice."""
    names = [f"n{level}" for level in range(levels + 1)]
    defs: dict[str, Any] = {
        name: {word: [{"$ref": f"#/$defs/{following}"}] * 2}
        for name, following in zip(names, names[1:], strict=False)
    }
    return {"$ref": "#/$defs/n0", "$defs": {**defs, names[-1]: {"type": "object"}}}


def nested(levels: int, leaf: Any) -> Any:
    """Return objects inside of one another."""
    for _ in range(levels):
        leaf = {"a": leaf}
    return leaf


@pytest.mark.parametrize("word", ["allOf", "anyOf", "oneOf"])
@pytest.mark.parametrize("levels", [11, 30, 400])
def test_definitions_that_double_are_refused(levels: int, word: str) -> None:
    """Thirty of them are two to the power of thirty steps; 28 took 7 s."""
    with pytest.raises(SchemaTooDear, match="doubles"):
        Validator(chain(levels, word))


def test_a_schema_of_60_000_properties_is_refused() -> None:
    """It held every thread for 2.4 s."""
    schema = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(60_000)}}
    began = time.thread_time()

    with pytest.raises(SchemaTooDear, match="parts"):
        Validator(schema)

    assert time.thread_time() - began < 0.5


def test_a_definition_that_is_itself_is_refused() -> None:
    """It has no meaning, and would not end."""
    with pytest.raises(SchemaTooDear, match="without going deeper"):
        Validator({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}})


BRANCHING = {
    "$ref": "#/$defs/t",
    "$defs": {
        "t": {
            "anyOf": [
                {"type": "object", "properties": {"a": {"$ref": "#/$defs/t"}}},
                {"type": "object", "properties": {"a": {"$ref": "#/$defs/t"}}, "minProperties": 1},
                {"type": "string"},
            ]
        }
    },
}


@pytest.mark.parametrize("levels", [3, 12, 16, 40])
def test_a_schema_that_branches_at_each_level_costs_no_more_for_a_deep_value(levels: int) -> None:
    """To say what is wrong at sixteen levels took 16 s."""
    validator = Validator(BRANCHING)
    began = time.thread_time()

    assert validator.problem(nested(levels, 3)) is not None

    assert time.thread_time() - began < 0.5


def test_a_long_list_with_many_faults_tells_the_first() -> None:
    """All 5,000 were written down with their 5,000 choices each."""
    validator = Validator({"type": "array", "items": {"enum": [f"e{n}" for n in range(5_000)]}})
    began = time.thread_time()

    assert (validator.problem(["zz"] * 5_000) or "").startswith("0: ")

    assert time.thread_time() - began < 0.5


TREE = {
    "$ref": "#/$defs/t",
    "$defs": {
        "t": {
            "type": "object",
            "properties": {
                "left": {"$ref": "#/$defs/t"},
                "right": {"$ref": "#/$defs/t"},
                "all": {"type": "array", "items": {"$ref": "#/$defs/t"}},
            },
        }
    },
}


def test_ordinary_recursion_goes_as_deep_as_values_do() -> None:
    """A tree with two sides and a list of children looks at each part once."""
    deep: Any = {}
    for _ in range(40):
        deep = {"left": deep, "all": [{}]}

    assert SchemaCost(TREE).branches == 1
    assert Validator(TREE).problem(deep) is None
    assert Validator(BRANCHING).problem(nested(5, "x")) is None
