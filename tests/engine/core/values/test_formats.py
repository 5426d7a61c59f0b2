"""Formats of text: held for what people write, and told with an example."""

from __future__ import annotations

import pytest

from engine.core.errors import RequestRefused
from engine.core.people.asked_calls import refuse_argument_edits
from engine.core.values.json_schema import schema_problem


def schema(name: str) -> dict[str, object]:
    return {"type": "object", "properties": {"it": {"type": "string", "format": name}}}


@pytest.mark.parametrize(
    ("name", "wrong", "right", "words"),
    [
        ("date", "tomorrow", "2026-12-01", "a date such as 2026-12-01"),
        ("date", "2026-02-30", "2028-02-29", "a date"),
        ("date-time", "2026-12-01", "2026-12-01T09:30:00+02:00", "a moment such as"),
        ("email", "ann", "ann@example.org", "a mail address such as"),
        ("uri", "example", "https://example.org/", "a web address such as"),
    ],
)
def test_text_of_a_format_is_held_where_people_write_it(
    name: str, wrong: str, right: str, words: str
) -> None:
    problem = schema_problem(schema(name), {"it": wrong}, formats=True)

    assert problem is not None
    assert problem.startswith(f'it: "{wrong}" is not {words}')
    assert schema_problem(schema(name), {"it": right}, formats=True) is None
    assert schema_problem(schema(name), {"it": wrong}) is None, "a model's words are taken as ever"


def test_an_argument_that_is_left_as_it_was_may_have_another_format() -> None:
    """Only what somebody edits is held against its format."""
    parts = {"due": {"$ref": "#/$defs/day"}, "from": {"type": "string", "format": "email"}}
    request = {
        "approval_type": "tool_call",
        "data": {"due": "soon", "from": "nobody"},
        "editable_keys": ["due"],
        "edit_schema": {"properties": parts, "$defs": {"day": {"format": "date"}}},
    }

    refuse_argument_edits(request, {"due": "2026-12-01"})
    with pytest.raises(RequestRefused) as caught:
        refuse_argument_edits(request, {"due": "tomorrow"})
    assert (caught.value.code, "a date such as" in caught.value.message) == ("AnswerInvalid", True)
