"""How event data is kept: one JSON text a row, large values once as content-addressed blobs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import orjson

from engine.core.values.json import freeze

MAX_ITEMS: Final = 100
"""A list of up to so many is kept in its place where its large items are stored apart."""

INLINE_BYTES: Final = 64 * 1024
"""Values above this are stored once as a blob, and the largest ones of an event that is above it as a
whole: it goes to each browser that follows the run."""

WORTH_BYTES: Final = 1024
"""Smaller values stay where they are: a reference takes a tenth of that, and a request to read it."""

BLOB: Final = "$blob"
Place: TypeAlias = tuple[dict[str, Any], str]
"""An object, and a key in it."""

_MARK: Final = b'"$blob"'


def encode(data: dict[str, Any]) -> tuple[bytes, list[tuple[str, bytes]]]:
    """Return event data as stored, and the blobs it refers to as (sha256, JSON)."""
    raw = orjson.dumps(data)
    if len(raw) <= INLINE_BYTES and _MARK not in raw:
        return raw, []
    blobs: list[tuple[str, bytes]] = []
    shrunk = {key: _shrink(value, blobs) for key, value in data.items()}
    return _cut(shrunk, blobs), blobs


def _cut(event: dict[str, Any], blobs: list[tuple[str, bytes]]) -> bytes:
    """Return an event as text, with what is largest in it stored apart until it is small enough.

    Parts of objects come first, so that the event keeps its form.
    """
    parts = {key: dict(value) for key, value in event.items() if _is_object(value)}
    event |= parts
    inner: list[Place] = [(part, key) for part in parts.values() for key in part]
    for places in (
        [(event, k) for k in event if k not in parts] + inner,
        [(event, k) for k in parts],
    ):
        _set_apart(places, len(orjson.dumps(event)), blobs)
    return orjson.dumps(event)


def _set_apart(places: Sequence[Place], size: int, blobs: list[tuple[str, bytes]]) -> bool:
    """Store the largest values apart until `size`, their bytes together with all around them, fits.

    Returns whether it does. The size is kept as a sum: nothing is written out once for each value.
    """
    sized = [(orjson.dumps(holder[key]), holder, key) for holder, key in places]
    for raw, holder, key in sorted(sized, key=lambda each: len(each[0]), reverse=True):
        if size <= INLINE_BYTES or len(raw) < WORTH_BYTES:
            break
        if _MARK not in raw:
            holder[key] = _apart(raw, blobs)
            size -= len(raw) - len(orjson.dumps(holder[key]))
    return size <= INLINE_BYTES


def _is_object(value: Any) -> bool:
    return isinstance(value, dict) and BLOB not in value


def _apart(raw: bytes, blobs: list[tuple[str, bytes]]) -> dict[str, Any]:
    digest = hashlib.sha256(raw).hexdigest()
    blobs.append((digest, raw))
    return {BLOB: digest, "bytes": len(raw)}


def _shrink(value: Any, blobs: list[tuple[str, bytes]]) -> Any:
    raw = orjson.dumps(value)
    if len(raw) <= INLINE_BYTES and _MARK not in raw:
        return value
    if isinstance(value, dict) and BLOB not in value:
        before = len(blobs)
        smaller = {key: _shrink(item, blobs) for key, item in value.items()}
        places = [(smaller, key) for key in smaller]
        if _set_apart(places, len(orjson.dumps(smaller)), blobs):
            return smaller  # what is short in it, such as a request's prompt, stays in its place
        del blobs[before:]
    if isinstance(value, list) and len(value) <= MAX_ITEMS:
        before = len(blobs)
        fewer = [_shrink(item, blobs) for item in value]
        if len(orjson.dumps(fewer)) <= INLINE_BYTES:
            return fewer
        del blobs[before:]
    # a value that itself speaks of blobs becomes one, so that it is never taken for a reference
    return _apart(raw, blobs)


def decode(raw: bytes, blob: Callable[[str], bytes]) -> dict[str, Any]:
    """Return event data as the fold needs it, its blobs read back by `blob(sha256)`."""
    data = orjson.loads(raw)
    if _MARK in raw:
        data = _resolve(data, blob)
    return freeze(data)  # type: ignore[no-any-return]


def _resolve(value: Any, blob: Callable[[str], bytes]) -> Any:
    if isinstance(value, dict):
        if BLOB in value:
            return orjson.loads(blob(value[BLOB]))
        return {key: _resolve(item, blob) for key, item in value.items()}
    if isinstance(value, list):
        return [_resolve(item, blob) for item in value]
    return value
