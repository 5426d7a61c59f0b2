"""What a map leaves for the nodes after it, and how branches become one list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

KINDS = ("results", "errors", "count", "error_count")
"""What a map leaves, each under `<id>_<kind>`."""


def concatenated(received: Sequence[Any]) -> list[Any]:
    """Return what branches delivered as one list: lists are joined, other values become elements.

    A map counts with the outputs of its results.
    """
    out: list[Any] = []
    for value in received:
        results = _map_results(value)
        if results is not None:
            out += concatenated([result["output"] for result in results])
        else:
            out.extend(value if isinstance(value, list) else [value])
    return out


def _map_results(value: object) -> list[Any] | None:
    """Return the results in a map's output, None where the value is something else."""
    if not isinstance(value, Mapping) or len(value) != len(KINDS):
        return None
    name = next((key for key in value if key.endswith("_results")), None)
    if name is None:
        return None
    prefix = name.removesuffix("results")
    if any(f"{prefix}{kind}" not in value for kind in KINDS):
        return None
    results = value[name]
    return results if isinstance(results, list) else None
