"""What else is wrong with a document whose form is broken, so that one answer names everything.

The broken parts are left out, or replaced by what stands for nothing; the rest is checked for
what does not depend on them: configs, names, schemas, tools and expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

import orjson
from pydantic import ValidationError

from engine.check.rules import expressions, names, schemas, tools
from engine.check.rules.calls import credentials
from engine.check.subject import Subject
from engine.check.world import World
from engine.core.graph.document import END, START, GraphSpec, read_raw
from engine.core.graph.problems import Location, Problem, json_path, places_of, too_much
from engine.core.values.effort import TooMuchWork, bounded
from engine.core.values.json import InvalidJson, thaw

UNREADABLE: Final = frozenset({"UnreadableDocument", "UnsupportedFormat", "TooMuchToCheck"})
"""Codes of documents that nothing can be said about."""

_STUB_EDGE: Final = {"source": START, "target": END}
_STUB_TYPE: Final = "unreadable"
_NAMED_BY: Final = {"nodes": "UnknownNode", "agents": "UnknownAgent"}


def remainder(
    source: str | bytes | Mapping[str, Any],
    known: Collection[Problem],
    world: Callable[[GraphSpec], World],
) -> list[Problem]:
    """Return the errors that are not among `known`, those of the document's form.

    `world` gives what surrounds the readable part. Nothing is returned where too little can be
    read. Never raises.
    """
    if any(problem.code in UNREADABLE for problem in known):
        return []
    try:
        raw = read_raw(source)
    except InvalidJson:
        return []
    mended = thaw(raw)
    places = _broken(raw)
    for place, unknown in places.items():
        _mend(mended, place, unknown)
    try:
        spec = GraphSpec.model_validate_json(orjson.dumps(mended), strict=True)
    except ValidationError:
        return []
    told = {problem.path for problem in known}
    found: dict[Problem, None] = {}
    try:
        with bounded():
            for problem in _errors(Subject(spec, world(spec))):
                found[problem] = None
    except TooMuchWork:
        found = {too_much(): None, **found}
    left = _LeftBehind(places)
    return [p for p in found if p not in left and p.path not in told]


def _broken(raw: Mapping[str, Any]) -> dict[Location, bool]:
    """Return each place that the form refuses, and whether it is a field that does not exist."""
    try:
        GraphSpec.model_validate_json(orjson.dumps(raw), strict=True)
    except ValidationError as error:
        return places_of(error, raw)
    return {}


def _mend(document: Any, place: Location, unknown: bool) -> None:
    """Take what is broken out of a document: the field, or the edge or node around it."""
    if unknown:
        if isinstance(holder := _inside(document, place[:-1]), dict):
            holder.pop(place[-1], None)  # it is gone where more of what it lies in was broken
    elif place[:1] == ("edges",) and len(place) > 1:
        _put(document, place[:2], dict(_STUB_EDGE))
    elif place[:1] == ("nodes",) and len(place) == 2:
        _put(document, place, {"id": _fresh(place), "type": _STUB_TYPE})
    elif place[-1:] == ("id",) and place[0] != "notes":
        _put(document, place, _fresh(place))
    elif place[:1] == ("nodes",) and place[2:] == ("type",):
        _put(document, place, _STUB_TYPE)
    elif place:
        _drop(document, place)


def _put(document: object, place: Location, value: object) -> None:
    """Set what stands at a place, unless what it lies in is gone: that was broken as well."""
    holder: Any = _inside(document, place[:-1])
    last: Any = place[-1]
    if isinstance(holder, dict) or (isinstance(holder, list) and last in range(len(holder))):
        holder[last] = value


def _drop(document: object, place: Location) -> None:
    """Remove the field that a place lies in; of a list the whole, so that no index moves."""
    while place and place[-1] not in _fields(_inside(document, place[:-1])):
        place = place[:-1]
    if place:
        _inside(document, place[:-1]).pop(place[-1], None)


def _fields(value: object) -> Collection[Any]:
    return value if isinstance(value, dict) else ()


def _inside(document: Any, place: Location) -> Any:
    for part in place:
        try:
            document = document[part]
        except (LookupError, TypeError):
            return None
    return document


def _fresh(place: Location) -> str:
    return "-".join(("unreadable", *(str(part) for part in place if isinstance(part, int))))


def _errors(subject: Subject) -> Iterator[Problem]:
    yield from subject.problems
    for part in (names, schemas, expressions, tools, credentials):
        yield from (problem for problem in part.find(subject) if problem.severity == "error")


class _LeftBehind:
    """Tells problems that are only what the mending left behind; each place is spelled once."""

    def __init__(self, places: Mapping[Location, bool]) -> None:
        self._paths = {json_path(place) for place in places}
        self._lengths = {len(path) for path in self._paths}
        self._codes = {
            _NAMED_BY.get(str(place[0]))
            for place, unknown in places.items()
            if place and not unknown and (len(place) <= 2 or place[-1] == "id")
        } - {None}

    def __contains__(self, problem: Problem) -> bool:
        """Return whether a problem stands at a mended place, inside it, or where one was named."""
        path = problem.path
        return problem.code in self._codes or any(
            path[:size] in self._paths
            for size in self._lengths
            if path[size : size + 1] in ("", ".", "[")
        )
