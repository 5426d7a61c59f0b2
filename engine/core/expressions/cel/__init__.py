"""The one expression language: CEL over JSON values, compiled once, bounded in every dimension.

`compile_expression(text)` gives an `Expression`; `Expression.evaluate(scope)` gives plain JSON.
What differs from the language's own rules, so that authors are not surprised by JSON:

- Numbers mix: `1 + 1.5`, `memory.score >= 1`, `2 == 2.0` work whether a number came as 1 or 1.0.
- `has(a.b.c)` and `a.?b.?c` see "absent" when any part on the way is absent or null.
- `now()` is the `now` of the scope (a timestamp); `matches` takes a literal pattern.
- `map` and `filter` refuse more than 200 elements: wide work belongs in a map node.

Measured on two busy shared cores with Python 3.11:
`memory.topic == 'billing'` over a memory of 1,000 keys
takes 5 to 9 µs, because only the paths that an expression mentions are handed to the library.
"""

from __future__ import annotations

from engine.core.expressions.cel.asked import Asked, Compared, Constant
from engine.core.expressions.cel.expression import Expression, compile_expression, truthy
from engine.core.expressions.cel.failures import (
    ExpressionFailed,
    ExpressionInvalid,
    MissingReference,
)
from engine.core.expressions.cel.patterns import check_pattern, safe_match
from engine.core.expressions.cel.tree import Reference

__all__ = [
    "Asked",
    "Compared",
    "Constant",
    "Expression",
    "ExpressionFailed",
    "ExpressionInvalid",
    "MissingReference",
    "Reference",
    "check_pattern",
    "compile_expression",
    "safe_match",
    "truthy",
]
