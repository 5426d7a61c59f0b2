"""Compile once, evaluate often: the language's texts as cached, thread-safe programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Final

from engine.core.expressions.cel import schema
from engine.core.expressions.cel.asked import Asked, Compared, asked, compared
from engine.core.expressions.cel.environment import ALWAYS_BOUND, NAMES, NOW, checker, evaluator
from engine.core.expressions.cel.estimate import is_dear, refuse_dear
from engine.core.expressions.cel.failures import (
    ExpressionFailed,
    ExpressionInvalid,
    MissingReference,
)
from engine.core.expressions.cel.library_errors import AMBIGUOUS, failure, is_selection, kind_of
from engine.core.expressions.cel.results import plain
from engine.core.expressions.cel.rewrite import index_instead_of_select, prepare, refuse_unsupported
from engine.core.expressions.cel.times import instant_text
from engine.core.expressions.cel.tree import Path, Reference, needed, references, uses_now
from engine.core.values.json import Json, thaw

MAX_TEXT = 8192
"""Longest expression, in characters."""

Wanted = dict[str, Any]
"""Which parts of the scope a program reads: name or key → the same below it, None for all of it."""

_PROBLEM = re.compile(r"ERROR: <input>:(-?\d+):(-?\d+): (.*)")
_UNKNOWN = re.compile(r"undeclared reference to '([^']*)'")
_STRAY = re.compile(
    r"(?:token recognition error at: |(?:mismatched|extraneous) input )'(and\b|or\b|contains\b|[=&|])"
)
_MEANT: Final = {
    "=": "a single = compares nothing: write ==",
    "&": "write && for and",
    "and": "write && for and",
    "contains": "contains follows a point: write input.name.contains('x')",
    "|": "write || for or",
    "or": "write || for or",
}
_MISPLACED: Final = ("mismatched input ", "extraneous input ")
_NOT: Final = "write ! for not"
MAX_NAME: Final = 40
"""Characters of an unknown name that are compared with the known ones."""
_DASHED = re.compile(r"\b(outputs|memory)\.([A-Za-z_]\w*(?:-\w+)+)")


class Expression:
    """One compiled expression; made by `compile_expression`, shared by all threads."""

    def __init__(self, text: str, names: frozenset[str]) -> None:
        checked = _checked(text, names)
        refuse_unsupported(checked.expr)
        self.text = text
        """What the author wrote."""
        self.references: frozenset[Reference] = references(checked.expr, NAMES | names)
        """Every path the expression reads from the scope."""
        self.needed: frozenset[Path] = needed(checked.expr, NAMES | names)
        """The paths without which it surely fails as `MissingReference`."""
        self.asked: Asked = asked(checked.expr)
        """Which values it asks for, as a condition."""
        self.compared: frozenset[Compared] = frozenset(compared(checked.expr))
        """Which paths it compares with literals."""
        self._tree = checked.expr
        self._is_dear = is_dear(checked.expr)
        prepare(checked)
        self._now = uses_now(checked.expr)
        self._checked = schema.encode(checked)
        self._program = _program(self._checked)
        self._wanted = _wanted(reference.path for reference in self.references)

    def evaluate(self, scope: Mapping[str, Any]) -> Json:
        """Return the value over `scope`: names → JSON, plus `now` for `now()`.

        `now` is an instant: RFC 3339 text, milliseconds since 1970, or an aware datetime. Raises
        `MissingReference` for something absent and `ExpressionFailed` for any other failure.
        """
        data = self._select(scope)
        if self._is_dear:
            refuse_dear(self._tree, data)
        try:
            value = self._program.eval(data=data)
            if value.type().name() == "ERROR":
                raise self._failure(str(value.value()), data)
            return plain(value)
        except (RuntimeError, TypeError, ValueError, OverflowError) as refused:
            raise ExpressionFailed(_reason(refused)) from refused

    def _select(self, scope: Mapping[str, Any]) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for name, below in self._wanted.items():
            if name in scope:
                data[name] = _pick(scope[name], below)
            elif name in ALWAYS_BOUND:
                data[name] = _pick({}, below)
        if self._now:
            if "now" not in scope:
                raise MissingReference("now() has no time here", reference="now()")
            data[NOW] = instant_text(scope["now"])
        return data

    def _failure(self, error: str, data: Mapping[str, Any]) -> ExpressionFailed | MissingReference:
        found = failure(self._clearer(error, data) if error.startswith(AMBIGUOUS) else error)
        if isinstance(found, MissingReference):
            absent = self._absent(data)
            if absent is not None:
                message = f"{absent} is missing"
                return MissingReference(message, reference=str(absent), path=absent.path)
        elif is_selection(error):
            return self._fieldless(data) or found
        return found

    def _fieldless(self, data: Mapping[str, Any]) -> ExpressionFailed | None:
        """Return the failure that says which value has no fields, and which field was asked of it."""
        for path in sorted(reference.path for reference in self.references):
            value: Any = data
            for length, part in enumerate(path):
                kind = kind_of(value)
                if kind is not None:
                    named = Reference(path[:length], guarded=False)
                    return ExpressionFailed(f"{named} is {kind}, it has no field {part}")
                value = value.get(part) if isinstance(value, dict) else None
        return None

    def _clearer(self, error: str, data: Mapping[str, Any]) -> str:
        """Return an error that tells a part of null, which is missing, from a part of a text."""
        checked = schema.decode(self._checked)
        index_instead_of_select(checked)
        value = _program(schema.encode(checked)).eval(data=dict(data))
        return str(value.value()) if value.type().name() == "ERROR" else error

    def _absent(self, data: Mapping[str, Any]) -> Reference | None:
        for reference in sorted(self.references, key=lambda each: each.path):
            if not reference.guarded and not _exists(data, reference.path):
                return reference
        return None


def compile_expression(text: str, names: Iterable[str] = ()) -> Expression:
    """Return the compiled `text`, cached; `names` are further names that it may use.

    Raises `ExpressionInvalid` with line and column for syntax errors, unknown names and functions,
    operands that can never fit, and whatever exceeds the limits.
    """
    return _compiled(text, frozenset(names))


@lru_cache(maxsize=4096)
def _compiled(text: str, names: frozenset[str]) -> Expression:
    if len(text) > MAX_TEXT:
        raise ExpressionInvalid(f"an expression may have {MAX_TEXT} characters")
    return Expression(text, names)


def truthy(value: object) -> bool:
    """Say whether a condition's value counts as true: all but false, null, 0, "", [] and {}."""
    return bool(value)


def _checked(text: str, names: frozenset[str]) -> schema.Node:
    try:
        return schema.decode(checker(names).compile(text).serialize())
    except (RuntimeError, TypeError, ValueError) as refused:  # TypeError: a lone surrogate
        raise _invalid(text, str(refused)) from refused


def _program(checked: bytes) -> Any:
    try:
        return evaluator().deserialize(checked)
    except RuntimeError as refused:
        raise ExpressionInvalid("the expression is nested too deeply") from refused


def _invalid(text: str, problem: str) -> ExpressionInvalid:
    found = _PROBLEM.search(problem)
    line, column, message = 1, 1, "the expression cannot be read"
    if found:
        line, column, message = max(1, int(found[1])), max(1, int(found[2])), found[3].strip()
    if "recursion" in problem:
        return ExpressionInvalid("the expression is nested too deeply", line, column)
    unknown = _UNKNOWN.search(message)
    if unknown:
        message = _unknown_name(text, unknown[1])
    stray = _STRAY.search(message)
    if stray and stray[1] in _MEANT:
        message = _MEANT[stray[1]]
    if any(said in message for said in _MISPLACED) and _follows_not(text, line, column):
        message = _NOT
    return ExpressionInvalid(message.removeprefix("Syntax error: "), line, column)


def _follows_not(text: str, line: int, column: int) -> bool:
    """Return whether the word before a place is `not`."""
    before = "".join(text.split("\n")[line - 1 : line])[: column - 1].rstrip()
    return before.endswith("not") and not re.match(r"\w", before[-4:-3])


def _unknown_name(text: str, name: str) -> str:
    dashed = _DASHED.search(text)
    if dashed:
        return f"unknown name {name!r}: write {dashed[1]}['{dashed[2]}']"
    if re.search(rf"{re.escape(name)}\s*\(", text):
        if name == "not":
            return _NOT
        return f"unknown function {name!r}"
    if name.startswith("now"):
        return "now is a function: write now()"
    first, _, rest = name.partition(".")
    near = get_close_matches(first[:MAX_NAME], sorted(NAMES), 1)
    meant = ".".join((near[0], rest)) if near and rest else f"memory.{name}"
    return f"unknown name {name!r}: did you mean {meant}?"


def _reason(problem: object) -> str:
    if isinstance(problem, TypeError):  # how the library refuses to convert
        return "the result has no JSON form; an optional needs .orValue(…)"
    text = str(problem).splitlines()[0] if str(problem) else "it cannot be evaluated"
    return re.sub(r"^[A-Z_]+: |(?<!\s)\s*\[[A-Z_]+\]$", "", text)


def _wanted(paths: Iterable[Path]) -> Wanted:
    wanted: Wanted = {}
    for path in sorted(paths, key=len, reverse=True):  # a shorter path asks for all below it
        here = wanted
        for part in path[:-1]:
            here = here.setdefault(part, {})
        here[path[-1]] = None
    return wanted


def _pick(value: object, below: Wanted | None) -> Any:
    """Return the wanted parts of `value` in plain containers, the only ones the library takes.

    An absent or null object on the way is an empty one: `has()` on its parts is then false, and
    reading them fails as missing.
    """
    if below is None:
        return thaw(value)
    if isinstance(value, dict):
        picked = {}
        for key, deeper in below.items():
            if key in value:
                picked[key] = _pick(value[key], deeper)
            elif deeper is not None:
                picked[key] = _pick(None, deeper)
        return picked
    if value is None:
        return _pick({}, below)
    return thaw(value)


def _exists(data: object, path: Path) -> bool:
    for part in path:
        if not isinstance(data, dict) or part not in data:
            return False
        data = data[part]
    return True
