"""Names that no memory key may have: the run and the check agree."""

from __future__ import annotations

import pytest

from engine.check import access
from engine.core.state import lanes


@pytest.mark.parametrize(
    ("key", "reserved"),
    [
        ("input", True),
        ("input.x", True),
        ("goal.y", True),
        ("outputs.a", True),
        ("_own", True),
        ("_own.part", True),
        ("inputs", False),
        ("my.input", False),
        ("notes.a", False),
    ],
)
def test_the_run_and_the_check_reserve_the_same_names(key: str, reserved: bool) -> None:
    """C14: One function says it, so that what check accepts is not dropped by the run."""
    assert access.is_reserved is lanes.is_reserved
    assert lanes.is_reserved(key) is reserved
