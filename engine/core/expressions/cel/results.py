"""From the library's values to plain JSON: sorted keys, one number line, time as text."""

from __future__ import annotations

import datetime as dt
import math
import re
from typing import Any

from engine.core.expressions.cel.failures import ExpressionFailed, MissingReference
from engine.core.values.json import MAX_DEPTH, Json

MAX_NODES = 2_000_000
"""Values in one result; far above what the size limits of entries let in."""

_MISSING = (
    "NOT_FOUND: Key not found in map",
    "UNKNOWN: Index error: index=",
    'UNKNOWN: No value with name "',
    "INVALID_ARGUMENT: Invalid container type: 'null_type'",
    "FAILED_PRECONDITION: optional.none() dereference",
)
AMBIGUOUS = (
    "INVALID_ARGUMENT: Applying SELECT to non-message type",
    "UNKNOWN: No matching overloads found : _[?_]",
    "UNKNOWN: No matching overloads found : _?._",
)
"""Errors that a part of null shares with a part of a text or number."""

_OPERANDS = re.compile(r"No matching overloads found : ([^(]+)\((.*)\)")


def is_missing(error: str) -> bool:
    """Say whether the library's error text means something absent."""
    return error.startswith(_MISSING)


def failure(error: str) -> ExpressionFailed | MissingReference:
    """Return the error that stands for the library's error text."""
    message = error.partition(": ")[2].strip() or error
    if "'null_type'" in message:
        message = "a part of null"
    if is_missing(error):
        return MissingReference(f"a reference is missing: {message}")
    operands = _OPERANDS.fullmatch(message)
    if operands:
        symbol, types = operands[1].strip("_@"), operands[2].replace("int64", "int")
        message = f"{symbol!r} does not take ({types})"
    return ExpressionFailed(message)


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


def moment_text(value: dt.datetime) -> str:
    """Return an instant as RFC 3339 text in UTC, with `Z`."""
    text = value.astimezone(dt.UTC).isoformat()
    return text.replace("+00:00", "Z")


def instant_text(value: object) -> str:
    """Return the scope's `now` as RFC 3339 text; raises `ExpressionFailed` for what is no instant.

    Taken are RFC 3339 text, milliseconds since 1970, and a datetime with a time zone.
    """
    try:
        if isinstance(value, (int, float)):
            moment = dt.datetime.fromtimestamp(value / 1000, dt.UTC)
        elif isinstance(value, dt.datetime):
            moment = value
        else:
            moment = dt.datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError) as refused:
        raise ExpressionFailed(f"{value!r} is no time for now()") from refused
    if moment.tzinfo is None:
        raise ExpressionFailed("the time for now() needs a time zone")
    return moment_text(moment)


def duration_text(value: dt.timedelta) -> str:
    """Return a duration as the language writes it: seconds with `s`, such as `90s` or `0.5s`."""
    whole, micros = divmod(round(value.total_seconds() * 1_000_000), 1_000_000)
    if whole < 0 and micros:  # divmod rounds down: -0.5 s is -1 s and 500,000 µs
        whole, micros = whole + 1, 1_000_000 - micros
        sign = "-" if whole == 0 else ""
        return f"{sign}{whole}.{micros:06d}".rstrip("0") + "s"
    return f"{whole}.{micros:06d}".rstrip("0").rstrip(".") + "s"
