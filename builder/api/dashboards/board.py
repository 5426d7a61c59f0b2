"""A stretch of time and a workflow, as boards are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import ClassVar, Final
from zoneinfo import ZoneInfo

from drf_spectacular.utils import OpenApiParameter

from builder.api.http.view import ApiView
from builder.base.errors import InvalidInput

DEFAULT_HOURS: Final = 24
MAX_DAYS: Final = 90
MAX_HOURS: Final = MAX_DAYS * 24
QUERY: Final = frozenset({"hours", "since", "until", "graph", "format"})
PARAMETERS: Final = [
    OpenApiParameter("hours", int, description="how far back, at most 2160"),
    OpenApiParameter("since", description="instead of hours: the first day, 2026-11-22"),
    OpenApiParameter("until", description="the last day, at most 90 in all"),
    OpenApiParameter("graph", description="id of one workflow"),
    OpenApiParameter("format", enum=["json", "csv"]),
]


@dataclass(frozen=True, slots=True)
class Days:
    """Days of a workspace, both included."""

    first: date
    last: date
    zone: ZoneInfo

    @property
    def since(self) -> int:
        """When the first begins, in milliseconds since the epoch."""
        return self._midnight(self.first)

    @property
    def until(self) -> int:
        """When the last is over, in milliseconds since the epoch."""
        return self._midnight(self.last + timedelta(days=1))

    def _midnight(self, day: date) -> int:
        return int(datetime.combine(day, time(), self.zone).timestamp() * 1000)


class Board(ApiView):
    """Figures of the last hours, or of days that are named."""

    query_names: ClassVar[frozenset[str]] = QUERY

    def hours(self) -> int:
        """Return how far back. Raises `InvalidInput`."""
        hours = self.number("hours", DEFAULT_HOURS)
        if not 1 <= hours <= MAX_HOURS:
            raise InvalidInput(f"1 to {MAX_HOURS} hours", path="hours")
        return hours

    def days(self, zone: str) -> Days | None:
        """Return the days that are named, None for the last hours. Raises `InvalidInput`."""
        if not self.given(("since", "until")):
            return None
        today = datetime.now(ZoneInfo(zone)).date()
        last = day_of("until", self.text("until")) or today
        first = day_of("since", self.text("since")) or last
        check_days(first, last, MAX_DAYS)
        return Days(first, last, ZoneInfo(zone))

    def graph_id(self) -> str:
        """Return the id of the only workflow, empty for all. Raises `NotFound`."""
        wanted = self.text("graph")
        return self.graph(wanted).pk if wanted else ""


def check_days(first: date, last: date, most: int) -> None:
    """Raise `InvalidInput` where a stretch of days is longer than is shown at once, or ends too early."""
    count = (last - first).days + 1
    if count < 1:
        raise InvalidInput("The first day comes first.", path="since")
    if count > most:
        said = f"These are {count} days: {most} at most are shown at once."
        raise InvalidInput(said, path="since")


def day_of(name: str, text: str) -> date | None:
    """Return a day of a query, None without one. Raises `InvalidInput`."""
    try:
        day = date.fromisoformat(text) if text else None
    except ValueError:
        day = date.max
    if day is not None and not 1970 <= day.year <= 9000:
        raise InvalidInput("a day like 2026-11-22", path=name)
    return day
