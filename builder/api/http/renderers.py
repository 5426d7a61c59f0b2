"""Writes JSON answers; wire models and text in other forms pass through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from pydantic import BaseModel
from rest_framework.renderers import BaseRenderer


def encode(value: Any) -> bytes:
    """Return `value` as JSON; wire models are written as they declare themselves."""
    if isinstance(value, BaseModel):  # at once, without a dict between
        return value.__pydantic_serializer__.to_json(value)
    return orjson.dumps(value, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"{type(value).__name__} has no JSON form")


class JsonRenderer(BaseRenderer):
    """`application/json`; errors are `application/problem+json` (see `builder.api.http.errors`)."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the body; nothing for answers without content."""
        if data is None:
            return b""
        if isinstance(data, bytes):
            return data
        return encode(data)
