"""What runs are called: the first line of what they were started with."""

from __future__ import annotations

from typing import Any

import pytest

from builder.base.run_text import MAX_TITLE, title_of


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ("\n  Refund for Tess \nMore", "Refund for Tess"),
        (
            {"order": "K-1", "paid": True, "amount": 902, "note": None, "text": "a\nb"},
            "K-1 · 902 · a",
        ),
        (["first", "second"], "first"),
        (None, ""),
        ({}, ""),
        ({"deep": {"x": 1}}, ""),
        ("x" * 10**6, "x" * MAX_TITLE),
    ],
)
def test_a_title_is_the_first_line(given: Any, title: str) -> None:
    assert title_of(given) == title
