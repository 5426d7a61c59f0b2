"""An upper bound of what an evaluation builds and takes, found before it is made.

Short expressions can build huge values (`[x].map(a, [a, a]).map(a, [a, a])…`, `a.replace('', b)`),
and the library neither stops nor lets other threads run meanwhile. Sizes are about characters of
JSON; every estimate is a polynomial with non-negative coefficients of the sizes it starts from, so
a loop over elements s1, s2, … with sum S costs at most n·f(0) + f(S) - f(0).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from engine.core.expressions.cel.environment import RANGE
from engine.core.expressions.cel.failures import ExpressionFailed
from engine.core.expressions.cel.functions import MAX_ELEMENTS
from engine.core.expressions.cel.patterns import states
from engine.core.expressions.cel.schema import Node
from engine.core.expressions.cel.tree import children, is_call, kind, path_of, text_of, walk

MAX_BUILT = 16 * 1024 * 1024
"""Largest value that an expression may build on the way, in about bytes."""

_SCALAR = 24
"""Characters of the longest number or date."""

_LOOP_BUDGET = 10_000
"""Steps after which the library itself stops a loop."""

_SMALL = frozenset(
    [
        "_==_",
        "_!=_",
        "_<_",
        "_<=_",
        "_>_",
        "_>=_",
        "_&&_",
        "_||_",
        "!_",
        "-_",
        "_-_",
        "_*_",
        "_/_",
        "_%_",
        "@in",
        "@not_strictly_false",
        "size",
        "int",
        "uint",
        "double",
        "bool",
        "hasValue",
        "startsWith",
        "endsWith",
        "contains",
        "matches",
        "indexOf",
        "lastIndexOf",
        "type",
        "@too_many",
    ]
)
_DEAR = frozenset(
    [
        "_+_",
        "replace",
        "join",
        "format",
        "split",
        "strings.quote",
        "matches",
        "contains",
        "indexOf",
        "lastIndexOf",
    ]
)
_COMPARISONS = frozenset({"_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_"})
_SEARCHES = frozenset({"contains", "indexOf", "lastIndexOf", "replace", "split"})
_FEW_CALLS = 8
"""Calls outside of loops that need no estimate: each reads what it names once."""

MAX_WORK = 250e6
"""Nanoseconds that an evaluation may take, as estimated: the library lets no other thread run."""
_PER_CALL = 100.0
_PER_STEP = 15.0
_COMPARED_AT_ONCE = 4.0
"""Characters of what is searched that a nanosecond compares at each place of the text."""
_USUAL = 5.0
_PER_CHARACTER = {"split": 100.0, "replace": 50.0, "size": 1.0, "_+_": 2.0, "join": 2.0, "@in": 4.0}
_PER_CHARACTER |= dict.fromkeys(("_[_]", "_?._", "_[?_]", "_?_:_", "_&&_", "_||_", "!_"), 0.0)
_PER_CHARACTER |= dict.fromkeys(("@not_strictly_false", "type", "hasValue", "orValue"), 0.0)
"""Nanoseconds for a character of the operands' JSON, measured on two busy cores."""


def is_dear(root: Node) -> bool:
    """Say whether the tree can build or do more than reading what it names; else estimate nothing."""
    dear = any(
        is_call(node, *_DEAR) or kind(node) in ("list_expr", "struct_expr", "comprehension_expr")
        for node in walk(root)
    )
    return dear or sum(kind(node) == "call_expr" for node in walk(root)) > _FEW_CALLS


def refuse_dear(root: Node, data: Mapping[str, Any]) -> None:
    """Raise `ExpressionFailed` if evaluating the tree over `data` may build or take too much."""
    _Estimate(data).of(root, {})


def _size(value: object) -> float:
    if isinstance(value, str):
        return len(value) + 2
    if isinstance(value, (dict, list)):
        return len(orjson.dumps(value))
    return _SCALAR


def _range(loop: Node) -> Node:
    """Return what a loop goes over, without the refusal of long lists that `prepare` puts around."""
    inner: Node = loop.iter_range
    if kind(inner) == "comprehension_expr" and inner.comprehension_expr.accu_var == RANGE:
        return inner.comprehension_expr.accu_init
    return inner


class _Estimate:
    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.sizes: dict[tuple[str, ...], float] = {}
        self.ranges: dict[str, tuple[str, ...]] = {}
        """Loop variables whose range is a list that is there, and where it stands."""
        self.times = 1.0
        self.work = 0.0

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
        part = path_of(node)
        if part is not None and part[0][0] in self.ranges:
            return self.parts(part[0]) if loop[part[0][0]] else 0.0
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
            known = self.sizes[path] = _size(self.value(path))
        return known

    def parts(self, path: tuple[str, ...]) -> float:
        """Return how large the same part of all elements of a range is together."""
        place = (*self.ranges[path[0]], "[*]", *path[1:])
        if place not in self.sizes:
            found = 0.0
            for value in self.value(self.ranges[path[0]]):
                for part in path[1:]:
                    value = value.get(part) if isinstance(value, dict) else None
                found += _size(value)
            self.sizes[place] = found
        return self.sizes[place]

    def largest(self, node: Node, loop: Mapping[str, float]) -> float | None:
        """Return the size of the largest element of a value that is there."""
        path = path_of(node, frozenset(loop))
        value = None if path is None else self.value(path[0])
        if path is None or not isinstance(value, (list, dict)):
            return None
        place = (*path[0], "[]")
        if place not in self.sizes:
            inner = value if isinstance(value, list) else value.values()
            self.sizes[place] = max(map(_size, inner), default=0.0)
        return self.sizes[place]

    def value(self, path: tuple[str, ...]) -> Any:
        value: Any = self.data
        for part in path:
            value = value.get(part) if isinstance(value, dict) else None
        return value

    def call(self, call: Node, loop: Mapping[str, float]) -> float:
        name = str(call.function)
        parts = [self.of(arg, loop) for arg in call.args]
        target = self.of(call.target, loop) if call.HasField("target") else 0.0
        self.charge(call, name, target, parts)
        if name in _SMALL:
            return _SCALAR
        if name == "_[_]":
            return self.largest(call.args[0], loop) or parts[0]
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

    def charge(self, call: Node, name: str, target: float, parts: list[float]) -> None:
        """Count what the call takes as often as it is made; refuse what is too much in all."""
        text = self.read(call, name, target + sum(parts))
        nanoseconds = _PER_CALL + text * _PER_CHARACTER.get(name, _USUAL)
        if name in _SEARCHES and parts:
            nanoseconds += (target or parts[0]) * parts[-1] / _COMPARED_AT_ONCE
        if name == "matches":
            nanoseconds = states(text_of(call.args[-1]) or "") * (target or parts[0]) * _PER_STEP
        self.work += nanoseconds * self.times
        if self.work > MAX_WORK and name == "matches":
            raise ExpressionFailed("the text is too long for this pattern")
        if self.work > MAX_WORK:
            raise ExpressionFailed(
                f"{name.strip('_@')!r} would go through too much text or too many values here:"
                " do it in steps, or over less"
            )

    def read(self, call: Node, name: str, everything: float) -> float:
        """Return how much of its operands the call goes through at most."""
        if name in _COMPARISONS:
            literal = [text_of(arg) or "" for arg in call.args if kind(arg) == "const_expr"]
            return max(map(len, literal)) + _SCALAR if literal else everything
        if name == "size":
            path = path_of(call.target if call.HasField("target") else call.args[0])
            value = None if path is None else self.value(path[0])
            return 0.0 if isinstance(value, (list, dict)) else everything
        return everything

    def loop(self, node: Node, outer: Mapping[str, float]) -> float:
        """Return the bound of a loop; its accumulator only ever gains what one step adds."""
        total = self.of(node.iter_range, outer)
        start = self.of(node.accu_init, outer)
        building = node.accu_init.HasField("list_expr")
        most = MAX_ELEMENTS if building else _LOOP_BUDGET
        count = min(self.count(_range(node), outer, total), most)

        known, self.ranges = self.ranges, dict(self.ranges)
        self.ranges.pop(node.iter_var, None)
        path = path_of(_range(node), frozenset(outer))
        if path is not None and isinstance(self.value(path[0]), list) and not node.iter_var2:
            self.ranges[node.iter_var] = path[0]

        def step(size: float, times: float) -> float:
            before = self.times
            self.times = min(before * times, max(before, _LOOP_BUDGET))
            inner = {**outer, node.iter_var: size, node.accu_var: 0.0}
            if node.iter_var2:
                inner[node.iter_var2] = size
            self.of(node.loop_condition, inner)
            added = self.of(node.loop_step, inner)
            self.times = before
            return added

        none, whole = step(0.0, count), step(total, 1.0)
        self.ranges = known
        gained = count * none + whole - none if building else _SCALAR
        accumulated = self.bounded(start + gained)
        return self.of(node.result, {**outer, node.accu_var: accumulated})

    def count(self, node: Node, outer: Mapping[str, float], total: float) -> float:
        """Return how many elements a range has: those of a value that is there, else what fits."""
        path = path_of(node, frozenset(outer))
        value = None if path is None else self.value(path[0])
        return float(len(value)) if isinstance(value, (list, dict)) else total / 2
