"""Fields of what is declared to have none: `memory.fit.x` where `fit` is a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.check.mentions import called
from engine.check.rules.unknown.strangers import Place
from engine.check.subject import NodeSubject, Subject
from engine.core.graph.cures import Cure, Edit, allow
from engine.core.graph.problems import Problem
from engine.core.state.grants import read_key
from engine.core.values.effort import charge

CODE: Final = "UnknownReference"
_KINDS: Final = {
    "string": "a text",
    "number": "a number",
    "integer": "a number",
    "boolean": "yes or no",
    "array": "a list",
}


@dataclass(frozen=True, slots=True)
class Fieldless:
    """A path below a value that has no fields; `parent` leads to the value, `kind` says what it is."""

    path: tuple[str, ...]
    parent: tuple[str, ...]
    kind: str

    @property
    def message(self) -> str:
        """The sentence that says what the value is and which field it cannot have."""
        field = self.path[len(self.parent)]
        return f"{self.parent[-1]} is {self.kind} and has no field {field}."

    def told(self, problem: Problem, place: Place | None, node: NodeSubject | None) -> Problem:
        """Return the problem with the value itself in place of its field."""
        cures = []
        text = called(place.text, self.path, self.parent) if place is not None else ""
        if place is not None and text != place.text:
            edits = [Edit(place.part, place.id, place.path, text)]
            key = read_key(self.parent)
            if node is not None and key is not None and not _sees(node.readable, self.parent):
                edits += allow(node.id, key).edits
            cures.append(Cure(f"Use {self.parent[-1]}", tuple(edits)))
        return problem.on(*self.path).mended(self.message, *cures)


def fieldless(subject: Subject, path: tuple[str, ...]) -> Fieldless | None:
    """Return what is wrong with a path that leads into a text, number, choice or list; else None."""
    known = declared(subject, path[0])
    for length in range(2, len(path)):
        schema = known.get(path[length - 1])
        if not isinstance(schema, Mapping):
            return None
        kind = _kind(schema)
        if kind is not None:
            return Fieldless(path, path[:length], kind)
        inner = schema.get("properties")
        known = inner if isinstance(inner, Mapping) else {}
    return None


def _sees(keys: Sequence[str], path: tuple[str, ...]) -> bool:
    """Return whether read keys let a node see a value itself, and not a field that it never has."""
    charge(len(keys))
    at = path[1:] if path[0] == "memory" else path
    return any(key == "*" or at[: key.count(".") + 1] == tuple(key.split(".")) for key in keys)


def declared(subject: Subject, lane: str) -> Mapping[str, Any]:
    """Return what the document says of the values of a lane, by their names."""
    face = subject.spec.interface
    schema = face.inputs if lane == "input" and face is not None else None
    schema = subject.spec.state_schema if lane == "memory" else schema
    found = (schema or {}).get("properties")
    return found if isinstance(found, Mapping) else {}


def _kind(schema: Mapping[str, Any]) -> str | None:
    """Return what a value is in words, None where it may have fields."""
    said = schema.get("type")
    types = said if isinstance(said, list | tuple) else [said]
    charge(1 + len(types))
    words = [_KINDS.get(str(each)) for each in types if each != "null"]
    return " or ".join(dict.fromkeys(map(str, words))) if words and None not in words else None
