"""Which values a condition asks for: `memory.level == 'senior'`, `memory.level in ['a', 'b']`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from engine.core.expressions.cel.schema import Node
from engine.core.expressions.cel.tree import Path, children, is_call, kind, path_of

Constant: TypeAlias = tuple[str, "str | float | bool"]
"""A literal with its type, so that `true` is not 1; two that differ are never equal."""


class Compared(NamedTuple):
    """A path beside a literal; `ordered` says that one is to be less than the other."""

    path: Path
    literal: Constant
    ordered: bool


_ORDERED: Final = ("_<_", "_<=_", "_>_", "_>=_")
_NUMBERS: Final = ("int64_value", "uint64_value", "double_value")


class Asked(NamedTuple):
    """What must hold where a condition is true: each path has one of its values.

    `exact` says that there is one path and that this is all it takes.
    """

    values: dict[Path, frozenset[Constant]]
    exact: bool = False


NOTHING: Final = Asked({})
"""What a condition asks for that literals do not decide."""


def asked(node: Node) -> Asked:
    """Return what a condition asks of paths, as far as literals say it."""
    if is_call(node, "_&&_"):
        return _both(*map(asked, node.call_expr.args))
    if is_call(node, "_||_"):
        return _either(*map(asked, node.call_expr.args))
    if is_call(node, "_==_"):
        left, right = node.call_expr.args
        return _one_of(left, [right]) or _one_of(right, [left]) or NOTHING
    if is_call(node, "@in"):
        value, choices = node.call_expr.args
        if kind(choices) == "list_expr":
            return _one_of(value, choices.list_expr.elements) or NOTHING
    return NOTHING


def _one_of(value: Node, literals: Iterable[Node]) -> Asked | None:
    """Return what is asked where a path equals one of some literals; None for anything else."""
    path = path_of(value)
    constants = [_constant(literal) for literal in literals]
    if path is None or path[1] or None in constants:
        return None
    return Asked({path[0]: frozenset(c for c in constants if c is not None)}, exact=True)


def compared(node: Node, bound: frozenset[str] = frozenset()) -> Iterator[Compared]:
    """Yield each path that is compared with a literal; `bound` are the variables of loops."""
    if is_call(node, "_==_", "_!=_", *_ORDERED):
        left, right = node.call_expr.args
        for value, literal in ((left, _constant(right)), (right, _constant(left))):
            path = path_of(value, bound)
            if path is not None and not path[1] and literal is not None:
                yield Compared(path[0], literal, is_call(node, *_ORDERED))
    if kind(node) == "comprehension_expr":
        loop = node.comprehension_expr
        bound = bound | {loop.iter_var, loop.iter_var2, loop.accu_var}
    for child in children(node):
        yield from compared(child, bound)


def _constant(node: Node) -> Constant | None:
    if kind(node) != "const_expr":
        return None
    value = node.const_expr
    what = value.WhichOneof("kind")
    if what == "string_value":
        return "text", str(value.string_value)
    if what == "bool_value":
        return "bool", bool(value.bool_value)
    if what in _NUMBERS:  # what rounds to the same may be the same
        return "number", float(getattr(value, what))
    return None


def _both(left: Asked, right: Asked) -> Asked:
    values = {**left.values, **right.values}
    for path in left.values.keys() & right.values.keys():
        values[path] = left.values[path] & right.values[path]
    return Asked(values)


def _either(left: Asked, right: Asked) -> Asked:
    common = left.values.keys() & right.values.keys()
    values = {path: left.values[path] | right.values[path] for path in common}
    return Asked(values, exact=left.exact and right.exact and len(values) == 1)
