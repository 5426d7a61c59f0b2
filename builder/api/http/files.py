"""Figures and lists as files of CSV."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpResponse

from builder.base.errors import InvalidInput


def wants_csv(wanted: str) -> bool:
    """Return whether `format` asks for CSV. Raises `InvalidInput`."""
    if wanted not in ("", "json", "csv"):
        raise InvalidInput("json or csv", path="format")
    return wanted == "csv"


def csv_file(lines: Iterable[str], name: str) -> HttpResponse:
    """Return lines of CSV as a file to be kept; who makes the lines bounds them."""
    answer = HttpResponse(content_type="text/csv")
    for line in lines:
        answer.write(line)
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer
