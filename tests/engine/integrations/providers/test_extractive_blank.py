"""The built-in model: a blank text gives nothing, and what a prompt marks outranks what is in it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.integrations.models.extractive.labels import holds
from engine.integrations.models.extractive.response import NOTHING, answer
from tests.engine.integrations.providers.calls import ask

JUDGED: dict[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "wants_refund": {"type": "boolean"}},
    "required": ["text", "wants_refund"],
}
ARTICLES = "To reset your password, choose Forgot password.\nInvoices are sent each month."


@pytest.mark.parametrize("blank", ["", "  ", "\n\n"])
def test_nothing_is_taken_from_the_prompt_when_the_text_is_blank(blank: str) -> None:
    bare = ask(f"Does the customer want a refund?\n\n## Text\n{blank}", schema=JUDGED)
    state = f'## State\n```json\n{{"input": {blank!r}}}\n```'.replace("'", '"')
    framed = ask(f"## Task\nDoes the customer want a refund?\n\n{state}", schema=JUDGED)

    assert answer(bare).structured == {"text": "", "wants_refund": False}
    assert answer(framed).structured == {"text": "", "wants_refund": False}
    assert answer(ask(f"Quote it.\n\n## Text\n{blank}")).text == NOTHING


@pytest.mark.parametrize(
    "message",
    [
        "<b>I forgot my password</b>",
        'It says "this password is not the one that we know"',
        "```\nwrong password, try again later\n```",
    ],
)
def test_what_stands_under_a_heading_outranks_tags_and_quotes_in_a_message(message: str) -> None:
    asked = f"Which passage answers this message?\n\nMessage: {message}\n\n## Source\n{ARTICLES}"
    schema = {"type": "object", "properties": {"answer": {"type": "string"}}}

    assert answer(ask(asked, schema=schema)).structured == {
        "answer": "To reset your password, choose Forgot password."
    }


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I want my 77 euros back!", True),
        ("Could you send me the $12.50 back?", True),
        ("Je veux être remboursé de 40 euros.", True),
        ("I do not want my 77 euros back.", False),
        ("I want my old profile back.", False),
    ],
)
def test_a_sum_that_is_wanted_back_is_a_refund(text: str, wanted: bool) -> None:
    assert holds("wants refund. The customer asks for their money back.", text) is wanted
