"""Holds answers against the schema that the API serves of itself."""

from __future__ import annotations

import functools
import re
from typing import Any

from django.urls import Resolver404, resolve
from drf_spectacular.generators import SchemaGenerator

from builder.api.http.schema.schema_view import ONE_AT_A_TIME

PLACE = re.compile(r"<(?:\w+:)?(\w+)>")


def schema() -> dict[str, Any]:
    """Return the schema, generated once a process."""
    with ONE_AT_A_TIME:
        return _generated()


@functools.lru_cache(maxsize=1)
def _generated() -> dict[str, Any]:
    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


def operation(method: str, path: str) -> dict[str, Any] | None:
    """Return what the schema says of a call; None where it knows no such path or method."""
    try:
        route = resolve(path).route
    except Resolver404:
        return None
    found: dict[str, Any] | None = schema()["paths"].get("/" + PLACE.sub(r"{\1}", route))
    return None if found is None else found.get(method.lower())


def assert_declared(method: str, path: str, answer: Any) -> None:
    """Hold status and media type of an answer against the schema."""
    known = operation(method, path.partition("?")[0])
    if known is None or answer.status_code == 405:
        return
    declared = known["responses"].get(str(answer.status_code))
    assert declared is not None, f"{method} {path}: undeclared status {answer.status_code}"
    if answer.status_code == 204 or getattr(answer, "streaming", False):
        return
    kind = answer.headers.get("Content-Type", "").partition(";")[0]
    assert kind in declared.get("content", {}), f"{method} {path}: undeclared type {kind!r}"
