"""How long an answer asks to wait before the next try."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

MOST_MS: Final = 24 * 3600 * 1000
"""Longest wait that an answer may ask for."""


def retry_after_ms(headers: Mapping[str, str]) -> int | None:
    """Return the wait of `Retry-After` (RFC 9110 section 10.2.3); a date counts from `Date`."""
    text = headers.get("retry-after", "").strip()
    if text.isdecimal() and text.isascii():
        return min(int(text[:9]) * 1000, MOST_MS)
    until, since = _date(text), _date(headers.get("date", ""))
    if until is None or since is None:
        return None
    wait = int((until - since).total_seconds() * 1000)
    return min(max(wait, 0), MOST_MS)


def _date(text: str) -> datetime | None:
    try:
        parsed = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    return parsed if parsed.tzinfo is not None else parsed.replace(tzinfo=UTC)
