"""A body as the fields of a form, as OpenAPI writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlencode

from engine.core.values.json import as_text, canonical, freeze
from engine.integrations.tools.sources import not_retryable

FORM: Final = "application/x-www-form-urlencoded"


def is_form(media: str) -> bool:
    """Return whether a media type is that of a form without files."""
    return media.partition(";")[0].strip().lower() == FORM


def form_of(body: Any, deep: tuple[str, ...]) -> str:
    """Return the fields of an object, encoded; those in `deep` are written `name[key]`.

    Lists are repeated fields, objects are JSON. Raises `ToolFailed` for what is no object.
    """
    if not isinstance(body, Mapping):
        raise not_retryable("the body is sent as a form: give its fields as an object")
    pairs = [pair for name, value in body.items() for pair in _fields(name, value, name in deep)]
    return urlencode(pairs)


def _fields(name: str, value: Any, deep: bool) -> Iterator[tuple[str, str]]:
    if value is None:
        return
    if deep and isinstance(value, Mapping):
        for key, each in value.items():
            yield from _fields(f"{name}[{key}]", each, deep)
    elif isinstance(value, list | tuple):
        for place, each in enumerate(value):
            inner = f"{name}[{place}]" if deep else name
            if deep or not isinstance(each, list | tuple):
                yield from _fields(inner, each, deep)
            else:
                yield inner, canonical(freeze(each)).decode()
    elif isinstance(value, Mapping):
        yield name, canonical(freeze(value)).decode()
    else:
        yield name, as_text(value)
