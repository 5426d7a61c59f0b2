"""Frames from clients: checked against their form and limited in rate."""

from __future__ import annotations

import time
from collections import deque
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from engine.core.errors import RequestRefused
from engine.core.values.limits import MAX_SOCKET_FRAME, parse_json

MAX_MESSAGES: Final = 30
PER_S: Final = 10.0
MAX_SUBSCRIPTIONS: Final = 20
ShortText = Annotated[str, Field(min_length=1, max_length=128)]


class _Frame(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Subscribe(_Frame):
    """Listen to a run's log, to a list, or to a draft."""

    op: Literal["sub"]
    run: ShortText | None = None
    after: Annotated[int, Field(ge=0, lt=2**53)] = 0
    topic: Literal["inbox", "runs"] | None = None
    graph: ShortText | None = None
    client: Annotated[str, Field(max_length=64)] = ""
    workspace: Annotated[str, Field(max_length=64)] = ""

    @property
    def target(self) -> tuple[str, str] | None:
        """What is listened to: kind and name, None unless exactly one is given."""
        return _target(self.run, self.topic, self.graph)


class Unsubscribe(_Frame):
    """Stop to listen."""

    op: Literal["unsub"]
    run: ShortText | None = None
    topic: Literal["inbox", "runs"] | None = None
    graph: ShortText | None = None

    @property
    def target(self) -> tuple[str, str] | None:
        """What was listened to."""
        return _target(self.run, self.topic, self.graph)


class Select(_Frame):
    """What is selected in a draft."""

    op: Literal["presence"]
    graph: ShortText
    selection: Annotated[list[ShortText], Field(max_length=500)] = []


class Ping(_Frame):
    """Is anybody there?"""

    op: Literal["ping"]


Inbound = Subscribe | Unsubscribe | Select | Ping
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


class Meter:
    """Allows `MAX_MESSAGES` in any `PER_S` seconds."""

    def __init__(self) -> None:
        self._times: deque[float] = deque()

    def allows(self, now: float | None = None) -> bool:
        """Count one message and return whether it is within the limit."""
        at = time.monotonic() if now is None else now
        while self._times and self._times[0] <= at - PER_S:
            self._times.popleft()
        self._times.append(at)
        return len(self._times) <= MAX_MESSAGES


def _target(run: str | None, topic: str | None, graph: str | None) -> tuple[str, str] | None:
    given = [(kind, name) for kind, name in _named(run, topic, graph) if name is not None]
    return given[0] if len(given) == 1 else None


def _named(
    run: str | None, topic: str | None, graph: str | None
) -> tuple[tuple[str, str | None], ...]:
    return ("run", run), ("topic", topic), ("graph", graph)
