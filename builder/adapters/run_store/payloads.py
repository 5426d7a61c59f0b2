"""How event data is kept: one JSON text a row, large values once as content-addressed blobs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Final

import orjson

from engine.core.values.json import freeze

MAX_ITEMS: Final = 100
"""A list of up to so many is kept in its place where its large items are stored apart."""

INLINE_BYTES: Final = 64 * 1024
"""Values above this are stored once as a blob (DESIGN section 10)."""

BLOB: Final = "$blob"
_MARK: Final = b'"$blob"'


def encode(data: dict[str, Any]) -> tuple[bytes, list[tuple[str, bytes]]]:
    """Return event data as stored, and the blobs it refers to as (sha256, JSON)."""
    raw = orjson.dumps(data)
    if len(raw) <= INLINE_BYTES and _MARK not in raw:
        return raw, []
    blobs: list[tuple[str, bytes]] = []
    shrunk = {key: _shrink(value, blobs) for key, value in data.items()}
    return orjson.dumps(shrunk), blobs


def _shrink(value: Any, blobs: list[tuple[str, bytes]]) -> Any:
    raw = orjson.dumps(value)
    if len(raw) <= INLINE_BYTES and _MARK not in raw:
        return value
    if isinstance(value, dict) and BLOB not in value:
        before = len(blobs)
        smaller = {key: _shrink(item, blobs) for key, item in value.items()}
        if len(orjson.dumps(smaller)) <= INLINE_BYTES:
            return smaller
        del blobs[before:]
    if isinstance(value, list) and len(value) <= MAX_ITEMS:
        before = len(blobs)
        fewer = [_shrink(item, blobs) for item in value]
        if len(orjson.dumps(fewer)) <= INLINE_BYTES:
            return fewer
        del blobs[before:]
    # a value that itself speaks of blobs becomes one, so that it is never taken for a reference
    digest = hashlib.sha256(raw).hexdigest()
    blobs.append((digest, raw))
    return {BLOB: digest, "bytes": len(raw)}


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
