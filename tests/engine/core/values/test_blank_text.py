"""A schema that asks for text with something in it, and what people are told of blank text."""

from __future__ import annotations

import pytest

from engine.core.values.json_schema import schema_problem

FILLED = {"type": "object", "properties": {"text": {"type": "string", "pattern": r"\S"}}}


@pytest.mark.parametrize("blank", ["", " ", "\n\t"])
def test_blank_text_is_called_blank(blank: str) -> None:
    """The problem says what is wrong in words, not as a pattern."""
    assert schema_problem(FILLED, {"text": blank}) == "text: must not be blank"
    assert schema_problem(FILLED, {"text": "x"}) is None
