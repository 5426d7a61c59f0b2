"""The parameters of an operation: where each goes, and how its value is written there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from engine.integrations.egress.headers import is_header_name
from engine.integrations.tools.openapi.document import (
    Document,
    OpenApiRefused,
    mapping,
    sequence,
)

MAX_PARAMETERS: Final = 100
Place = Literal["path", "query", "header"]
_STYLES: Final = {"path": "simple", "header": "simple", "query": "form"}
_OURS: Final = frozenset(
    {"accept", "accept-encoding", "authorization", "connection", "content-length", "content-type"}
    | {"cookie", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"}
)
"""Headers that are ours, the egress's or a credential's; the standard ignores the first of them."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; `argument` is what the tool calls it, `as_json` writes its value as JSON."""

    argument: str
    name: str
    place: Place
    required: bool = False
    explode: bool = False
    deep: bool = False
    as_json: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return it as it is kept."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Described:
    """A parameter with its schema and its words."""

    parameter: Parameter
    schema: Any
    text: str


def parameters_of(
    document: Document, item: Mapping[str, Any], operation: Mapping[str, Any]
) -> tuple[list[Described], list[str]]:
    """Return the parameters of an operation, and why some that it can do without are left out.

    Raises `OpenApiRefused` for a required one that cannot be sent.
    """
    given: dict[tuple[str, str], Mapping[str, Any]] = {}
    shared, own = sequence(item.get("parameters")), sequence(operation.get("parameters"))
    count = len(shared) + len(own)
    if count > MAX_PARAMETERS:
        raise OpenApiRefused(f"it has {count} parameters; up to {MAX_PARAMETERS} are taken")
    for each in (*shared, *own):
        one = document.resolved(each)
        given[str(one.get("in")), str(one.get("name"))] = one
    found: list[Described] = []
    left_out: list[str] = []
    taken = {"body"}
    for (place, name), one in given.items():
        if place == "header" and name.lower() in _OURS:
            continue
        try:
            described = _described(place, name, one, taken)
        except OpenApiRefused as refused:
            if one.get("required") is True:
                raise
            left_out.append(f"{refused}; it is left out")
            continue
        taken.add(described.parameter.argument)
        found.append(described)
    return found, left_out


def _described(place: str, name: str, one: Mapping[str, Any], taken: set[str]) -> Described:
    said = f"the parameter {name[:60]!r}"
    if place not in _STYLES:
        raise OpenApiRefused(f"{said} goes into a {place[:20]}, which is not sent")
    if not 0 < len(name) <= 100 or (place == "header" and not is_header_name(name)):
        raise OpenApiRefused(f"{said} has a name that cannot be sent")
    content = mapping(one.get("content"))
    style = str(one.get("style") or _STYLES[place])
    deep = place == "query" and style == "deepObject"
    if content:
        media, described = next(iter(content.items()))
        if not is_json(media):
            raise OpenApiRefused(f"{said} is written as {media[:40]!r}; JSON is")
        schema = mapping(described).get("schema", {})
    elif style != _STYLES[place] and not deep:
        raise OpenApiRefused(f"{said} has the style {style[:20]!r}; {_STYLES[place]!r} is sent")
    else:
        schema = one.get("schema", {})
    explode = one.get("explode")
    parameter = Parameter(
        _argument(name, place, taken),
        name,
        place,  # type: ignore[arg-type]  # a key of _STYLES
        required=place == "path" or one.get("required") is True,
        explode=explode if isinstance(explode, bool) else style == "form",
        deep=deep,
        as_json=bool(content),
    )
    return Described(parameter, schema, str(one.get("description") or "")[:500])


def _argument(name: str, place: str, taken: set[str]) -> str:
    """Return what the tool calls it: its name in letters that models' providers take, once."""
    plain = re.sub(r"[^A-Za-z0-9_.-]", "_", name)[:56]
    for candidate in (plain, f"{plain}_{place}"):
        if candidate not in taken:
            return candidate
    return next(each for n in range(2, 10_000) if (each := f"{plain}_{n}") not in taken)


def is_json(media: str) -> bool:
    """Return whether a media type is JSON, whatever its parameters are."""
    kind = media.partition(";")[0].strip().lower()
    return kind == "application/json" or (
        kind.startswith("application/") and kind.endswith("+json")
    )
