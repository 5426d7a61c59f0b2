"""Regular expressions of users: only the kind that is matched in linear time, and small ones.

The library's engine (RE2) never backtracks, but its cost is states times text: a pattern of 250
states over 128 KiB takes half a second. Both factors are bounded here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from cel_expr_python import cel

from engine.core.expressions.cel.failures import ExpressionFailed, ExpressionInvalid

MAX_PATTERN = 256
"""Longest pattern, in characters."""

MAX_STATES = 250
"""Largest pattern after its counted repetitions are written out."""

MAX_STEPS = 16_000_000
"""States times characters of one match: about a quarter of a second on one core."""

_REPETITION = re.compile(r"\{(\d{1,9})(,(\d{0,9}))?\}")
_UNIT = re.compile(
    r"\\[pP]\{[^}]{0,64}\}|\\x\{[^}]{0,64}\}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL
)


@lru_cache(maxsize=1024)
def states(pattern: str) -> int:
    """Return about how many states `pattern` has with its counted repetitions written out."""
    stack: list[list[int]] = [[0, 0]]  # of each open group: all units, the last unit
    position = 0
    while position < len(pattern):
        counted = _REPETITION.match(pattern, position)
        if counted:
            low, last = int(counted[1]), stack[-1][1]
            times = max(low, int(counted[3])) if counted[3] else low + bool(counted[2])
            stack[-1] = [stack[-1][0] - last + last * times, last * times]
            position = counted.end()
            continue
        unit = _UNIT.match(pattern, position)
        assert unit is not None
        position = unit.end()
        if unit[0] == "(":
            stack.append([0, 0])
        elif unit[0] == ")" and len(stack) > 1:
            inner = stack.pop()[0]
            stack[-1] = [stack[-1][0] + inner, inner]
        elif unit[0] not in "*+?|":
            stack[-1] = [stack[-1][0] + 1, 1]
    return max(1, sum(group[0] for group in stack))


@lru_cache(maxsize=1)
def _matcher() -> Any:
    env = cel.NewEnv(variables={"text": cel.Type.STRING, "pattern": cel.Type.STRING})
    return env.compile("text.matches(pattern)")


@lru_cache(maxsize=1024)
def check_pattern(pattern: str) -> None:
    """Raise `ExpressionInvalid` unless `pattern` is a small RE2 pattern.

    Look-around and back-references do not exist in it.
    """
    if len(pattern) > MAX_PATTERN:
        raise ExpressionInvalid(f"a pattern may have {MAX_PATTERN} characters")
    if states(pattern) > MAX_STATES:
        raise ExpressionInvalid(f"the pattern repeats more than {MAX_STATES} states in all")
    value = _matcher().eval(data={"text": "", "pattern": pattern})
    if value.type().name() == "ERROR":
        raise ExpressionInvalid(str(value.value()).partition(": ")[2] or "invalid pattern")


def safe_match(pattern: str, text: str) -> bool:
    """Say whether `pattern` matches anywhere in `text`.

    Raises `ExpressionInvalid` for a bad pattern, `ExpressionFailed` for too long a text.
    """
    check_pattern(pattern)
    if states(pattern) * len(text) > MAX_STEPS:
        raise ExpressionFailed(f"{len(text)} characters are too many for this pattern")
    return bool(_matcher().eval(data={"text": text, "pattern": pattern}).value())
