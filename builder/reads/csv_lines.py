"""Lines of CSV, in which no spreadsheet takes a text for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""How texts begin that spreadsheets work out."""


def csv_lines(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield the head and each row as a line; texts are made safe, numbers stay as they are."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    yield _taken(out)
    for row in rows:
        writer.writerow([csv_safe(cell) if isinstance(cell, str) else cell for cell in row])
        yield _taken(out)


def csv_safe(text: str) -> str:
    """Return a cell of CSV that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def _taken(out: io.StringIO) -> str:
    text = out.getvalue()
    out.seek(0)
    out.truncate()
    return text
