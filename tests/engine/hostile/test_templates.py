"""Templates that never close: as dear as they are long, no more."""

from __future__ import annotations

import time

import pytest

from engine.core.expressions.cel import ExpressionInvalid
from engine.core.expressions.quotes import marks
from engine.core.expressions.templates import compile_template
from engine.core.values.limits import MAX_TEMPLATE


@pytest.mark.parametrize(
    "middle", ["\\", "\\'", "\\'''", "'\\", "r'''\\", "'\n", " ''' \\", '"""\\', "r", "{", "}{"]
)
@pytest.mark.parametrize("opening", ["{{ ", "{{ '", "{{ '''", '{{ """', "{{ r'''"])
def test_an_open_quote_costs_no_more_than_its_length(opening: str, middle: str) -> None:
    """A pattern that could take a backslash in two ways took 28 s for 37 of them."""
    text = (opening + middle * MAX_TEMPLATE)[:MAX_TEMPLATE]
    began = time.thread_time()

    with pytest.raises(ExpressionInvalid):
        compile_template(text)

    assert time.thread_time() - began < 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a}b", [1]),
        ("'}' }", [4]),
        (r"'\'}' }", [6]),
        (r"'\\' }", [5]),
        ("'''a'}''b''' }", [13]),
        (r"'''\'''}''' }", [12]),
        (r"r'\' }", [5]),
        (r"r'''\''' }", [9]),
        ("'} \n }", [1, 5]),
        ("''' }", [4]),
        ('""" \' } """ }', [12]),
        ("", []),
    ],
)
def test_marks_outside_of_quotes_are_found(text: str, expected: list[int]) -> None:
    """As the language quotes: escapes, three quotes over lines, no escapes behind an r."""
    assert list(marks(text, 0, "}")) == expected
