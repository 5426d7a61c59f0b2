"""The text of an OpenAPI document as JSON, and what its `#/` references point to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

from engine.core.errors import RequestRefused
from engine.core.values.limits import MIB, parse_yaml

MAX_DOCUMENT: Final = 5 * MIB
MAX_NESTING: Final = 64
MAX_HOPS: Final = 32
"""References that may lead to one another before one that does not."""
MAX_REFERENCE: Final = 1000
"""Characters of a reference: it is followed wherever it stands."""

_VERSION: Final = re.compile(r"3\.([01])(\.[0-9]{1,3})?")


class OpenApiRefused(Exception):
    """A document, or one part of it, cannot be used; the text says why and what would help."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document of OpenAPI 3; `nullable` where it is written as 3.0 does."""

    data: Mapping[str, Any]
    nullable: bool

    @property
    def title(self) -> str:
        """Return what the document calls itself, at most 200 characters."""
        return str(mapping(self.data.get("info")).get("title") or "")[:200]

    def resolved(self, value: Any) -> Mapping[str, Any]:
        """Return an object, or the one that its `$ref` leads to. Raises `OpenApiRefused`."""
        for _ in range(MAX_HOPS):
            if not isinstance(value, Mapping):
                raise OpenApiRefused("an object is expected where something else stands")
            ref = value.get("$ref")
            if ref is None:
                return value
            value = self.at(ref)
        raise OpenApiRefused("its references lead round in a circle")

    def at(self, ref: object) -> Any:
        """Return what a reference points to. Raises `OpenApiRefused`, for a remote one too."""
        if not isinstance(ref, str) or not ref.startswith("#/") or len(ref) > MAX_REFERENCE:
            raise OpenApiRefused(
                f"it refers to {str(ref)[:120]!r}: only references into the document itself (#/…)"
                " are followed, so put that part into the document"
            )
        value: Any = self.data
        for part in ref.split("/")[1:]:
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            if isinstance(value, Mapping) and key in value:
                value = value[key]
            elif isinstance(value, list) and key.isdecimal() and int(key[:9]) < len(value):
                value = value[int(key[:9])]
            else:
                raise OpenApiRefused(f"it refers to {ref[:120]!r}, which the document has not")
        return value


def read_document(text: str) -> Document:
    """Return a document that was given as JSON or YAML. Raises `OpenApiRefused`."""
    begins = text[:2000].lstrip("\ufeff \t\r\n").lower()
    if begins.startswith(("<!doctype", "<html", "<?xml")):
        raise OpenApiRefused(
            "this is a page and no OpenAPI document: look for its openapi.json or openapi.yaml"
        )
    try:
        data = parse_yaml(
            text, max_bytes=MAX_DOCUMENT, max_depth=MAX_NESTING, code="UnreadableDocument"
        )
    except RequestRefused as refused:
        raise OpenApiRefused(f"the document cannot be read: {refused.message}") from None
    if not isinstance(data, Mapping):
        raise OpenApiRefused("this is no OpenAPI document: it has no fields")
    if "swagger" in data:
        raise OpenApiRefused(
            "this is Swagger 2: convert it to OpenAPI 3 (for instance by swagger2openapi, or by"
            ' "Convert to OpenAPI 3" of the Swagger editor) and give that'
        )
    version = data.get("openapi")
    found = _VERSION.fullmatch(version) if isinstance(version, str) else None
    if found is None:
        raise OpenApiRefused(
            f'"openapi" is {str(version)[:40]!r}; documents of OpenAPI 3.0 and 3.1 are read'
        )
    return Document(data, nullable=found.group(1) == "0")


def mapping(value: object) -> Mapping[str, Any]:
    """Return an object, an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def sequence(value: object) -> list[Any]:
    """Return a list, an empty one for anything else."""
    return value if isinstance(value, list) else []
