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
        ({"amount": 1240.0, "rate": 20.250000001, "small": 1.5e-05}, "1240 · 20.25 · 0.000015"),
        ({"a": 12345678901.5, "b": -0.1 - 0.2, "c": 3.0}, "12345678901.5 · -0.3 · 3"),
        ({"a": 0.0, "b": 1e300, "c": float("nan")}, "0 · 1e+300 · nan"),
        (["first", "second"], "first"),
        (None, ""),
        ({}, ""),
        ({"deep": {"x": 1}}, ""),
        ("x" * 10**6, "x" * MAX_TITLE),
    ],
)
def test_a_title_is_the_first_line(given: Any, title: str) -> None:
    assert title_of(given) == title
