"""Sentences as the built-in model reads them."""

from __future__ import annotations

import pytest

from engine.integrations.models.extractive.sentences import sentences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "2. Liability. The supplier pays for lost data. It pays soon.",
            ["2. Liability. The supplier pays for lost data.", "It pays soon."],
        ),
        ("3) Notice of default. Either party may.", ["3) Notice of default. Either party may."]),
        (
            "1. Term. Two years.\n2. Payment. 60 days.",
            ["1. Term. Two years.", "2. Payment. 60 days."],
        ),
        ("I paid 20. Then I left.", ["I paid 20.", "Then I left."]),
        ("Hello. I was charged twice.", ["Hello.", "I was charged twice."]),
    ],
)
def test_the_heading_of_a_clause_belongs_to_its_first_sentence(text: str, found: list[str]) -> None:
    assert sentences(text) == found
