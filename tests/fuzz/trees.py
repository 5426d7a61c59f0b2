"""JSON of any shape: small, deep, wide, and with what databases and browsers stumble over."""

from __future__ import annotations

import json
from typing import Any, Final

from hypothesis import strategies as st

LARGE: Final = 1_500_000
"""Characters of the largest that is sent."""

CHARACTERS = st.characters(codec="utf-8", exclude_characters="\0")
TEXTS = st.text(CHARACTERS, max_size=8) | st.sampled_from(
    ["", "a" * 3_000, "__proto__", "constructor", "../../x", "1e999", "-0", "=1+1", "\u202e"]
)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | FINITE | TEXTS
UNSTORABLE = st.sampled_from(["\0", "\ud83d", 2**70, float("nan"), float("inf"), -(2**64)])


def _deep(levels: int) -> Any:
    value: Any = 1
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


def at_most(times: int, part: Any) -> int:
    """Return how often a part is repeated so that the whole can still be sent."""
    return max(1, min(times, LARGE // (len(json.dumps(part)) + 1)))


SHAPES = st.one_of(
    st.integers(1, 200).map(_deep),
    st.integers(1, 20_000).map(lambda count: list(range(count))),
    st.integers(1, 5_000).map(lambda count: {f"k{n}": n for n in range(count)}),
    st.integers(1, 60_000).map(lambda count: "ab," * count),
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
NONSENSE = st.builds(lambda tree, leaf: {"a": [tree, leaf]}, TREES, UNSTORABLE)
JSON = TREES | TREES | TREES | SHAPES | NONSENSE
