"""Ids of rows: UUIDs kept as text, so that SQLite, PostgreSQL, JSON and raw SQL agree on them."""

from __future__ import annotations

import uuid


def new_id() -> str:
    """Return a fresh random id, 36 characters."""
    return str(uuid.uuid4())
