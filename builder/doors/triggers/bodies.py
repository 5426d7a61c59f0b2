"""What a call brings, as expressions read it: its body, its headers, what its address asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl

from builder.doors.triggers.refusing import TurnedAway
from engine.core.values.limits import UnreadableInput, parse_json

JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"
MOST_VALUES: Final = 50_000
MOST_FIELDS: Final = 500
HIDDEN: Final = frozenset({"authorization", "cookie", "proxy-authorization"})
"""Headers that no sample shows."""


def read(body: bytes, content_type: str, most: int) -> Any:
    """Return a body's values. Raises `TurnedAway` 415 for another type, 422 for what it is not."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind == FORM:
        return _form(body)
    if kind != JSON and not (kind.startswith("application/") and kind.endswith("+json")):
        raise TurnedAway(415, "UnsupportedMediaType", f"send {JSON} or {FORM}")
    if not body.strip():
        return {}
    try:
        return parse_json(body, max_bytes=most, max_values=MOST_VALUES)
    except UnreadableInput as unreadable:
        raise TurnedAway(422, "BodyUnreadable", unreadable.message) from None


def _form(body: bytes) -> dict[str, str]:
    try:
        text = body.decode()
        if "\0" in text or "%00" in text:
            raise ValueError("no text holds NUL")
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
    except ValueError as unreadable:
        raise TurnedAway(422, "BodyUnreadable", f"no form: {unreadable}") from None
    return dict(pairs)


def shown(headers: Mapping[str, str], hides: tuple[str, ...]) -> dict[str, str]:
    """Return the headers that expressions and samples may see: none that proves anything."""
    return {name: text for name, text in headers.items() if name not in {*HIDDEN, *hides}}
