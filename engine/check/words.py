"""What of a text a problem means: the words that a page underlines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.check.cures.places import there
from engine.check.mentions import mention
from engine.check.subject import Subject
from engine.core.expressions.cel import ExpressionInvalid
from engine.core.expressions.placeholders import spans
from engine.core.graph.problems import Problem
from engine.core.values.effort import spare

_NAMED: Final = frozenset({"UnreadableKey", "UnknownReference", "UnprovenReference"})
_UNKNOWN: Final = re.compile(r"\bunknown name '(\w+)'")
LOOKED_FOR: Final = 20
"""Units of looking for the words of one problem."""
MOST: Final = 10
LONGEST: Final = 200
"""Characters of what cannot be read that are told; a page finds the rest by them."""


def worded(subject: Subject, problem: Problem) -> Problem:
    """Return the problem with what it means of the text at its place, where it means a part of one."""
    if problem.code not in {*_NAMED, "UnwrittenKey", "ExpressionInvalid"} or not problem.about:
        return problem
    text = there(subject, problem)
    if not isinstance(text, str) or not spare(LOOKED_FOR + len(text) // LONGEST):
        return problem
    return replace(problem, words=tuple(w for w in _words(problem, text) if w))


def _words(problem: Problem, text: str) -> Sequence[str]:
    if problem.code == "ExpressionInvalid":
        return _unread(text, problem)
    path = problem.about if problem.code in _NAMED else ("memory", *problem.about)
    found = (told[0] for told in mention(path[:2]).finditer(text))
    return list(dict.fromkeys(found))[:MOST]


def _unread(text: str, problem: Problem) -> Sequence[str]:
    """Return the name that there is not, else the value in which reading stopped."""
    unknown = _UNKNOWN.search(problem.message)
    if unknown is not None:
        return [unknown[1]]
    if "{{" not in text:
        return [text.strip()[:LONGEST]]
    line, column = (int(number) for number in problem.about)
    start = sum(len(each) + 1 for each in text.split("\n")[: line - 1]) + column - 1
    try:
        inside = (text[a:b] for a, b in spans(text) if a - 2 <= start <= b + 2)
        return [next(inside, "").strip()[:LONGEST]]
    except ExpressionInvalid:
        return [text[start:].partition("\n")[0].rstrip()[:LONGEST]]
