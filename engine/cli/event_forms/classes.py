"""The classes of `engine.core.state.event_types`, read from their source: fields, types, texts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
SOURCE: Final = ROOT / "engine" / "core" / "state" / "event_types"
GROUPS: Final = ("runs", "activations", "steps", "waits", "asking")
"""The modules of the classes that are events, in the order of the reference."""
SHARED: Final = "forms"
SUBJECTS: Final = ("OfRun", "OfActivation", "OfEither")
"""The bases that say whom an event is about."""
PLAIN: Final = {
    "str": "string",
    "int": "number",
    "float": "number",
    "bool": "boolean",
    "None": "null",
    "Value": "Json",
    "FrozenDict": "JsonObject",
}
"""Python's names of what JSON has, in TypeScript."""


class Unreadable(ValueError):
    """A class of an event says something that this module cannot write down."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an event or of a part of one."""

    name: str
    form: ast.expr
    optional: bool
    text: str


@dataclass(frozen=True, slots=True)
class Form:
    """One class: an event, a part that events share, or a value of a field."""

    name: str
    bases: tuple[str, ...]
    text: str
    own: tuple[Field, ...]


class Forms:
    """Every class of the events, as it stands in the source."""

    def __init__(self) -> None:
        self.by_module: dict[str, list[Form]] = {}
        self._aliases: dict[str, ast.expr] = {}
        for module in (SHARED, *GROUPS):
            body = ast.parse((SOURCE / f"{module}.py").read_text(encoding="utf-8")).body
            self._aliases |= dict(_aliases(body))
            found = [_form(each) for each in body if isinstance(each, ast.ClassDef)]
            self.by_module[module] = found

    @cached_property
    def by_name(self) -> dict[str, Form]:
        """Every class by its name."""
        return {form.name: form for forms in self.by_module.values() for form in forms}

    def events(self, module: str) -> list[Form]:
        """Return the classes of a module that are events."""
        return [form for form in self.by_module[module] if self.subject(form) is not None]

    def all_events(self) -> list[Form]:
        """Return every event, in the order of the reference."""
        return [form for module in GROUPS for form in self.events(module)]

    def subject(self, form: Form) -> str | None:
        """Return the base that says whom an event is about, None for what is no event."""
        if form.name in SUBJECTS:
            return form.name
        found = [self.subject(self.by_name[base]) for base in form.bases if base in self.by_name]
        return next((each for each in found if each is not None), None)

    def fields(self, form: Form) -> list[Field]:
        """Return the fields of an event, its own first; what every event has is left out."""
        found = {field.name: field for field in form.own}
        for base in form.bases:
            known = self.by_name.get(base)
            if known is not None and base != "Recorded":
                found = {**found, **{f.name: f for f in self.fields(known) if f.name not in found}}
        return list(found.values())

    def values(self) -> list[Form]:
        """Return the classes that stand for values of fields, in the order of the source."""
        used = {name for form in self.by_name.values() for f in form.own for name in _names(f.form)}
        used |= {name for each in self._aliases.values() for name in _names(each)}
        return [form for form in self.by_name.values() if form.name in used]

    def typescript(self, form: ast.expr) -> str:
        """Return the TypeScript of an annotation. Raises `Unreadable`."""
        match form:
            case ast.Constant(value=None):
                return "null"
            case ast.Name(id=name) if name in PLAIN:
                return PLAIN[name]
            case ast.Name(id=name) if name in self._aliases:
                return self.typescript(self._aliases[name])
            case ast.Name(id=name) if name in self.by_name:
                return name
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return f"{self.typescript(left)} | {self.typescript(right)}"
            case ast.Subscript(value=ast.Name(id="Literal"), slice=each):
                options = each.elts if isinstance(each, ast.Tuple) else [each]
                return " | ".join(f"'{ast.literal_eval(option)}'" for option in options)
            case ast.Subscript(value=ast.Name(id="list" | "Sequence"), slice=each):
                inner = self.typescript(each)
                return f"({inner})[]" if " " in inner else f"{inner}[]"
            case ast.Subscript(
                value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[_, ast.Name(id=name)])
            ):
                return name
            case ast.Subscript(
                value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[plain, ast.Constant()])
            ):
                return f"{self.typescript(plain)} | BlobRef"
        raise Unreadable(ast.unparse(form))


def _aliases(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for each in body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.value:
            yield each.target.id, each.value


def _form(source: ast.ClassDef) -> Form:
    bases = tuple(base.id for base in source.bases if isinstance(base, ast.Name))
    partial = any(word.arg == "total" for word in source.keywords)
    return Form(source.name, bases, _doc(source), tuple(_fields(source, partial)))


def _doc(source: ast.ClassDef) -> str:
    text = ast.get_docstring(source)
    if not text:
        raise Unreadable(f"{source.name}: write below it what it means")
    return " ".join(text.split())


def _fields(source: ast.ClassDef, partial: bool) -> Iterator[Field]:
    for each, after in zip(source.body, [*source.body[1:], None], strict=True):
        if not isinstance(each, ast.AnnAssign) or not isinstance(each.target, ast.Name):
            continue
        text = after.value if isinstance(after, ast.Expr) else None
        if not isinstance(text, ast.Constant):
            raise Unreadable(f"{source.name}.{each.target.id}: write below it what it means")
        form, optional = each.annotation, partial
        if isinstance(form, ast.Subscript) and ast.unparse(form.value) == "NotRequired":
            form, optional = form.slice, True
        yield Field(each.target.id, form, optional, " ".join(str(text.value).split()))


def _names(form: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(form) if isinstance(node, ast.Name)}
