"""JSON as it comes in: refused where a later stage would stumble over it."""

from __future__ import annotations

import json
import re
from typing import Final

from engine.core.values.json import MAX_DEPTH, Json
from engine.core.values.limits.json_hooks import JsonHooks
from engine.core.values.limits.numbers import MAX_BODY
from engine.core.values.limits.refusals import Code, LimitExceeded, UnreadableInput
from engine.core.values.limits.storable import refuse_unstorable

_MARKS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{},]', re.DOTALL)

_WORDS: Final = {
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Expecting ':' delimiter": "a colon is missing after a name",
    "Expecting property name": "a name in double quotes is missing",
    "Illegal trailing comma": "a comma too many",
    "Expecting value": "a value is missing",
    "Unterminated string": "a text has no closing quote",
    "Extra data": "more follows after the end of the value",
    "Invalid control character": "a text holds a line break or another control character",
    "Invalid \\": "a backslash in a text begins nothing that JSON knows",
}
"""What Python's reader says, by its beginning."""


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
    reader = JsonHooks(code)
    try:
        value = json.loads(
            text,
            parse_constant=reader.constant,
            parse_float=reader.number,
            parse_int=reader.integer,
            object_pairs_hook=reader.members,
        )
    except (ValueError, RecursionError) as refused:
        raise UnreadableInput(code, "", f"no JSON: {_words(refused)}") from refused
    refuse_unstorable(value, code)
    result: Json = value
    return result


def _words(refused: Exception) -> str:
    """Say what is wrong and where, for people who do not know how a parser speaks."""
    if not isinstance(refused, json.JSONDecodeError):
        return str(refused)
    said = next((words for begun, words in _WORDS.items() if refused.msg.startswith(begun)), "")
    return f"{said or refused.msg}, at line {refused.lineno}, column {refused.colno}"


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
