"""The library's environments: which names, functions and operators an expression may use.

Two environments, because the checker and the evaluator disagree: the evaluator compares an int
with a double by itself, while the checker refuses the literal form and accepts it only when it is
declared; declared there, the evaluator would refuse it as a duplicate. So texts are checked in
one environment and programs are made from the checked tree in the other.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import lru_cache
from typing import NoReturn

from cel_expr_python import cel
from cel_expr_python.ext import ext_optional, ext_strings

NAMES = frozenset(
    {
        "memory",
        "goal",
        "constraints",
        "input",
        "previous",
        "outputs",
        "context",
        "metadata",
        "result",
    }
)
"""Names every expression may use; `result` has a value on edges only."""

ALWAYS_BOUND = frozenset({"memory", "outputs", "context", "metadata"})
"""Names that are an empty object where the scope has none."""

MAX_ELEMENTS = 200
"""Elements that `map` and `filter` take: the library's cost grows with the
square of the number, and it holds the interpreter lock meanwhile (9,000 elements: 3 s)."""

NOW = "@now"
TOO_MANY = "@too_many"
RANGE = "@range"
"""Names that no author can write: the scope's `now`, the refusal of a long list, and the list."""


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


def _functions(checking: bool) -> list[cel.FunctionDecl]:
    declared = [_mixed(name, cel.Type.DOUBLE, impl) for name, impl in _ARITHMETIC.items()]
    if checking:
        declared += [_mixed(name, cel.Type.BOOL, None) for name in _COMPARISONS]
        now = cel.Overload("now_timestamp", return_type=cel.Type.TIMESTAMP, parameters=[])
        return [*declared, cel.FunctionDecl("now", [now])]
    many = cel.Overload(
        "too_many_int", return_type=cel.Type.DYN, parameters=[cel.Type.INT], impl=_refuse_many
    )
    return [*declared, cel.FunctionDecl(TOO_MANY, [many])]


def _environment(names: frozenset[str], checking: bool) -> cel.Env:
    return cel.NewEnv(
        variables=dict.fromkeys(sorted(names), cel.Type.DYN),
        extensions=[
            ext_strings.ExtStrings(),
            ext_optional.ExtOptional(),
            cel.CelExtension("graphwright", _functions(checking)),
        ],
    )


@lru_cache(maxsize=64)
def checker(extra: frozenset[str]) -> cel.Env:
    """Return the environment that checks texts which may also use the `extra` names."""
    return _environment(NAMES | extra, checking=True)


@lru_cache(maxsize=1)
def evaluator() -> cel.Env:
    """Return the environment that makes programs from checked trees."""
    return _environment(NAMES, checking=False)
