"""An upper bound of what an evaluation builds, taken before it is made.

Short expressions can build huge values (`[x].map(a, [a, a]).map(a, [a, a])…`, `a.replace('', b)`),
and the library neither stops nor lets other threads run meanwhile. Sizes are about characters of
JSON; every estimate is a polynomial with non-negative coefficients of the sizes it starts from, so
a loop over elements s1, s2, … with sum S costs at most n·f(0) + f(S) - f(0).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from engine.expressions.environment import MAX_ELEMENTS
from engine.expressions.failures import ExpressionFailed
from engine.expressions.patterns import MAX_STEPS, states
from engine.expressions.schema import Node
from engine.expressions.tree import children, is_call, kind, path_of, text_of, walk

MAX_BUILT = 16 * 1024 * 1024
"""Largest value that an expression may build on the way, in about bytes."""

_SCALAR = 24
"""Characters of the longest number or date."""

_LOOP_BUDGET = 10_000
"""Steps after which the library itself stops a loop."""

_SMALL = frozenset(
    ["_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "_&&_", "_||_", "!_", "-_", "_-_", "_*_", "_/_", "_%_", "@in", "@not_strictly_false", "size", "int", "uint", "double", "bool", "hasValue", "startsWith", "endsWith", "contains", "matches", "indexOf", "lastIndexOf", "type", "@too_many"]
)
_GROWING = frozenset({"_+_", "replace", "join", "format", "split", "strings.quote", "matches"})


def grows(root: Node) -> bool:
    """Say whether anything in the tree can build more than it reads; else no estimate is needed."""
    return any(
        is_call(node, *_GROWING) or kind(node) in ("list_expr", "struct_expr", "comprehension_expr")
        for node in walk(root)
    )


def refuse_growth(root: Node, data: Mapping[str, Any]) -> None:
    """Raise `ExpressionFailed` if evaluating the tree over `data` may build more than the limit."""
    _Estimate(data).of(root, {})


def _size(value: Any) -> float:
    if isinstance(value, str):
        return len(value) + 2
    if isinstance(value, (dict, list)):
        return len(orjson.dumps(value))
    return _SCALAR


class _Estimate:
    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.sizes: dict[tuple[str, ...], float] = {}

    def of(self, node: Node, loop: Mapping[str, float]) -> float:
        """Return the bound for `node`, with the bounds of the variables of enclosing loops."""
        what = kind(node)
        if what == "const_expr":
            text = text_of(node)
            return _SCALAR if text is None else len(text) + 2
        if what == "ident_expr" and node.ident_expr.name in loop:
            return loop[node.ident_expr.name]
        path = path_of(node, frozenset(loop))
        if path is not None:
            return self.leaf(path[0])
        if what == "comprehension_expr":
            return self.loop(node.comprehension_expr, loop)
        if what == "call_expr":
            return self.bounded(self.call(node.call_expr, loop))
        return self.bounded(sum(self.of(child, loop) + 1 for child in children(node)) + 2)

    def bounded(self, size: float) -> float:
        if size > MAX_BUILT:
            raise ExpressionFailed(
                f"the expression may build more than {MAX_BUILT // 2**20} MiB: do it in steps"
            )
        return size

    def leaf(self, path: tuple[str, ...]) -> float:
        known = self.sizes.get(path)
        if known is None:
            value: Any = self.data
            for part in path:
                value = value.get(part) if isinstance(value, dict) else None
            known = self.sizes[path] = _size(value)
        return known

    def call(self, call: Node, loop: Mapping[str, float]) -> float:
        name = str(call.function)
        parts = [self.of(arg, loop) for arg in call.args]
        target = self.of(call.target, loop) if call.HasField("target") else 0.0
        if name == "matches":
            self.refuse_match(call, target or parts[0])
        if name in _SMALL:
            return _SCALAR
        if name == "replace" and len(parts) > 1:
            return (target + 1) * parts[1]
        if name == "join":
            return (target + 1) * (parts[0] if parts else 1.0)
        if name == "format":
            return target * 200 + sum(parts) * 64
        if name == "split":
            return target * 4 + _SCALAR
        if name == "strings.quote":
            return sum(parts) * 6
        return target + sum(parts) + _SCALAR

    def refuse_match(self, call: Node, text: float) -> None:
        if states(text_of(call.args[-1]) or "") * text > MAX_STEPS:
            raise ExpressionFailed("the text is too long for this pattern")

    def loop(self, node: Node, outer: Mapping[str, float]) -> float:
        """Return the bound of a loop; its accumulator only ever gains what one step adds."""
        total = self.of(node.iter_range, outer)
        start = self.of(node.accu_init, outer)
        building = node.accu_init.HasField("list_expr")
        count = min(total, MAX_ELEMENTS if building else _LOOP_BUDGET)

        def step(size: float) -> float:
            inner = {**outer, node.iter_var: size, node.accu_var: 0.0}
            return self.of(node.loop_step, inner)

        none, whole = step(0.0), step(total)
        gained = count * none + whole - none if building else _SCALAR
        accumulated = self.bounded(start + gained)
        return self.of(node.result, {**outer, node.accu_var: accumulated})
