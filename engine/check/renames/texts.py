"""One name in a text called otherwise: where it stands is found, and what was made of it is proven."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from engine.core.expressions.cel import ExpressionInvalid, Reference, compile_expression
from engine.core.expressions.jsonpath import compile_path
from engine.core.expressions.placeholders import spans
from engine.core.expressions.quotes import unquoted
from engine.core.expressions.templates import compile_template
from engine.core.state.lanes import is_reserved
from engine.core.values.effort import COMPILED, charge

_WORDS: Final = re.compile(
    r"(?:false|true|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package"
    r"|namespace|return|var|void|while)\Z"
)
"""Words of the expression language that are no names of fields."""


_NEAR: Final = 64
"""Characters beside a name in which it is seen whether a loop binds it."""


class CannotFollow(Exception):
    """The text names it in a way that no one can change by place."""


@dataclass(frozen=True, slots=True)
class NewName:
    """A name below a root (`memory`, `input`, `outputs`) that is another one now."""

    root: str
    old: str
    new: str

    def of_path(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """Return a path of a reference as it is called now."""
        return (self.root, self.new, *path[2:]) if path[:2] == (self.root, self.old) else path

    def of_key(self, key: str) -> str:
        """Return a key of memory, or one that a node may read, as it is called now."""
        parts = key.split(".")
        if self.root == "memory":
            hit = parts[0] == self.old and not is_reserved(key)
            return ".".join((self.new, *parts[1:])) if hit else key
        return ".".join(self.of_path(tuple(parts)))


def in_expression(text: str, name: NewName) -> str:
    """Return the expression with the new name; raises `CannotFollow`.

    What cannot be read stays as it is.
    """
    charge(2 * COMPILED)
    try:
        before = compile_expression(text.strip()).references
    except ExpressionInvalid:
        return text
    if any(ref.path == (name.root,) for ref in before) and _quotes(text, name.old):
        raise CannotFollow  # `'level' in memory`, or what a text works out
    if all(name.of_path(ref.path) == ref.path for ref in before):
        return text
    after = _written(text, name)
    _prove(lambda: compile_expression(after.strip()).references, before, name)
    return after


def in_template(text: str, name: NewName) -> str:
    """Return the template with the new name in its expressions; raises `CannotFollow`."""
    charge(COMPILED * (1 + text.count("{{")))
    try:
        before = compile_template(text).references
        found = list(spans(text))
    except ExpressionInvalid:
        return text
    if all(name.root not in ref.path[:1] for ref in before):
        return text
    parts, position = [], 0
    for start, end in found:
        parts += [text[position:start], in_expression(text[start:end], name)]
        position = end
    after = "".join((*parts, text[position:]))
    _prove(lambda: compile_template(after).references, before, name)
    return after


def in_jsonpath(text: str, name: NewName) -> str:
    """Return a path over all that a node may read with the new name; raises `CannotFollow`."""
    charge(2 * COMPILED)
    try:
        before = compile_path(text).names
    except ExpressionInvalid:
        return text
    if name.of_path(before) == before:
        return text
    root, old = re.escape(name.root), re.escape(name.old)
    found = re.match(
        rf"""\s*\$(?:\.{root}|\[(?P<r>['"]){root}(?P=r)\])(?:\.{old}(?![\w-])|\[(?P<q>['"]){old}(?P=q)\])""",
        text,
    )
    if found is None:
        raise CannotFollow
    after = f"$.{name.root}{_step(name.new, '')}{text[found.end() :]}"
    if compile_path(after).names != name.of_path(before):
        raise CannotFollow
    return after


def _written(text: str, name: NewName) -> str:
    """Return the text with each mention changed, quoted texts left alone."""
    root = re.compile(rf"(?<![\w.]){re.escape(name.root)}(?!\w)")
    old = re.escape(name.old)
    step = re.compile(
        rf"""\s*(?:\.\s*(?:(?P<dot>\?)\s*)?{old}(?!\w)"""
        rf"""|\[\s*(?:(?P<may>\?)\s*)?(?P<q>['"]){old}(?P=q)\s*\])"""
    )
    parts, position = [], 0
    for start, end in unquoted(text):
        for found in root.finditer(text, start, end):
            if _binds(text, found):
                raise CannotFollow
            told = step.match(text, found.end())
            if told is not None and found.start() >= position:
                optional = told["dot"] or told["may"] or ""
                parts += [text[position : found.end()], _step(name.new, optional)]
                position = told.end()
    return "".join((*parts, text[position:]))


def _binds(text: str, found: re.Match[str]) -> bool:
    """Return whether the name is that of a loop here: `list.map(memory, …)`."""
    start, end = found.span()
    before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    return before.rstrip().endswith("(") and after.lstrip().startswith(",")


def _quotes(text: str, name: str) -> bool:
    """Return whether the text has the name in quotes."""
    return f"'{name}'" in text or f'"{name}"' in text


def _step(name: str, optional: str) -> str:
    """Return the way to a name as it is written behind its root."""
    if name.isascii() and name.isidentifier() and not _WORDS.match(name):
        return f".{optional}{name}"
    return f"[{optional}'{name}']"


def _prove(
    compiled: Callable[[], Iterable[Reference]], before: Iterable[Reference], name: NewName
) -> None:
    """Raise `CannotFollow` where the new text does not mention just what the old one did."""
    wanted = {(name.of_path(ref.path), ref.guarded) for ref in before}
    try:
        if {(ref.path, ref.guarded) for ref in compiled()} == wanted:
            return
    except ExpressionInvalid:
        pass
    raise CannotFollow
