"""Reads request bodies: JSON only, bounded in size and depth, nothing that means two things."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import IO, Any

from rest_framework.parsers import BaseParser

from builder.base.errors import InvalidInput, ServiceError
from builder.base.turns import DEAR_BODY, turns
from engine.core.values.limits import MAX_BODY, MAX_VALUES, UnreadableInput, parse_json


class TooLarge(ServiceError):
    """The body is over the limit of its route."""

    status = 413


class StrictJsonParser(BaseParser):
    """JSON up to 1 MiB (`max_body` of the view), without NaN, repeated keys or deep nesting."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the body. Raises `InvalidInput` with the place, `TooLarge`."""
        view = (parser_context or {}).get("view")
        limit: int = getattr(view, "max_body", MAX_BODY)
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise TooLarge(f"the body is larger than {limit} bytes", code="InputTooLarge")
        if not body.strip():
            return {}
        request = (parser_context or {}).get("request")
        who = str(getattr(getattr(request, "user", None), "pk", None))
        try:
            with turns.taken(who) if len(body) > DEAR_BODY else nullcontext():
                return parse_json(body, max_bytes=limit, max_values=MAX_VALUES)
        except UnreadableInput as error:
            raise InvalidInput(error.message, path=error.path) from None
