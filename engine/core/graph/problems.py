"""What is wrong with a document: problems with a stable code, a place, and a cure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from types import UnionType
from typing import Any, Final, Literal, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from engine.core.graph.cures import Cure
from engine.core.values.effort import charge, spare
from engine.core.values.json import JsonObject

Severity: TypeAlias = Literal["error", "warning", "hint"]
Location: TypeAlias = "tuple[str | int, ...]"

_ERRORS = """
    UnreadableDocument UnsupportedFormat UnknownField MissingField InvalidValue InvalidId
    DuplicateId UnknownNodeType UnknownNode UnknownAgent UnknownHandler ToolNotFound
    CredentialNotFound CredentialNotBound
    GraphNotFound EntryMissing ExpressionInvalid SourceNotReadable ReservedKey ReservedToolName
    UnknownReference ResultKeyNotWritable CompensationMissing SubgraphCycle UnknownModel
    ModelTakesNoTools TooMuchToCheck CannotCompare
"""
_WARNINGS = """
    WildcardRead WildcardWrite UnreachableNode EdgeNeverTaken SynthesizerNotReached
    CycleWithoutExit UnguardedEffect NobodyMayDecide UnreadableKey UnwrittenKey
    UnprovenReference WriteKeyNotInSchema WriteKeyUnused AnswerNotStored ToolNotInDefaultSet
    MemoryQueryIgnored UntaggedFacts ParallelWrites NoElseEdge IterationLimitLow
    TooEntangled SchemaShape LoopForks NobodyMayEdit NotEditable ToolOff
    AfterDeadline PromptNotRendered BodyNotRead AgentShadowed WorkerWired UnknownChoice
    NoChoices
"""
_HINTS = "ManyAgentEdges NoHumanDescription"

SEVERITIES: Final[Mapping[str, Severity]] = {
    **dict.fromkeys(_ERRORS.split(), "error"),
    **dict.fromkeys(_WARNINGS.split(), "warning"),
    **dict.fromkeys(_HINTS.split(), "hint"),
}
"""Every problem code and how serious it is: errors block a start, the others do not."""

PROBLEM: Final = 500
"""Units of effort of a problem: so many fit into one answer that a browser still shows them."""
COMPARED: Final = 30
"""Units of comparing two names for a near miss."""
LONGEST: Final = 200
"""Characters of a name that are compared."""
MOST_REFUSED: Final = 5_000
"""Places that a form refuses, beyond which they are counted and not named: naming them stops every
other thread."""

_OBJECT = re.compile(r"\Aa valid dictionary\b.*|\Aan instance of \w+\Z")
_LIST = re.compile(r"\Aa valid (?:tuple|list|array)\Z")
_SIZE = re.compile(r"\A\w+ should have (at (?:least|most) \d+ \w+).*")
"""What pydantic says in words of Python, for which documents have words of their own."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A cure that a program can apply: `add_read_key` puts `key` among the node's read keys."""

    kind: Literal["add_read_key"]
    node: str
    key: str

    def to_json(self) -> JsonObject:
        """Return the form that commands print and the API sends."""
        return {"kind": self.kind, "node": self.node, "key": self.key}


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding. `path` is the place in the document; `node` and `edge` are ids where known."""

    severity: Severity
    code: str
    path: str
    message: str
    node: str | None = None
    edge: str | None = None
    fix: Fix | None = None
    say: str | None = None
    """The message for people who draw: labels in place of ids, no word of the document's form."""
    fixes: tuple[Cure, ...] = ()
    about: tuple[str, ...] = ()
    """What it is about, for who looks for a cure: the path that is missing, the key, the number."""
    words: tuple[str, ...] = ()
    """What of the text at `path` is meant, as it stands there: `outputs.ghost`."""

    @classmethod
    def of(
        cls, code: str, path: str, message: str, *, node: str | None = None, edge: str | None = None
    ) -> Problem:
        """Return a problem with the severity that belongs to its code. Raises `KeyError`."""
        charge(PROBLEM)
        return cls(SEVERITIES[code], code, path, message, node, edge)

    def mended(self, say: str, *fixes: Cure, severity: Severity | None = None) -> Problem:
        """Return the problem with what people are told, and what mends it, best first."""
        return replace(self, say=say, fixes=fixes, severity=severity or self.severity)

    def on(self, *about: str) -> Problem:
        """Return the problem with what it is about."""
        return replace(self, about=about)

    def to_json(self) -> JsonObject:
        """Return the form that commands print and the API sends."""
        out: JsonObject = {
            "severity": self.severity,
            "code": self.code,
            "path": self.path,
            "message": self.message,
        }
        if self.node is not None:
            out["node"] = self.node
        if self.edge is not None:
            out["edge"] = self.edge
        if self.fix is not None:
            out["fix"] = self.fix.to_json()
        if self.say is not None:
            out["say"] = self.say
        if self.fixes:
            out["fixes"] = [cure.to_json() for cure in self.fixes]
        if self.words:
            out["words"] = list(self.words)
        return out

    def __str__(self) -> str:
        return f"{self.path or 'document'}: {self.message} ({self.code})"


def too_much() -> Problem:
    """Return the error of a document that was examined in part only: what was not is not known."""
    message = (
        "There is too much here to check, so that only a part of it was."
        " Mend what is named first, or move a part of the graph to a graph of its own."
    )
    return Problem.of("TooMuchToCheck", "", message)


def has_errors(problems: Iterable[Problem]) -> bool:
    """Return whether one of the problems blocks a start."""
    return any(problem.severity == "error" for problem in problems)


def refusal(code: str, message: str, *, field: str | None = None) -> PydanticCustomError:
    """Return what a pydantic validator raises to report `code`, at `field` of its model."""
    return PydanticCustomError(
        code,
        "{message}",
        {"message": message, "field": field},
    )


def json_path(parts: Iterable[str | int]) -> str:
    """Return a place as text: `nodes[0].config['a b']`."""
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part}]"
        elif part.replace("-", "_").isidentifier():
            text += f".{part}" if text else part
        else:
            text += f"[{part!r}]"
    return text


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is nearly this one; None where none is, and after very many."""
    names = list(known)
    if not spare(COMPARED * len(names)):
        return None
    close = get_close_matches(name[:LONGEST], names, n=1, cutoff=0.6)
    return close[0] if close else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ` Did you mean "x"?` for a near miss, else an empty text; also after very many."""
    close = nearest(name, known)
    return "" if close is None else f' Did you mean "{close}"?'


def one_of(names: Iterable[str], limit: int = 12) -> str:
    """Return a readable list of names, cut after `limit`."""
    listed = sorted(names)
    charge(len(listed))
    shown = ", ".join(listed[:limit])
    return shown + ", …" if len(listed) > limit else shown or "none"


def problems_of(
    error: ValidationError, model: type[BaseModel], data: object, prefix: Location = ()
) -> list[Problem]:
    """Return each thing pydantic refused about `data`, with its place under `prefix`."""
    if error.error_count() > MOST_REFUSED:
        message = f"The form is wrong in {error.error_count()} places: too many to name them."
        return [Problem.of("TooMuchToCheck", json_path(prefix), message)]
    found: dict[tuple[str, str], Problem] = {}
    for detail in error.errors(include_url=False):
        if _long_enough(detail):
            continue  # pydantic counts only the elements that it accepts, and named the others
        problem = _problem_of(detail, model, data, prefix)
        found.setdefault((problem.path, problem.code), problem)
    return list(found.values())


def _long_enough(detail: ErrorDetails) -> bool:
    """Return whether a list is called too short that is not, once its elements are right."""
    if detail["type"] != "too_short" or not isinstance(detail["input"], list):
        return False
    return len(detail["input"]) >= int(detail["ctx"]["min_length"])


def places_of(error: ValidationError, data: object) -> dict[Location, bool]:
    """Return each place that pydantic refused, and whether it is a field that does not exist."""
    return {
        place_of(detail, data): detail["type"] == "extra_forbidden"
        for detail in error.errors(include_url=False)
    }


def _problem_of(
    detail: ErrorDetails, model: type[BaseModel], data: object, prefix: Location
) -> Problem:
    place = place_of(detail, data)
    kind = detail["type"]
    if kind == "missing":
        code, message = "MissingField", f'"{place[-1]}" is required.'
    elif kind == "extra_forbidden":
        name = str(place[-1])
        known = [field for field in known_fields(model, detail["loc"][:-1]) if field != name]
        hint = did_you_mean(name, known) or f" Known fields: {one_of(known)}."
        code, message = "UnknownField", f'There is no field "{name}" here.{hint}'
    elif kind in SEVERITIES:
        code, message = kind, detail["msg"]
    elif kind in ("union_tag_invalid", "union_tag_not_found"):
        return _tag_problem(detail, prefix + place)
    else:
        code, message = "InvalidValue", _sentence(detail)
    return Problem.of(code, json_path(prefix + place), message)


def _tag_problem(detail: ErrorDetails, place: Location) -> Problem:
    """Return the problem of a field that says which of several forms an object has."""
    ctx = detail["ctx"]
    name = ctx["discriminator"].strip("'")
    path = json_path((*place, name))
    if "tag" not in ctx:
        return Problem.of("MissingField", path, f'"{name}" is required.')
    tags = ctx["expected_tags"].split(", ")
    message = f"{ctx['tag']!r} is not accepted here: expected {' or '.join(tags)}."
    return Problem.of("InvalidValue", path, message)


def place_of(detail: ErrorDetails, data: Any) -> Location:
    """Return the location without the names of union members that pydantic adds to it."""
    place: list[str | int] = []
    last = len(detail["loc"]) - 1
    for position, part in enumerate(detail["loc"]):
        if _holds(data, part):
            data = data[part]
        elif not (position == last and detail["type"] == "missing"):
            continue
        place.append(part)
    field = detail.get("ctx", {}).get("field")
    return (*place, field) if field else tuple(place)


def _holds(data: object, part: str | int) -> bool:
    if isinstance(data, Mapping):
        return part in data
    return isinstance(data, list) and isinstance(part, int) and part < len(data)


def _sentence(detail: ErrorDetails) -> str:
    text = detail["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    text = _SIZE.sub(r"\1", _OBJECT.sub("an object", _LIST.sub("a list", text)))
    shown = repr(detail["input"])
    if len(shown) > 60:
        return f"Expected {text}." if text != detail["msg"] else f"{text}."
    return f"{shown} is not accepted here: expected {text}."


def known_fields(model: type[BaseModel], loc: Sequence[str | int]) -> list[str]:
    """Return the field names of the model that a pydantic location leads to."""
    options: list[Any] = [model]
    for part in loc:
        inner = [found for option in options for found in _inside(option, part)]
        options = inner or [m for option in options for m in _tagged(option, part)] or options
    return sorted(
        {name for option in options for model_ in models_in(option) for name in _names(model_)}
    )


def _inside(annotation: object, part: str | int) -> list[Any]:
    if isinstance(part, int):
        return [arg for arg in _flat(annotation) if get_origin(arg) in (tuple, list)]
    values = [get_args(arg)[1] for arg in _flat(annotation) if get_origin(arg) is dict]
    return values + [
        found.annotation
        for model in models_in(annotation)
        for name, found in model.model_fields.items()
        if part in (name, found.alias)
    ]


def _tagged(annotation: object, part: str | int) -> list[Any]:
    """Return the members of a union that are told apart by a field with the value `part`."""
    return [
        model
        for model in models_in(annotation)
        if any(get_args(found.annotation) == (part,) for found in model.model_fields.values())
    ]


def _names(model: type[BaseModel]) -> list[str]:
    return [found.alias or name for name, found in model.model_fields.items()]


def models_in(annotation: object) -> list[type[BaseModel]]:
    """Return the models inside an annotation: through unions, Annotated, tuples and lists."""
    return [a for a in _flat(annotation) if isinstance(a, type) and issubclass(a, BaseModel)]


def _flat(annotation: object) -> list[Any]:
    origin = get_origin(annotation)
    if origin is None:
        return [annotation]
    nested = origin in (Union, UnionType, tuple, list) or hasattr(annotation, "__metadata__")
    inner = [a for arg in get_args(annotation) for a in _flat(arg)] if nested else []
    return [annotation, *inner]
