"""Frames from clients, checked against their form."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter, ValidationError

from builder.live.forms import Inbound
from engine.core.errors import RequestRefused
from engine.core.values.limits import MAX_SOCKET_FRAME, parse_json

MAX_SUBSCRIPTIONS: Final = 20


_READER: Final[TypeAdapter[Inbound]] = TypeAdapter(Annotated[Inbound, Field(discriminator="op")])
OPS: Final = frozenset({"sub", "unsub", "presence", "ping"})


class UnknownOp(ValueError):
    """The frame asks for something that does not exist."""


class BadFrame(ValueError):
    """The frame is malformed; the message says how."""


def read_frame(text: str) -> Inbound:
    """Return the frame. Raises `UnknownOp`, `BadFrame`."""
    try:
        raw: Any = parse_json(text, max_bytes=MAX_SOCKET_FRAME)
    except RequestRefused as error:
        raise BadFrame(error.message) from None
    if not isinstance(raw, dict) or raw.get("op") not in OPS:
        raise UnknownOp("unknown op")
    try:
        return _READER.validate_python(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"][1:])
        raise BadFrame(f"{place}: {first['msg']}" if place else first["msg"]) from None
