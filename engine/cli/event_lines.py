"""One event as a line of `--events`: flat JSON, large values by their hash."""

from __future__ import annotations

import hashlib

import orjson

from engine.core.state.events import Event
from engine.core.state.wire import encode
from engine.core.values.limits import KIB

INLINE = 64 * KIB
"""Bytes of one value that a line carries itself."""


def event_line(event: Event) -> bytes:
    """Return the event as one line; a value above 64 KiB as `{$blob, bytes}`."""
    carried = orjson.dumps(event.data)
    if len(carried) > INLINE:
        carried = orjson.dumps({name: _inline(value) for name, value in event.data.items()})
    return encode(event.seq, event.type, event.at, event.key, carried) + b"\n"


def _inline(value: object) -> object:
    data = orjson.dumps(value)
    if len(data) <= INLINE:
        return value
    return {"$blob": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
