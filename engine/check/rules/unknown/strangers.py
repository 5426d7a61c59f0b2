"""Fields of the start that nobody declared: what was meant, and the edits that say so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, Literal

from engine.check.access import covers
from engine.check.mentions import called
from engine.check.subject import NodeSubject, Subject
from engine.core.graph.cures import Cure, Edit
from engine.core.graph.problems import COMPARED, LONGEST, Problem, Severity, one_of
from engine.core.values.effort import charge, spare
from engine.core.values.json import thaw

_ELSEWHERE: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties"})
"""Keywords by which a schema says its fields in another place than `properties`."""
_STEPS = re.compile(r"[^.\[\]]+")
_BARE: Final = re.compile(r"unknown name '(\w+)': did you mean memory\.\1\?")
_OPEN: Final = re.compile(r"(?<![\w.])(input|memory|outputs|metadata|context)\.\s*(?:\}|$)")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text stands in the document, for edits of it."""

    part: Literal["node", "edge"]
    id: str
    path: tuple[str | int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Stranger:
    """A field of the start that is named and not declared; `near` is the one that was meant."""

    name: str
    known: tuple[str, ...]
    near: str | None
    closed: bool
    typed: bool = True
    """Whether the schema of the start says what kind of value it takes."""

    @property
    def code(self) -> str:
        """The problem's code."""
        return "UnknownReference"

    @property
    def free(self) -> bool:
        """Whether the start names no field at all and takes whatever a run is given."""
        return not self.known and not self.closed

    @property
    def message(self) -> str:
        """The sentence with a near miss, or with what there is."""
        if self.free:
            return f'The start does not ask for "{self.name}": a run that is started without it has none here.'
        if not self.known:
            return f'The input has no field "{self.name}": the start takes none.'
        cure = (
            f' Did you mean "{self.near}"?' if self.near else f" Known are: {one_of(self.known)}."
        )
        return f'The input has no field "{self.name}".{cure}'

    def told(self, problem: Problem, place: Place | None, *, fails: bool = True) -> Problem:
        """Return the problem as serious as it is, with what mends it.

        `fails`: the place needs the field. Elsewhere, one of a start that takes any is a hint.
        """
        cures = []
        if self.near is not None and place is not None:
            text = called(place.text, ("input", self.name), ("input", self.near))
            if text != place.text:
                edit = Edit(place.part, place.id, place.path, text)
                cures.append(Cure(f"Use {self.near}", (edit,)))
        path = ("interface", "inputs", "properties", self.name)
        added = [Edit("graph", "", path, {"type": "string"})]
        if not self.typed:
            added.insert(0, Edit("graph", "", ("interface", "inputs", "type"), "object"))
        cures.append(Cure(f"Add start field {self.name}", tuple(added)))
        open_: Severity = "hint" if self.free and not fails else "warning"
        severity: Severity = "error" if self.closed else open_
        about = problem.on("input", self.name)
        return about.mended(self.message, *cures, severity=severity)


def strangers(
    subject: Subject, named: Iterable[tuple[str, ...]], readable: Sequence[str] = ("*",)
) -> Iterator[Stranger]:
    """Yield each named field of the start that is neither declared nor a readable memory key.

    A start that names no field takes any: there each that a node may read is told.
    """
    inputs: Mapping[str, Any] = subject.spec.interface.inputs if subject.spec.interface else {}
    properties = inputs.get("properties")
    known = tuple(map(str, properties)) if isinstance(properties, Mapping) else ()
    closed = inputs.get("additionalProperties") is False
    if "patternProperties" in inputs:
        return
    written = subject.written
    for path in named:
        if len(path) < 2 or path[0] != "input" or path[1] in known:
            continue
        remembered = written is None or path[1] in written
        if remembered and covers(readable, ("memory", path[1])):
            continue
        if not (known or closed or _asks_nothing(subject, inputs)):
            return
        yield Stranger(path[1], known, nearest(path[1], known), closed, "type" in inputs)


def _asks_nothing(subject: Subject, inputs: Mapping[str, Any]) -> bool:
    """Return whether a start says nothing of its fields, and no other graph gives it any."""
    said = not _ELSEWHERE.isdisjoint(inputs) or "additionalProperties" in inputs
    return inputs.get("type", "object") == "object" and not said and not subject.is_called


def nearest(name: str, known: Sequence[str]) -> str | None:
    """Return the name that was probably meant; None where none is near, or after very many."""
    if not spare(COMPARED * len(known)):
        return None
    close = get_close_matches(name[:LONGEST], known, n=1, cutoff=0.6)
    return close[0] if close else None


def text_at(node: NodeSubject, path: str) -> Place | None:
    """Return the text that stands at a problem's path inside a node; None where there is none."""
    inside = path.removeprefix(f"{node.path}.")
    steps = tuple(int(s) if s.isdigit() else s.strip("'") for s in _STEPS.findall(inside))
    charge(len(steps))
    if steps[:2] == ("memory_query", "text") and node.spec.memory_query is not None:
        return Place("node", node.id, steps, node.spec.memory_query.text)
    value: Any = {"config": thaw(node.spec.config)}
    for step in steps:
        inside_list = isinstance(value, list) and isinstance(step, int) and step < len(value)
        if not inside_list and not (isinstance(value, Mapping) and step in value):
            return None
        value = value[step]
    return Place("node", node.id, steps, value) if isinstance(value, str) else None


def known_instead(subject: Subject, message: str) -> str:
    """Return why a bare name cannot be read, with a value of that name or a near one that exists.

    The message as it is where it is about something else, or where memory may hold anything.
    """
    found = _BARE.match(message)
    if found is None or subject.written is None:
        return message
    inputs: Mapping[str, Any] = subject.spec.interface.inputs if subject.spec.interface else {}
    fields = inputs.get("properties")
    return _meant(found[1], fields if isinstance(fields, Mapping) else (), subject.written)


def value_instead(message: str, fields: Iterable[str], keys: Iterable[str]) -> str:
    """Return the same, of start fields and memory keys that are known to be there."""
    found = _BARE.match(message)
    return message if found is None else _meant(found[1], fields, keys)


def _meant(name: str, fields: Iterable[str], keys: Iterable[str]) -> str:
    there = {key: f"memory.{key}" for key in keys}
    there |= {str(key): f"input.{key}" for key in fields}
    near = name if name in there else nearest(name, tuple(sorted(there)))
    quoted = f"Choose one that there is, or write a text in quotes: '{name}'."
    meant = f"Did you mean {there[near]}?" if near else quoted
    return f'There is no value "{name}". {meant}'


def in_words(message: str, text: str) -> str:
    """Return why a template or expression cannot be read, in words of people."""
    opened = _OPEN.search(text)
    if opened is not None:
        lane = opened.group(1)
        return f"Name a field after `{lane}.`, for example `{lane}.name`."
    if text.count("{{") > text.count("}}"):
        return "Close the value with `}}`."
    if any(word in message for word in ("token", "viable", "mismatched", "extraneous", "missing")):
        return "This cannot be read yet: a value, a quote or a bracket is missing or too much."
    return message
