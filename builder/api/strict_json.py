"""JSON from clients, read so that every store and every reader understands the same by it."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from engine.values import MAX_DEPTH

_INT64 = 2**63
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)


class NotStrictJson(ValueError):
    """The text is no JSON that could be kept; the message says why."""


def parse_json(text: bytes) -> Any:
    """Return what `text` stands for.

    Raises `NotStrictJson` for text that is no UTF-8 JSON, nesting over 64, NaN and infinities,
    integers beyond 64 bits, repeated keys, NUL and lone surrogates.
    """
    _check_depth(text)
    try:
        value = json.loads(
            text.decode("utf-8"),
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_small,
            object_pairs_hook=_unique,
        )
    except UnicodeDecodeError:
        raise NotStrictJson("the body is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise NotStrictJson(
            f"this is no JSON: {error.msg}, line {error.lineno} column {error.colno}"
        ) from None
    if b"\\u" in text or b"\0" in text:
        _check_text(value)
    return value


def _check_depth(text: bytes) -> None:
    depth = 0
    for char in _STRINGS.sub(b"", text):
        if char in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise NotStrictJson(f"nested deeper than {MAX_DEPTH}")
        elif char in b"]}":
            depth -= 1


def _no_constant(name: str) -> NoReturn:
    raise NotStrictJson(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise NotStrictJson(f"{text[:40]} is too large a number")
    return value


def _small(text: str) -> int:
    if len(text) > 20 or not -_INT64 <= int(text) < _INT64:
        raise NotStrictJson("integers must fit into 64 bits")
    return int(text)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotStrictJson(f"the key {twice[:80]!r} stands twice in one object")
    return found


def _check_text(value: Any) -> None:
    if isinstance(value, str):
        if "\0" in value or any("\ud800" <= char <= "\udfff" for char in value):
            raise NotStrictJson("text may not hold NUL or half a surrogate pair")
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_text(key)
            _check_text(item)
    elif isinstance(value, list):
        for item in value:
            _check_text(item)
