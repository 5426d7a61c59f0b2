"""Templates: text with `{{ expression }}`, rendered over a node's view before anything is sent.

`{{ '{{' }}` writes two braces; outside of an expression `}}` is plain text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from engine.core.expressions.cel import (
    Expression,
    ExpressionFailed,
    ExpressionInvalid,
    Reference,
    compile_expression,
)
from engine.core.expressions.quotes import marks
from engine.core.values.json import Json, as_text
from engine.core.values.limits import MAX_RENDERED, MAX_TEMPLATE, MAX_TEMPLATE_EXPRESSIONS


class Template:
    """A compiled template; made by `compile_template`, shared by all threads."""

    def __init__(self, text: str, names: frozenset[str]) -> None:
        self.text = text
        """What the author wrote."""
        self._parts = tuple(_parts(text, names))
        found = (part.references for part in self._parts if isinstance(part, Expression))
        self.references: frozenset[Reference] = frozenset().union(*found)
        """Every path that any of its expressions reads."""
        needed = (part.needed for part in self._parts if isinstance(part, Expression))
        self.needed: frozenset[tuple[str, ...]] = frozenset().union(*needed)
        """The paths without which it surely cannot be rendered."""

    def render(self, scope: Mapping[str, Any]) -> str:
        """Return the text over `scope`: text values as they are, others as compact JSON.

        Raises `MissingReference` and `ExpressionFailed` as `Expression.evaluate` does.
        """
        size, written = 0, []
        for part in self._parts:
            text = part if isinstance(part, str) else as_text(part.evaluate(scope))
            size += len(text)
            if size > MAX_RENDERED:
                raise ExpressionFailed(f"the text is longer than {MAX_RENDERED} characters")
            written.append(text)
        return "".join(written)

    def render_value(self, scope: Mapping[str, Any]) -> Json:
        """Return what `render` gives; one lone `{{ }}` keeps its value's type."""
        lone = [part for part in self._parts if not isinstance(part, str) or part.strip()]
        if len(lone) == 1 and isinstance(lone[0], Expression):
            return lone[0].evaluate(scope)
        return self.render(scope)


def compile_template(text: str, names: Iterable[str] = ()) -> Template:
    """Return the compiled template, cached; `names` are further names that it may use.

    Raises `ExpressionInvalid` with the line and column in the template.
    """
    return _compiled(text, frozenset(names))


def render_tree(value: Any, scope: Mapping[str, Any], names: Iterable[str] = ()) -> Json:
    """Return a JSON tree with every text in it rendered by `render_value`; keys stay as they are."""
    if isinstance(value, str):
        return compile_template(value, names).render_value(scope)
    if isinstance(value, dict):
        return {key: render_tree(item, scope, names) for key, item in value.items()}
    if isinstance(value, list):
        return [render_tree(item, scope, names) for item in value]
    plain: Json = value
    return plain


def tree_templates(value: object, path: str = "") -> Iterable[tuple[str, str]]:
    """Yield path and text of every text in a JSON tree, for checking a document."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from tree_templates(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from tree_templates(item, f"{path}[{index}]")


@lru_cache(maxsize=2048)
def _compiled(text: str, names: frozenset[str]) -> Template:
    if len(text) > MAX_TEMPLATE:
        raise ExpressionInvalid(f"a template may have {MAX_TEMPLATE} characters")
    return Template(text, names)


def _parts(text: str, names: frozenset[str]) -> Iterable[str | Expression]:
    position = found = 0
    while True:
        opened = text.find("{{", position)
        if opened < 0:
            break
        found += 1
        if found > MAX_TEMPLATE_EXPRESSIONS:
            message = (
                f"a template may have {MAX_TEMPLATE_EXPRESSIONS} expressions: make the text of a list"
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
