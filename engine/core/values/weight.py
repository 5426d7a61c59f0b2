"""About how many bytes a value has as JSON, found without writing it out."""

from __future__ import annotations

from typing import Any

from engine.core.values.json import FrozenDict, FrozenList


def weigh(value: object) -> int:
    """Return about how many bytes of JSON `value` is; what stands in it twice counts twice.

    A frozen object or array is walked once and keeps its weight, so that a large value which many
    events carry costs nothing again, and one that would be gigabytes as text is never written.
    """
    kind = type(value)
    if kind is str:
        return len(value) + 2  # type: ignore[arg-type]
    if kind is FrozenDict or kind is FrozenList:
        return _kept(value)
    if isinstance(value, dict):
        return _of_object(value)
    return _of_array(value) if isinstance(value, list | tuple) else 8


def _kept(value: Any) -> int:
    try:
        return value.weight  # type: ignore[no-any-return]
    except AttributeError:
        found = _of_object(value) if type(value) is FrozenDict else _of_array(value)
        value.weight = found
        return found


def _of_object(value: dict[str, Any]) -> int:
    total = 2
    for key, item in value.items():
        total += len(key) + 4 + (len(item) + 2 if type(item) is str else weigh(item))
    return total


def _of_array(value: list[Any] | tuple[Any, ...]) -> int:
    total = 2
    for item in value:
        total += 1 + (len(item) + 2 if type(item) is str else weigh(item))
    return total
