"""Templates: text with `{{ expression }}`, rendered over a node's view before anything is sent.

`{{ '{{' }}` writes two braces; outside of an expression `}}` is plain text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from engine.core.expressions.cel import (
    Compared,
    Expression,
    ExpressionFailed,
    ExpressionInvalid,
    Reference,
)
from engine.core.expressions.placeholders import THIS_TEXT, parts
from engine.core.values.json import Json, as_text
from engine.core.values.limits import MAX_RENDERED, MAX_TEMPLATE


class Template:
    """A compiled template; made by `compile_template`, shared by all threads."""

    def __init__(self, text: str, names: frozenset[str]) -> None:
        self.text = text
        """What the author wrote."""
        self._parts = tuple(parts(text, names))
        found = (part.references for part in self._parts if isinstance(part, Expression))
        self.references: frozenset[Reference] = frozenset().union(*found)
        """Every path that any of its expressions reads."""
        needed = (part.needed for part in self._parts if isinstance(part, Expression))
        self.needed: frozenset[tuple[str, ...]] = frozenset().union(*needed)
        """The paths without which it surely cannot be rendered."""
        compared = (part.compared for part in self._parts if isinstance(part, Expression))
        self.compared: frozenset[Compared] = frozenset().union(*compared)
        """Every path that any of its expressions compares with a literal."""

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

    def veiled(self, hides: Callable[[Expression], str | None]) -> str:
        """Return what the author wrote, with the text that `hides` gives in place of expressions."""
        return "".join(_veiled_part(part, hides) for part in self._parts)

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


def _veiled_part(part: str | Expression, hides: Callable[[Expression], str | None]) -> str:
    if isinstance(part, str):
        return part
    hidden = hides(part)
    return f"{{{{ {part.text} }}}}" if hidden is None else hidden


@lru_cache(maxsize=2048)
def _compiled(text: str, names: frozenset[str]) -> Template:
    if len(text) > MAX_TEMPLATE:
        raise ExpressionInvalid(
            f"{THIS_TEXT} may have {MAX_TEMPLATE:,} characters, and has {len(text):,}"
        )
    return Template(text, names)
