"""The functions and operators that the library is given beside its own."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import NoReturn

from cel_expr_python import cel

MAX_ELEMENTS = 200
"""Elements that `map` and `filter` take: the library's cost grows with the
square of the number, and it holds the interpreter lock meanwhile (9,000 elements: 3 s)."""

TOO_MANY = "@too_many"
"""The refusal of a long list: a name that no author can write."""


def _divide(left: float, right: float) -> float:
    if right == 0:
        raise ValueError("divide by zero")
    return left / right


_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "_+_": operator.add,
    "_-_": operator.sub,
    "_*_": operator.mul,
    "_/_": _divide,
}
_COMPARISONS = ("_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_")


def _refuse_many(size: int) -> NoReturn:
    raise ValueError(f"{size} elements are more than {MAX_ELEMENTS}: use a map node")


def _mixed(
    name: str, gives: cel.Type, impl: Callable[[float, float], float] | None
) -> cel.FunctionDecl:
    pairs = ((cel.Type.INT, cel.Type.DOUBLE), (cel.Type.DOUBLE, cel.Type.INT))
    overloads = []
    for number, pair in enumerate(pairs):
        given = {} if impl is None else {"impl": impl}
        overloads.append(
            cel.Overload(
                f"{name}_mixed_{number}", return_type=gives, parameters=list(pair), **given
            )
        )
    return cel.FunctionDecl(name, overloads)


def functions(checking: bool) -> list[cel.FunctionDecl]:
    """Return the declarations for the checker, which knows no code, or for the evaluator."""
    declared = [_mixed(name, cel.Type.DOUBLE, impl) for name, impl in _ARITHMETIC.items()]
    if checking:
        declared += [_mixed(name, cel.Type.BOOL, None) for name in _COMPARISONS]
        now = cel.Overload("now_timestamp", return_type=cel.Type.TIMESTAMP, parameters=[])
        return [*declared, cel.FunctionDecl("now", [now])]
    many = cel.Overload(
        "too_many_int", return_type=cel.Type.DYN, parameters=[cel.Type.INT], impl=_refuse_many
    )
    return [*declared, cel.FunctionDecl(TOO_MANY, [many])]
