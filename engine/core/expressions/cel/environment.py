"""The library's environments: which names an expression may use, and where it is checked and run.

Two environments, because the checker and the evaluator disagree: the evaluator compares an int
with a double by itself, while the checker refuses the literal form and accepts it only when it is
declared; declared there, the evaluator would refuse it as a duplicate. So texts are checked in
one environment and programs are made from the checked tree in the other.
"""

from __future__ import annotations

from functools import lru_cache

from cel_expr_python import cel
from cel_expr_python.ext import ext_optional, ext_strings

from engine.core.expressions.cel.functions import functions

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

NOW = "@now"
RANGE = "@range"
"""Names that no author can write: the scope's `now`, and a list that is gone through."""


def _environment(names: frozenset[str], checking: bool) -> cel.Env:
    return cel.NewEnv(
        variables=dict.fromkeys(sorted(names), cel.Type.DYN),
        extensions=[
            ext_strings.ExtStrings(),
            ext_optional.ExtOptional(),
            cel.CelExtension("graphwright", functions(checking)),
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
