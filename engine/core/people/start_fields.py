"""Start fields that an approval shows beside memory: keys such as `input.cv`.

They stand in what is shown under their whole key, are hashed with it, and never change in a run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.core.node_types.view import value_at
from engine.core.values.json import deep_merge

LANE: Final = "input"
_ABSENT: Final = object()


def is_start_field(key: str) -> bool:
    """Return whether a key names a Start field, or a part of one; `input` alone names none."""
    return key.startswith(f"{LANE}.") and all(key.split("."))


def start_value(start: Any, key: str, default: object = None) -> Any:
    """Return the value of a Start field in the run's input, `default` where it is absent."""
    return value_at({LANE: start}, key, default)


def shown_of_start(start: Any, keys: Sequence[str]) -> dict[str, Any]:
    """Return the Start fields among the keys that the run's input has, by their whole keys."""
    found = {key: start_value(start, key, _ABSENT) for key in keys if is_start_field(key)}
    return {key: value for key, value in found.items() if value is not _ABSENT}


def parted(shown: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what is shown of memory, and of the start as the input has it: nested, by name."""
    memory = {key: value for key, value in shown.items() if not is_start_field(key)}
    start: dict[str, Any] = {}
    for key, value in shown.items():
        if is_start_field(key):
            nested = value
            for part in reversed(key.split(".")[1:]):
                nested = {part: nested}
            start = deep_merge(start, nested)
    return memory, start
