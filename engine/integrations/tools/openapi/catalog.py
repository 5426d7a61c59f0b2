"""The operations of a document that can be tools, and those that cannot, with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engine.core.values.json import canonical, clean_text, freeze
from engine.integrations.tools.openapi.document import (
    Document,
    OpenApiRefused,
    mapping,
    read_document,
)
from engine.integrations.tools.openapi.form_body import is_form
from engine.integrations.tools.openapi.operation import BODY, Operation
from engine.integrations.tools.openapi.parameters import Described, is_json, parameters_of
from engine.integrations.tools.openapi.schemas import Schemas
from engine.integrations.tools.openapi.servers import servers_of
from engine.integrations.tools.protocol import RESERVED_TOOL_NAMES

MAX_OPERATIONS: Final = 500
MAX_NAME: Final = 64
MAX_TEXT: Final = 1000
METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch")
_IN_PATH: Final = re.compile(r"\{([^{}/]{1,100})\}")
_LETTERS: Final = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Refused:
    """Something of the document that is not taken: where it is, and why."""

    where: str
    why: str


@dataclass(frozen=True, slots=True)
class Catalog:
    """What a document offers; `refused` also names parts that operations do without."""

    title: str
    servers: tuple[str, ...]
    operations: tuple[Operation, ...]
    refused: tuple[Refused, ...]
    key_headers: tuple[str, ...] = ()
    """Headers that the document wants an API key in."""

    def named(self, name: str) -> Operation | None:
        """Return the operation of this name."""
        return next((each for each in self.operations if each.name == name), None)


class Written(NamedTuple):
    """An operation as the document writes it, and its parameters."""

    method: str
    path: str
    given: Mapping[str, Any]
    found: list[Described]


def read_catalog(text: str, *, address: str | None = None) -> Catalog:
    """Return what a document offers that is given as JSON or YAML.

    `address` is where it came from. Raises `OpenApiRefused` for what is no document of OpenAPI 3.
    """
    document = read_document(text)
    schemas = Schemas(document)
    operations: list[Operation] = []
    refused: list[Refused] = []
    taken = set(RESERVED_TOOL_NAMES)
    beyond = 0
    for count, (method, path, item, given) in enumerate(_written(document, refused)):
        if count >= MAX_OPERATIONS:
            beyond += 1
            continue
        where = f"{method} {path[:200]}"
        try:
            found, left_out = parameters_of(document, item, given)
            operation = _operation(document, schemas, Written(method, path, given, found), taken)
        except OpenApiRefused as reason:
            refused.append(Refused(where, str(reason)))
            continue
        taken.add(operation.name)
        operations.append(operation)
        if item.get("servers") or given.get("servers"):
            left_out.append("it names servers of its own; all calls go to the one that you choose")
        refused += [Refused(where, f"{why}") for why in left_out]
    if beyond:
        refused.append(
            Refused(
                f"{beyond} more operations", f"the first {MAX_OPERATIONS} of a document are read"
            )
        )
    servers = tuple(servers_of(document, address))
    return Catalog(document.title, servers, tuple(operations), tuple(refused), _keys(document))


def _written(
    document: Document, refused: list[Refused]
) -> Iterator[tuple[str, str, Mapping[str, Any], Mapping[str, Any]]]:
    """Yield method, path, path item and operation, in the order of the document."""
    for path, given in mapping(document.data.get("paths")).items():
        try:
            item = document.resolved(given)
        except OpenApiRefused as reason:
            refused.append(Refused(path[:200], str(reason)))
            continue
        for method in METHODS:
            if isinstance(item.get(method), Mapping):
                yield method.upper(), path, item, item[method]


def _operation(
    document: Document, schemas: Schemas, written: Written, taken: set[str]
) -> Operation:
    method, path, given, found = written
    if not path.startswith("/") or len(path) > 1000 or re.search(r"[?#\\\x00-\x20]", path):
        raise OpenApiRefused("its path cannot be sent as it is written")
    _match_path(path, found)
    media, content, needed = _body(document, given)
    body = content.get("schema", {})
    arguments = _arguments(schemas, found, None if media is None else body, needed)
    return Operation(
        _name(str(given.get("operationId") or f"{method.lower()}_{path}"), taken),
        method,
        path,
        _words(given),
        freeze(arguments),
        tuple(each.parameter for each in found),
        media,
        needed,
        _deep(content) if media is not None and is_form(media) else (),
    )


def _match_path(path: str, found: list[Described]) -> None:
    wanted = set(_IN_PATH.findall(path))
    given = {each.parameter.name for each in found if each.parameter.place == "path"}
    if wanted != given or set("{}") & set(_IN_PATH.sub("", path)):
        odd = sorted(wanted ^ given)
        raise OpenApiRefused(
            f"path and parameters do not agree on {', '.join(odd)[:120] or 'its braces'}"
        )


def _body(
    document: Document, given: Mapping[str, Any]
) -> tuple[str | None, Mapping[str, Any], bool]:
    """Return the media type that a body is sent as, what is said of it, and whether it must be."""
    if "requestBody" not in given:
        return None, {}, False
    body = document.resolved(given["requestBody"])
    content = mapping(body.get("content"))
    media = next((each for kind in (is_json, is_form) for each in content if kind(each)), None)
    needed = body.get("required") is True
    if media is not None:
        return media, mapping(content[media]), needed
    if content:
        kinds = ", ".join(content)[:120]
        raise OpenApiRefused(f"its body is sent as {kinds}; JSON and forms are sent")
    return None, {}, False


def _deep(content: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the fields of a form that are written with brackets."""
    fields = mapping(content.get("encoding")).items()
    return tuple(name for name, said in fields if mapping(said).get("style") == "deepObject")[:100]


def _arguments(schemas: Schemas, found: list[Described], body: Any, needed: bool) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    refs: set[str] = set()
    required = [each.parameter.argument for each in found if each.parameter.required]
    for each in found:
        schema, more = schemas.converted(each.schema)
        refs |= more
        if each.text and isinstance(schema, dict):
            schema = {**schema, "description": each.text}
        properties[each.parameter.argument] = schema
    if body is not None:
        properties[BODY], more = schemas.converted(body)
        refs |= more
        required += [BODY] if needed else []
    made: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        made["required"] = required
    made["additionalProperties"] = False
    defs = schemas.defs(frozenset(refs), len(canonical(freeze(made))))
    return {**made, "$defs": defs} if defs else made


def _words(given: Mapping[str, Any]) -> str:
    parts = [str(given.get(name) or "").strip() for name in ("summary", "description")]
    return clean_text("\n".join(dict.fromkeys(part[:MAX_TEXT] for part in parts if part)))[
        :MAX_TEXT
    ]


def _name(wanted: str, taken: set[str]) -> str:
    plain = _LETTERS.sub("_", wanted).strip("_")[:MAX_NAME] or "call"
    if plain not in taken:
        return plain
    numbered = (f"{plain[: MAX_NAME - 5]}_{n}" for n in range(2, MAX_OPERATIONS * 2))
    return next(each for each in numbered if each not in taken)


def _keys(document: Document) -> tuple[str, ...]:
    schemes = mapping(mapping(document.data.get("components")).get("securitySchemes"))
    names: list[str] = []
    for each in list(schemes.values())[:50]:
        try:
            scheme = document.resolved(each)
        except OpenApiRefused:
            continue
        if scheme.get("type") == "apiKey" and scheme.get("in") == "header":
            names.append(str(scheme.get("name") or "")[:100])
    return tuple(dict.fromkeys(name for name in names if name))
