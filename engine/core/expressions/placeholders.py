"""The text and the `{{ expressions }}` of a template, told apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.core.expressions.cel import (
    Expression,
    ExpressionInvalid,
    compile_expression,
)
from engine.core.expressions.quotes import marks
from engine.core.values.limits import MAX_TEMPLATE_EXPRESSIONS

THIS_TEXT: Final = "this text"
"""How a refusal of a whole template begins: who knows the field's title says that instead."""


def parts(text: str, names: frozenset[str]) -> Iterable[str | Expression]:
    """Yield plain text and compiled expressions in order. Raises `ExpressionInvalid` with the place."""
    position = found = 0
    while True:
        opened = text.find("{{", position)
        if opened < 0:
            break
        found += 1
        if found > MAX_TEMPLATE_EXPRESSIONS:
            message = (
                f"{THIS_TEXT} may name {MAX_TEMPLATE_EXPRESSIONS} values: make the text of a list"
                ' with one, such as {{ memory.list.map(i, i.name).join(", ") }}'
            )
            raise ExpressionInvalid(message, *_place(text, opened))
        if opened > position:
            yield text[position:opened]
        closed = _closing(text, opened)
        yield _expression(text, opened + 2, closed, names)
        position = closed + 2
    if position < len(text):
        yield text[position:]


def spans(text: str) -> Iterable[tuple[int, int]]:
    """Yield start and end of what stands between each `{{` and its `}}`.

    Raises `ExpressionInvalid` where one is never closed.
    """
    position = 0
    while (opened := text.find("{{", position)) >= 0:
        closed = _closing(text, opened)
        yield opened + 2, closed
        position = closed + 2


def _closing(text: str, opened: int) -> int:
    """Return where the `}}` of the `{{` at `opened` stands, past strings and inner braces."""
    depth = 0
    for position in marks(text, opened + 2, "{}"):
        if text[position] == "{":
            depth += 1
        elif depth == 0 and text.startswith("}}", position):
            return position
        elif depth == 0:
            break
        else:
            depth -= 1
    line, column = _place(text, opened)
    raise ExpressionInvalid("this {{ is never closed by }}", line, column)


def _expression(text: str, start: int, end: int, names: frozenset[str]) -> Expression:
    inner = text[start:end]
    line, column = _place(text, start + len(inner) - len(inner.lstrip()))
    if not inner.strip():
        raise ExpressionInvalid("{{ }} is empty", *_place(text, start - 2))
    try:
        return compile_expression(inner.strip(), names)
    except ExpressionInvalid as invalid:
        raise invalid.moved(line, column) from None


def _place(text: str, position: int) -> tuple[int, int]:
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
