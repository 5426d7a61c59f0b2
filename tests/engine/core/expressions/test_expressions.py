"""Expressions: one language, JSON in and out."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from engine.core.expressions.cel import (
    ExpressionFailed,
    ExpressionInvalid,
    MissingReference,
    Reference,
    compile_expression,
    truthy,
)
from engine.core.values.json import freeze

SCOPE = freeze(
    {
        "memory": {
            "topic": "billing",
            "score": 1,
            "half": 0.5,
            "text": "0.85",
            "ok": False,
            "none": None,
            "list": [1, 2, 3],
            "objects": [{"x": 1}, None],
            "nested": {"a": {"b": 7}},
            "long": "x" * 100_000,
            "wide": list(range(201)),
        },
        "goal": "answer",
        "outputs": {"my-node": 5, "a": None},
        "context": {"graph_id": "g"},
        "input": "hi",
        "now": 1_700_000_000_000,
    }
)


def value(text: str, scope: Any = SCOPE) -> Any:
    return compile_expression(text).evaluate(scope)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("!memory.ok", True),
        ("memory.topic == 'billing' && true", True),
        ("memory.none == null", True),
        ("size(memory.list) + size(memory.topic)", 10),
        ("double(memory.text) >= 0.8", True),
        ("has(memory.topic) && !has(memory.nope)", True),
        ("memory.topic.startsWith('bil')", True),
        ("'a,b'.split(',').join('-')", "a-b"),
        ("memory.topic.upperAscii()", "BILLING"),
    ],
)
def test_expressions_are_cel(text: str, expected: Any) -> None:
    """C12."""
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 1.5", 2.5),
        ("memory.score + 0.5", 1.5),
        ("memory.half + 1", 1.5),
        ("memory.half - 1", -0.5),
        ("2 * memory.half", 1.0),
        ("memory.half / 2", 0.25),
        ("1 == 1.0", True),
        ("memory.score == 1.0", True),
        ("1 < 1.5", True),
        ("memory.list.map(x, x + 0.5)", [1.5, 2.5, 3.5]),
    ],
)
def test_ints_and_doubles_mix(text: str, expected: Any) -> None:
    """C12."""
    assert value(text) == expected


@pytest.mark.parametrize("score", [1, 1.0])
def test_a_number_means_the_same_as_1_and_1_0(score: float) -> None:
    """C12."""
    assert value("memory.s + 1", {"memory": {"s": score}}) == 2


@pytest.mark.parametrize(
    "text",
    [
        "memory.nope",
        "memory.nope == false",
        "memory.none.x",
        "memory.list[5]",
        "memory.list[-1]",
        "memory.objects[1].x",
        "memory.objects.map(o, o.x)",
        "result.output",
        "previous",
        "outputs['zzz']",
        "outputs.a.score",
        "memory[goal]",
    ],
)
def test_what_is_absent_is_a_missing_reference(text: str) -> None:
    """C16, V24."""
    with pytest.raises(MissingReference) as caught:
        value(text)

    assert caught.value.code == "MissingReference"
    assert not caught.value.retryable


def test_the_missing_reference_is_named() -> None:
    """V24."""
    with pytest.raises(MissingReference) as caught:
        value("memory.topic + memory.nope.deep")

    assert caught.value.reference == "memory.nope.deep"
    assert "memory.nope.deep" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "memory.topic > 1",
        "memory.topic.x",
        "memory.score[0]",
        "1 / 0",
        "memory.half / 0",
        "9223372036854775807 + 1",
        "1.0 / 0.0",
        "0.0 / 0.0",
        "b'abc'",
        "{1: 2}",
        "type(1)",
        "optional.of(1)",
        "memory.?topic",
        "{'a': memory.?topic}",
        "[{'a': [memory.?nope]}]",
        "int('x')",
    ],
)
def test_every_other_error_is_expression_failed(text: str) -> None:
    """C16."""
    with pytest.raises(ExpressionFailed) as caught:
        value(text)

    assert caught.value.code == "ExpressionFailed"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("memory.?nope.?b.orValue(3)", 3),
        ("memory.?none.?b.orValue(3)", 3),
        ("memory.?nested.?a.?b.orValue(3)", 7),
        ("has(memory.nope.deep)", False),
        ("has(memory.none.deep)", False),
        ("has(outputs.a.score) ? outputs.a.score : '-'", "-"),
        ("memory.nope == 1 || true", True),
    ],
)
def test_absence_can_be_provided_for(text: str, expected: Any) -> None:
    """V24."""
    assert value(text) == expected


def test_lanes_that_always_exist_are_empty_objects() -> None:
    """K14."""
    assert value("[has(memory.a), has(context.locale), size(outputs), size(metadata)]", {}) == [
        False,
        False,
        0,
        0,
    ]


@pytest.mark.parametrize("falsy", [False, None, 0, 0.0, "", [], {}])
def test_these_count_as_false(falsy: Any) -> None:
    """C16."""
    assert not truthy(falsy)


@pytest.mark.parametrize("true", [True, 1, -1, 0.5, "false", [0], {"a": None}])
def test_all_else_counts_as_true(true: Any) -> None:
    """C16."""
    assert truthy(true)


def test_an_output_value_reshapes_and_has_the_time() -> None:
    """S21."""
    result = value("{'g': context.graph_id, 'a': outputs['my-node'], 'at': now()}")

    assert list(result) == ["a", "at", "g"]
    assert result == {"a": 5, "at": "2023-11-14T22:13:20Z", "g": "g"}


@pytest.mark.parametrize("now", [1_700_000_000_000, "2023-11-14T22:13:20Z"])
def test_now_is_the_scopes_time(now: Any) -> None:
    """S21."""
    assert value("string(now() - duration('20s'))", {"now": now}) == "2023-11-14T22:13:00Z"


def test_now_without_a_time_is_missing() -> None:
    """S21."""
    with pytest.raises(MissingReference, match="now"):
        value("now()", {})


def test_durations_and_unsigned_numbers_become_json() -> None:
    assert value("[duration('1500ms'), duration('-500ms'), 7u]") == ["1.5s", "-0.5s", 7]


@pytest.mark.parametrize("text", ["memory.wide.map(x, x)", "memory.wide.filter(x, x > 1)"])
def test_more_than_200_elements_are_refused(text: str) -> None:
    with pytest.raises(ExpressionFailed, match="200"):
        value(text)


def test_200_elements_and_long_quantifiers_work() -> None:
    scope = {"memory": {"l": list(range(200)), "m": list(range(5000))}}

    assert value("memory.l.map(x, x * 2).size()", scope) == 200
    assert value("memory.m.all(x, x >= 0)", scope) is True


@pytest.mark.parametrize(
    "text",
    [
        "memory.long.replace('', memory.long)",
        "[memory.long]" + ".map(a, [a, a, a, a, a, a, a, a])" * 8 + ".size()",
        "[memory.long]" + ".map(a, a + a + a + a + a + a + a)" * 8 + ".size()",
        "[memory.topic]" + ".map(a, strings.quote(strings.quote(a)))" * 8 + ".size()",
        "memory.list.map(a, memory.list.map(b, memory.list.map(c, [memory.long, memory.long].map(d, d + d + d))))",
        "memory.wide.exists(a, memory.wide.exists(b, memory.wide.exists(c, c < 0)))",
        "(memory.long + memory.long).matches('(x?){100}(y?){100}x{40}z')",
    ],
)
def test_work_is_bounded(text: str) -> None:
    before = time.process_time()

    with pytest.raises((ExpressionFailed, ExpressionInvalid)):
        value(text)

    assert time.process_time() - before < 2


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("1 +", 1, 4), ("true &&\n  nope", 2, 3), ("a b", 1, 3), ("", 1, 1)],
)
def test_an_invalid_expression_has_its_place(text: str, line: int, column: int) -> None:
    """V28."""
    with pytest.raises(ExpressionInvalid) as caught:
        compile_expression(text)

    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "proposal"),
    [
        ("field", "memory.field"),
        ("outputs.my-node", "outputs['my-node']"),
        ("now", "now()"),
        ("frob(1)", "unknown function 'frob'"),
    ],
)
def test_an_unknown_name_comes_with_a_proposal(text: str, proposal: str) -> None:
    """V28."""
    with pytest.raises(ExpressionInvalid) as caught:
        compile_expression(text)

    assert proposal in caught.value.message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("not input.cv", "write ! for not"),
        ("input.a == 1 && not input.b", "write ! for not"),
        ("not (input.a)", "write ! for not"),
        ("input.cv contains 'x'", "contains follows a point: write input.name.contains('x')"),
    ],
)
def test_words_of_other_languages_are_answered_with_those_of_this_one(
    text: str, words: str
) -> None:
    with pytest.raises(ExpressionInvalid) as caught:
        compile_expression(text)

    assert caught.value.message == words


@pytest.mark.parametrize(
    "text",
    [
        "google.protobuf.Struct{}",
        "memory.topic.matches(memory.text)",
        "memory.topic.matches('(')",
        "(" * 500 + "1" + ")" * 500,
        "memory" + ".a" * 500,
        "x" * 9000,
        "'\ud800'",
    ],
)
def test_what_is_not_offered_is_invalid(text: str) -> None:
    with pytest.raises(ExpressionInvalid):
        compile_expression(text)


def reads(text: str) -> set[tuple[str, bool]]:
    return {(str(each), each.guarded) for each in compile_expression(text).references}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("memory.topic == outputs.a", {("memory.topic", False), ("outputs.a", False)}),
        ("outputs['my-node'].x", {("outputs['my-node'].x", False)}),
        ("memory[input]", {("memory", False), ("input", False)}),
        ("has(memory.n) ? memory.n : '-'", {("memory.n", True)}),
        ("!has(memory.n) ? '-' : memory.n.x", {("memory.n", True), ("memory.n.x", True)}),
        ("has(memory.n) && memory.n > 1", {("memory.n", True)}),
        ("memory.n > 1 && has(memory.n)", {("memory.n", True)}),
        ("!has(memory.n) || memory.n > 1", {("memory.n", True)}),
        ("has(memory.n) || memory.n > 1", {("memory.n", True), ("memory.n", False)}),
        ("has(memory.n) ? 1 : memory.n", {("memory.n", True), ("memory.n", False)}),
        ("memory.?a.?b.orValue(1)", {("memory.a.b", True)}),
        ("'k' in memory && memory.k == 1", {("memory", False), ("memory.k", True)}),
        ("memory.l.map(memory, memory.x)", {("memory.l", False)}),
    ],
)
def test_references_know_their_guards(text: str, expected: set[tuple[str, bool]]) -> None:
    """V28."""
    assert reads(text) == expected


def test_references_are_paths() -> None:
    assert compile_expression("memory.a.b").references == {Reference(("memory", "a", "b"), False)}


def test_extra_names_can_be_offered() -> None:
    assert compile_expression("item.x + 1", ["item"]).evaluate({"item": {"x": 1}}) == 2
    with pytest.raises(ExpressionInvalid):
        compile_expression("item.x + 1")


def test_the_scope_is_not_changed_and_results_are_copies() -> None:
    scope = {"memory": {"l": [1]}}

    value("memory.l", scope).append(2)

    assert scope == {"memory": {"l": [1]}}


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("memory.x = 3", "write =="),
        ("memory.x =! 3", "write =="),
        ("memory.x and memory.y", "write &&"),
        ("memory.x & memory.y", "write &&"),
        ("memory.x or memory.y", "write ||"),
        ("memory.x | memory.y", "write ||"),
        ("memry.x == 1", "did you mean memory.x?"),
        ("inptu.x.y == 1", "did you mean input.x.y?"),
        ("amount == 1", "did you mean memory.amount?"),
    ],
)
def test_a_slip_of_the_pen_is_told_with_its_cure(text: str, cure: str) -> None:
    with pytest.raises(ExpressionInvalid, match=re.escape(cure)):
        compile_expression(text)


def test_a_not_in_a_quoted_text_is_no_word_of_the_condition():
    with pytest.raises(ExpressionInvalid) as caught:
        compile_expression("input.a == 'is not b' b")

    assert "!" not in caught.value.message
