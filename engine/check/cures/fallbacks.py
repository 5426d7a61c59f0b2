"""A text that holds where what it names may be missing: `has(memory.a) ? memory.a : ''`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from engine.check import mentions
from engine.check.cures.places import inside, node_of, put, there
from engine.check.rules.writes import schema_properties
from engine.check.subject import Subject
from engine.core.expressions.cel import ExpressionInvalid, Reference, compile_expression
from engine.core.expressions.placeholders import spans
from engine.core.expressions.quotes import unquoted
from engine.core.expressions.templates import compile_template
from engine.core.graph.cures import Cure
from engine.core.graph.problems import Problem
from engine.core.values.effort import COMPILED, charge

Path = tuple[str, ...]
EMPTY: Final = {
    "string": "''",
    "number": "0",
    "integer": "0",
    "boolean": "false",
    "array": "[]",
    "object": "{}",
}
"""What stands in for a missing value, by its type."""
_PREFIX: Final = "="


def fall_back(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the cure that puts something empty where a reference may be missing."""
    text, path = there(subject, problem), _missing(problem)
    if not isinstance(text, str) or path is None:
        return
    kind = _kind(subject, path)
    after = (
        _in_template(text, path, kind)
        if _is_template(subject, problem)
        else _in_expression(text, path, kind)
    )
    if after is not None:
        yield Cure("Use a fallback", (put(subject, problem, after),))


def _missing(problem: Problem) -> Path | None:
    """Return the path that the problem is about, as the rule told it."""
    return problem.about


def _is_template(subject: Subject, problem: Problem) -> bool:
    steps, node = inside(problem), node_of(subject, problem)
    if steps[:1] == ("memory_query",) or node is None:
        return True
    at = max(
        (f for f in node.fields if f.place[2:] == steps[: len(f.place) - 2]),
        key=lambda found: len(found.place),
        default=None,
    )
    return at is not None and at.widget in ("prompt", "template")


def _kind(subject: Subject, path: Path) -> str:
    """Return what stands in for the value at a path, by what the workflow says of it."""
    found: Any = schema_properties(subject) if path[0] == "memory" else {}
    for step in path[1:]:
        inner = found.get(step) if isinstance(found, dict) else None
        if not isinstance(inner, dict):
            return "''"
        found = inner.get("properties", {}) if step != path[-1] else inner
    kind = found.get("type") if isinstance(found, dict) else None
    return EMPTY.get(kind, "''") if isinstance(kind, str) else "''"


def _in_expression(text: str, path: Path, empty: str) -> str | None:
    """Return the expression with the fallback, None where it cannot be put in."""
    prefix = _PREFIX if text.startswith(_PREFIX) else ""
    whole = text.removeprefix(prefix)
    after = guarded(whole, path, empty)
    charge(COMPILED)
    try:
        return prefix + after if _holds(compile_expression(after).references, path) else None
    except ExpressionInvalid:
        return None


def _in_template(text: str, path: Path, empty: str) -> str | None:
    """Return the template with the fallback in each of its expressions that names the path."""
    charge(COMPILED * (1 + text.count("{{")))
    try:
        parts, position = [], 0
        for start, end in spans(text):
            parts += [text[position:start], guarded(text[start:end], path, empty)]
            position = end
        after = "".join((*parts, text[position:]))
        return after if _holds(compile_template(after).references, path) else None
    except ExpressionInvalid:
        return None


def _holds(references: frozenset[Reference], path: Path) -> bool:
    named = [ref for ref in references if ref.path[: len(path)] == path]
    return bool(named) and any(ref.guarded for ref in named)


def guarded(text: str, path: Path, empty: str) -> str:
    """Return an expression in which each mention of a path has a fallback."""
    root = re.compile(rf"(?<![\w.]){re.escape(path[0])}(?!\w)")
    steps = re.compile("".join(map(mentions.step, path[1:])))
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    parts, position = [], 0
    for start, end in unquoted(text):
        for found in root.finditer(text, start, end):
            told = steps.match(text, found.end())
            if told is None or found.start() < position:
                continue
            alone = found.start() == first and told.end() >= last
            parts += [text[position : found.start()], _choice(path, empty, alone)]
            position = told.end()
    return "".join((*parts, text[position:]))


def _choice(path: Path, empty: str, alone: bool) -> str:
    """Return the value at a path or what stands in for it: `has()` where the language has it."""
    if len(path) == 2 and path[1].isidentifier() and path[1].isascii():
        name = f"{path[0]}.{path[1]}"
        choice = f"has({name}) ? {name} : {empty}"
        return choice if alone else f"({choice})"
    steps = "".join(f".?{s}" if s.isidentifier() and s.isascii() else f"[?'{s}']" for s in path[1:])
    return f"{path[0]}{steps}.orValue({empty})"
