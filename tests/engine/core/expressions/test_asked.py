"""Which values a condition asks for, read from its tree."""

from __future__ import annotations

import pytest

from engine.core.expressions.cel import compile_expression

LEVEL, KIND = ("memory", "level"), ("input", "kind")


def text(*values: str) -> frozenset[tuple[str, str]]:
    return frozenset(("text", value) for value in values)


@pytest.mark.parametrize(
    ("condition", "values", "exact"),
    [
        ("memory.level == 'senior'", {LEVEL: text("senior")}, True),
        ("'senior' == memory['level']", {LEVEL: text("senior")}, True),
        ("memory.level in ['a', 'b']", {LEVEL: text("a", "b")}, True),
        ("memory.level == 'a' || memory.level == 'b'", {LEVEL: text("a", "b")}, True),
        (
            "memory.level == 'a' && input.kind == 'x'",
            {LEVEL: text("a"), KIND: text("x")},
            False,
        ),
        ("memory.level == 'a' && memory.level == 'b'", {LEVEL: text()}, False),
        ("memory.level == 'a' && size(input.kind) > 1", {LEVEL: text("a")}, False),
        ("memory.level == 'a' || input.kind == 'x'", {}, False),
        ("memory.level == 'a' || size(input.kind) > 1", {}, False),
        ("memory.level == true", {LEVEL: frozenset({("bool", True)})}, True),
        ("memory.level == 1", {LEVEL: frozenset({("number", 1.0)})}, True),
        ("memory.level == 1.0", {LEVEL: frozenset({("number", 1.0)})}, True),
        ("memory.level == ['a']", {}, False),
        ("'a' in memory.level", {}, False),
        ("memory.level == input.kind", {}, False),
        ("memory.?level.orValue('a') == 'a'", {}, False),
        ("memory.level in ['a', input.kind]", {}, False),
        ("!(memory.level == 'a')", {}, False),
        ("memory.level != 'a'", {}, False),
        ("memory.level == 'a' ? true : false", {}, False),
    ],
)
def test_the_values_that_a_condition_asks_for(condition, values, exact):
    asked = compile_expression(condition).asked

    assert (asked.values, asked.exact) == (values, exact)


def test_truth_is_no_number():
    yes, one = (compile_expression(f"memory.level == {v}").asked.values for v in ("true", "1"))

    assert yes != one
