"""From the library's values to plain JSON: sorted keys, one number line, time as text."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

from engine.core.expressions.cel.failures import ExpressionFailed
from engine.core.expressions.cel.library_errors import failure
from engine.core.expressions.cel.times import duration_text, moment_text
from engine.core.values.json import MAX_DEPTH, Json

MAX_NODES = 2_000_000
"""Values in one result; far above what the size limits of entries let in."""


def plain(value: object) -> Json:
    """Return a result of the library as JSON; raises `ExpressionFailed` for what has no JSON.

    Taken level by level: the library's own deep conversion ends the process when an optional
    stands inside of an object. Keys are sorted, because their order there is arbitrary.
    """
    return _Converter().convert(value, 0)


class _Converter:
    def __init__(self) -> None:
        self.left = MAX_NODES

    def convert(self, held: Any, depth: int) -> Json:
        """Return what the library's value `held` holds."""
        value = held.value()
        if isinstance(value, str) and held.type().name() == "ERROR":
            raise failure(value)
        self.left -= 1
        if self.left < 0:
            raise ExpressionFailed(f"the result has more than {MAX_NODES} values")
        if value is None or isinstance(value, (str, bool)):
            return value
        if isinstance(value, int):
            if not -(2**63) <= value < 2**63:
                raise ExpressionFailed("the result has an integer beyond 64 bits")
            return value
        if isinstance(value, float):
            if not math.isfinite(value):
                raise ExpressionFailed("the result is no finite number")
            return value
        if isinstance(value, dt.datetime):
            return moment_text(value)
        if isinstance(value, dt.timedelta):
            return duration_text(value)
        return self.container(value, depth)

    def container(self, value: object, depth: int) -> Json:
        if depth >= MAX_DEPTH:
            raise ExpressionFailed(f"the result is nested deeper than {MAX_DEPTH}")
        if isinstance(value, list):
            return [self.convert(item, depth + 1) for item in value]
        if isinstance(value, dict):
            if not all(isinstance(key, str) for key in value):
                raise ExpressionFailed("the keys of an object must be text")
            return {key: self.convert(value[key], depth + 1) for key in sorted(value)}
        raise ExpressionFailed(f"the result is a {type(value).__name__}, which has no JSON form")
