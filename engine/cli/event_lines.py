"""One event as a line of `--events`: flat JSON, large values by their hash."""

from __future__ import annotations

import hashlib

import orjson

from engine.core.state.events import Event
from engine.core.values.limits import KIB

INLINE = 64 * KIB
"""Bytes of one value that a line carries itself."""


def event_line(event: Event) -> bytes:
    """Return the event as one line; a value above 64 KiB as `{$blob, bytes}`."""
    wire = event.to_wire()
    line = orjson.dumps(wire)
    if len(line) > INLINE:
        line = orjson.dumps({name: _inline(value) for name, value in wire.items()})
    return line + b"\n"


def _inline(value: object) -> object:
    data = orjson.dumps(value)
    if len(data) <= INLINE:
        return value
    return {"$blob": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
