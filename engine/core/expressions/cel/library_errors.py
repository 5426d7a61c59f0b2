"""The library's error texts, told apart: what is missing, what is wrong."""

from __future__ import annotations

import re

from engine.core.expressions.cel.failures import ExpressionFailed, MissingReference

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

_SELECTION = (
    *AMBIGUOUS,
    "INVALID_ARGUMENT: Invalid container type",
    "UNKNOWN: Index error: expected integer type, got string",
)
"""Errors of a field that is asked of something which is no object."""
_CONTAINER = re.compile(r"Invalid container type: '([^']*)'")
_KINDS = {
    "string": "a text",
    "int": "a number",
    "int64": "a number",
    "double": "a number",
    "bool": "yes or no",
    "list": "a list",
    "map": "an object",
}
_ENTRY = re.compile(r"Index error: index=(-?[0-9]{1,19}) size=([0-9]{1,19})")
_OPERANDS = re.compile(r"No matching overloads found : ([^(]+)\((.*)\)")


def is_missing(error: str) -> bool:
    """Say whether the library's error text means something absent."""
    return error.startswith(_MISSING)


def is_selection(error: str) -> bool:
    """Say whether the library's error text means a field of what has none."""
    return error.startswith(_SELECTION)


def kind_of(value: object) -> str | None:
    """Return what a value without fields is, in words; None for an object and for null."""
    kinds = {str: "string", bool: "bool", int: "int", float: "double", list: "list"}
    return _KINDS.get(kinds.get(type(value), ""))


def failure(error: str) -> ExpressionFailed | MissingReference:
    """Return the error that stands for the library's error text."""
    message = error.partition(": ")[2].strip() or error
    if "'null_type'" in message:
        message = "a part of null"
    inside = _CONTAINER.fullmatch(message)
    if inside:
        kind = _KINDS.get(inside[1], f"of type {inside[1]}")
        message = f"the value is {kind} and has no fields"
    entry = _ENTRY.fullmatch(message)
    if entry:
        return MissingReference(_no_entry(int(entry[1]), int(entry[2])))
    if is_missing(error):
        return MissingReference(f"a reference is missing: {message}")
    operands = _OPERANDS.fullmatch(message)
    if operands:
        kinds = [_KINDS.get(kind, kind) for kind in operands[2].split(", ")]
        message = f"{operands[1].strip('_@')!r} does not take {' and '.join(kinds)}"
    return ExpressionFailed(message)


def _no_entry(index: int, size: int) -> str:
    """Say which entry a list has not: people count from one, expressions from zero."""
    has = {0: "is empty", 1: "has one entry, [0]"}.get(
        size, f"has {size} entries, [0] to [{size - 1}]"
    )
    return f"the list {has}; there is no [{index}]"
