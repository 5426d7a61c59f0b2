"""Cursors: the place of the last row that was seen, as text."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models import QuerySet

from builder.base.errors import InvalidInput

TOP: Final = "top"


def write(value: Any, key: Any, *, on_top: bool = False) -> str:
    """Return the cursor of a row: its value in the order, and its key; of one on top that, too."""
    text = json.dumps([value, key, TOP] if on_top else [value, key], default=str)
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decoded(cursor: str) -> Any:
    """Return what a cursor holds. Raises what the parsers of base64 and JSON raise."""
    padded = cursor + "=" * (-len(cursor) % 4)
    return json.loads(base64.urlsafe_b64decode(padded.encode()))


def is_on_top(cursor: str) -> bool:
    """Return whether a cursor is that of a row on top of its list."""
    try:
        return bool(decoded(cursor)[2:] == [TOP])
    except (binascii.Error, ValueError, TypeError, KeyError, RecursionError):
        return False


def read(rows: QuerySet[Any], cursor: str, field: str, *, on_top: bool = False) -> tuple[Any, Any]:
    """Return value and key of a cursor of `rows`, ordered by `field`. Raises `InvalidInput`."""
    try:
        value, key, *rest = decoded(cursor)
        if rest != ([TOP] if on_top else []):
            raise ValueError(cursor)
        made = rows.query.annotations.get(field)
        column: Any = rows.model._meta.get_field(field) if made is None else made.output_field
        primary: Any = rows.model._meta.pk
        return column.to_python(value), primary.to_python(key)
    except (binascii.Error, ValueError, TypeError, ValidationError, RecursionError):
        raise InvalidInput("this cursor is not from a list of ours", path="cursor") from None
