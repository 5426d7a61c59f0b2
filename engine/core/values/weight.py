"""About how many bytes a value has as JSON, found without writing it out."""

from __future__ import annotations

from typing import Any, Final

from engine.core.values.json import FrozenDict, FrozenList

_NUMBER: Final = 8
"""What a number, a boolean or null counts."""
_KEPT: Final = frozenset({FrozenDict, FrozenList})
_PLAIN: Final = frozenset({int, float, bool, type(None)})


def weigh(value: object) -> int:
    """Return about how many bytes of JSON `value` is; what stands in it twice counts twice.

    A frozen object or array is walked once and keeps its weight, so that a large value which many
    events carry costs nothing again, and one that would be gigabytes as text is never written.
    """
    kind = type(value)
    if kind in _KEPT:
        return _kept(value)
    if kind is str:
        return len(value) + 2  # type: ignore[arg-type]
    if isinstance(value, dict):
        return 2 + sum(map(len, value)) + 4 * len(value) + _of_all(value.values())
    if isinstance(value, list | tuple):
        return 2 + len(value) + _of_all(value)
    return _NUMBER


def _kept(value: Any) -> int:
    weight: int | None = getattr(value, "weight", None)
    if weight is None:
        around = len(value) if type(value) is FrozenList else sum(map(len, value)) + 4 * len(value)
        items = value if type(value) is FrozenList else value.values()
        weight = value.weight = 2 + around + _of_all(items)
    return weight


def _of_all(items: Any) -> int:
    """Return the weight of what is in an object or array. Leaves cost no call: most are."""
    total = 0
    for item in items:
        kind = type(item)
        if kind is str:
            total += len(item) + 2
        elif kind in _PLAIN:
            total += _NUMBER
        else:
            total += weigh(item)
    return total
