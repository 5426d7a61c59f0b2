"""Durations in words."""

from __future__ import annotations

import pytest

from engine.core.values.durations import duration_words


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (0, "0 ms"),
        (1, "1 ms"),
        (1_500, "1,500 ms"),
        (1_000, "1 second"),
        (90_000, "90 seconds"),
        (3_600_000, "1 hour"),
        (5_400_000, "90 minutes"),
        (172_800_000, "2 days"),
    ],
)
def test_a_duration_is_said_in_the_largest_unit_that_counts_it(ms: int, words: str) -> None:
    assert duration_words(ms) == words
