"""JSON as it comes in: refused where a later stage would stumble over it."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from engine.core.values.json import MAX_DEPTH, Json
from engine.core.values.limits.numbers import MAX_BODY
from engine.core.values.limits.refusals import Code, LimitExceeded, UnreadableInput

_INT64 = 2**63
_MARKS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{},]', re.DOTALL)
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def parse_json(
    data: bytes | str,
    *,
    max_bytes: int = MAX_BODY,
    max_depth: int = MAX_DEPTH,
    max_values: int | None = None,
    code: Code = "InputInvalid",
) -> Json:
    """Return the JSON value of `data`.

    Raises `LimitExceeded` for too many bytes, levels or values (found before parsing, which stops
    every other thread for as long as it takes), `UnreadableInput` for what is no JSON, NaN,
    infinities (`1e999` is one), integers beyond 64 bits, duplicate keys, NUL and lone surrogates.
    """
    text = read_text(data, max_bytes, code)
    _refuse_shape(text, max_depth, max_values, code)
    reader = _Reader(code)
    try:
        value = json.loads(
            text,
            parse_constant=reader.constant,
            parse_float=reader.number,
            parse_int=reader.integer,
            object_pairs_hook=reader.members,
        )
    except (ValueError, RecursionError) as refused:
        raise UnreadableInput(code, "", f"no JSON: {refused}") from refused
    refuse_unstorable(value, code)
    result: Json = value
    return result


def read_text(data: bytes | str, max_bytes: int, code: Code) -> str:
    """Return `data` as text; raises `LimitExceeded` by size, `UnreadableInput` for no UTF-8."""
    size = len(data)
    if size <= max_bytes and isinstance(data, str):
        size = len(data.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        raise LimitExceeded(code, "", f"{size} bytes are more than {max_bytes}")
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as refused:
        raise UnreadableInput(code, "", f"no UTF-8 at byte {refused.start}") from refused


def refuse_unstorable(value: object, code: Code) -> None:
    """Raise `UnreadableInput`, naming the place, if any text has NUL or a lone surrogate."""
    stack: list[tuple[str, Any]] = [("", value)]
    while stack:
        path, item = stack.pop()
        if isinstance(item, str):
            if not _is_storable(item):
                raise UnreadableInput(code, path, "NUL and lone surrogates cannot be stored")
        elif isinstance(item, dict):
            for key, inner in item.items():
                place = f"{path}.{key}" if path else key
                if not _is_storable(key):
                    raise UnreadableInput(code, path, "a key has NUL or a lone surrogate")
                stack.append((place, inner))
        elif isinstance(item, list):
            stack.extend((f"{path}[{index}]", inner) for index, inner in enumerate(item))


def _is_storable(text: str) -> bool:
    """Return whether a text has neither NUL nor lone surrogates; a long one in a millisecond or two."""
    if text.isascii():
        return "\0" not in text
    return _UNSTORABLE.search(text) is None


def _refuse_shape(text: str, max_depth: int, max_values: int | None, code: Code) -> None:
    opened = text.count("[") + text.count("{")
    most = len(text) if max_values is None else max_values
    if opened <= max_depth and opened + text.count(",") < most:
        return
    depth, values = 0, 1
    for found in _MARKS.finditer(text):
        mark = found[0]
        if mark in ("[", "{"):
            depth += 1
        elif mark in ("]", "}"):
            depth -= 1
        values += mark in ("[", "{", ",")
        if depth > max_depth:
            raise LimitExceeded(code, "", f"nested deeper than {max_depth}")
        if values > most:
            raise LimitExceeded(code, "", f"there are more than {most} values")


class _Reader:
    """The hooks that refuse what the standard parser would take."""

    def __init__(self, code: Code) -> None:
        self.code = code

    def constant(self, name: str) -> NoReturn:
        raise UnreadableInput(self.code, "", f"{name} is not JSON")

    def number(self, text: str) -> float:
        value = float(text)
        if not math.isfinite(value):
            raise UnreadableInput(self.code, "", f"{text[:40]} is too large a number")
        return value

    def integer(self, text: str) -> int:
        value = int(text) if len(text) <= 20 else _INT64
        if not -_INT64 <= value < _INT64:
            raise UnreadableInput(self.code, "", f"integer {text[:40]} does not fit into 64 bits")
        return value

    def members(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    raise UnreadableInput(self.code, key[:200], "the key is there twice")
                seen.add(key)
        return members
