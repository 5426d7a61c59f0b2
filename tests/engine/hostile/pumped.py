"""Texts that make a pattern work: a part of it that repeats, repeated, and then no match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import _compiler, _parser  # type: ignore[attr-defined]
from re import _constants as op  # type: ignore[attr-defined]
from typing import Any

_SAMPLES = "aZ5_ \n.,-'\"\\/@#<>[]{}()`$%:;=~|+*\xe9\u3042\u201c"
_ENDS = ("\0", "\n\0", "")
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)


def pumped(pattern: re.Pattern[str]) -> Iterator[tuple[str, str, str]]:
    """Yield start, middle to be repeated, and end of texts that may cost `pattern` most."""
    found = dict.fromkeys(_repeated(_parser.parse(pattern.pattern, pattern.flags), ""))
    singles = sorted({char for before, text in found for char in before[-2:] + text[:3]})[:20]
    pairs = [first + second for first in singles for second in singles]
    found |= dict.fromkeys(("", text) for text in (*singles, *pairs))
    for before, middle in found:
        for start in dict.fromkeys(("", before)):
            for end in _ENDS:
                if middle:
                    yield start, middle, end


def _repeated(tree: Any, before: str) -> Iterator[tuple[str, str]]:
    """Yield what matches in front of each repetition, with matches of what it repeats."""
    for code, given in tree:
        if code in _REPEATS:
            if given[1] > 1:
                yield from ((before, text) for text in _matches(given[2]))
            yield from _repeated(given[2], before)
        else:
            for inner in _inside(code, given):
                yield from _repeated(inner, before)
        matched = next(iter(_texts(code, given)), "")
        yield before, before + matched
        before += matched


def _inside(code: Any, given: Any) -> list[Any]:
    inside: dict[Any, list[Any]] = {
        op.SUBPATTERN: [given[3]] if code is op.SUBPATTERN else [],
        op.BRANCH: given[1] if code is op.BRANCH else [],
        op.ASSERT: [given[1]] if code is op.ASSERT else [],
        op.ASSERT_NOT: [given[1]] if code is op.ASSERT_NOT else [],
        op.ATOMIC_GROUP: [given],
    }
    return inside.get(code, [])


def _matches(tree: Any) -> list[str]:
    """Return a few texts that the parsed pattern matches."""
    found = [""]
    for code, given in tree:
        found = [left + right for left in found[:4] for right in _texts(code, given)][:8]
    return found


def _texts(code: Any, given: Any) -> list[str]:
    if code is op.LITERAL:
        return [chr(given)]
    if code in (op.IN, op.NOT_LITERAL, op.ANY):
        return _characters(code, given)[:6] or [""]
    if code in _REPEATS:
        return [text * max(1, given[0]) for text in _matches(given[2])]
    if code in (op.SUBPATTERN, op.ATOMIC_GROUP, op.BRANCH):
        return [text for each in _inside(code, given) for text in _matches(each)[:4]][:12]
    return [""]


def _characters(code: Any, given: Any) -> list[str]:
    """Return characters that one place of a pattern takes: those it names, and usual ones."""
    one = _parser.SubPattern(_parser.State(), [(code, given)])
    takes = _compiler.compile(one, re.DOTALL)
    named = [chr(each) for kind, each in given if kind is op.LITERAL] if code is op.IN else []
    return [char for char in dict.fromkeys((*named, *_SAMPLES)) if takes.fullmatch(char)]
