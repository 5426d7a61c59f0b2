"""A field that is asked of a text, a number, yes or no, or a list: what is said of it."""

import pytest

from engine.core.expressions.cel import ExpressionFailed, MissingReference, compile_expression
from engine.core.expressions.templates import compile_template

SCOPE = {
    "input": "only a text",
    "memory": {"n": 1, "half": 0.5, "ok": True, "rows": ["x"], "o": {"p": "x"}, "nil": None},
}


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("input.cv", "input is a text, it has no field cv"),
        ("input['cv']", "input is a text, it has no field cv"),
        ("input.cv.size()", "input is a text, it has no field cv"),
        ("has(input.cv) ? input.cv : ''", "input is a text, it has no field cv"),
        ("input.?cv.orValue('')", "input is a text, it has no field cv"),
        ("memory.n.x", "memory.n is a number, it has no field x"),
        ("memory.half.x", "memory.half is a number, it has no field x"),
        ("memory.ok.x", "memory.ok is yes or no, it has no field x"),
        ("memory.rows.x", "memory.rows is a list, it has no field x"),
        ("memory.o.p.q", "memory.o.p is a text, it has no field q"),
        ("size(memory.o) > 0 && input.cv == ''", "input is a text, it has no field cv"),
    ],
)
def test_the_value_and_the_field_are_named(expression, words):
    with pytest.raises(ExpressionFailed) as failed:
        compile_expression(expression).evaluate(SCOPE)

    assert failed.value.message == words


def test_a_template_says_it_too():
    with pytest.raises(ExpressionFailed, match=r"^input is a text, it has no field cv$"):
        compile_template("Read {{ input.cv }} now").render(SCOPE)


def test_what_is_worked_out_has_no_name():
    with pytest.raises(ExpressionFailed, match=r"^the value is a text and has no fields$"):
        compile_expression("memory.rows.map(i, i.x)").evaluate(SCOPE)


def test_a_part_of_null_is_still_missing():
    with pytest.raises(MissingReference, match=r"memory\.nil\.x is missing"):
        compile_expression("memory.nil.x").evaluate(SCOPE)


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("input > 3", "'>' does not take a text and a number"),
        ("memory.rows + 1", "'+' does not take a list and a number"),
        ("memory.o < memory.half", "'<' does not take an object and a number"),
        ("size(memory.n)", "'size' does not take a number"),
    ],
)
def test_operands_that_do_not_fit_are_told_in_words(expression, words):
    with pytest.raises(ExpressionFailed) as caught:
        compile_expression(expression).evaluate(SCOPE)

    assert caught.value.message == words
