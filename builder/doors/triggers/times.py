"""When a cron line is due in a time zone. Times are milliseconds since the epoch.

A line that names hours runs once a day also where clocks change, as Debian's cron does: at 03:00
where 02:30 does not come, and once where it comes twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from builder.base.clock import is_zone
from builder.base.errors import InvalidInput

LONGEST: Final = 120
FIELDS: Final = (
    ("minute", 0, 59, ""),
    ("hour", 0, 23, ""),
    ("day", 1, 31, ", or L for the last day"),
    ("month", 1, 12, " or JAN to DEC"),
    ("weekday", 0, 7, " (Sunday is 0 and 7) or SUN to SAT"),
)
"""Name, least and most of each field, and what else it takes."""


def next_times(cron: str, zone: str, after: int, count: int) -> list[int]:
    """Return the next times after a moment; fewer where the line ends. Raises `InvalidInput`."""
    return [_ms(at) for at in islice(_times(cron, zone, after), count)]


def last_times(cron: str, zone: str, since: int, until: int, most: int) -> list[int]:
    """Return the times from `since` to `until`, both included, the latest `most`, in their order."""
    found: list[int] = []
    for at in _times(cron, zone, until + 1000, back=True):
        if _ms(at) < since or len(found) == most:
            break
        if _ms(at) <= until:
            found.append(_ms(at))
    return found[::-1]


def check(cron: object, zone: object) -> tuple[str, str]:
    """Return line and zone. Raises `InvalidInput` with the place unless it is due some day."""
    if not is_zone(zone):
        raise InvalidInput("the name of a time zone, like Europe/Berlin", path="config.zone")
    if not isinstance(cron, str) or len(cron) > LONGEST or len(cron.split()) != 5:
        raise InvalidInput(
            "five fields: minute, hour, day, month, weekday, like 30 8 * * 1-5", path="config.cron"
        )
    fields = cron.split()
    for place, text in enumerate(fields):
        _check_field(place, text)
    try:
        comes = bool(next_times(" ".join(fields), zone, 0, 1))
    except InvalidInput:  # each field is good by itself: the day is in none of the months
        comes = False
    if not comes:
        raise InvalidInput("this never comes: no such month has that day", path="config.cron")
    return " ".join(fields), zone


def _check_field(place: int, text: str) -> None:
    """Raise `InvalidInput` with the field's name unless it is good by itself."""
    name, least, most, more = FIELDS[place]
    alone = ["*"] * len(FIELDS)
    alone[place] = text
    steps = [part.rpartition("/")[2] for part in text.split(",") if "/" in part]
    try:
        CronSim(" ".join(alone), datetime.now(UTC))
        good = all(step.isdecimal() and int(step) <= most for step in steps)
    except CronSimError:
        good = False
    if not good:
        raise InvalidInput(
            f"{name}: `{text}` is not one; it takes {least} to {most}{more}, * for every one, "
            "lists like 1,2, ranges like 1-5 and steps like */2",
            path="config.cron",
        )


def _times(cron: str, zone: str, at: int, *, back: bool = False) -> Iterator[datetime]:
    begin = datetime.fromtimestamp(at / 1000, UTC).astimezone(ZoneInfo(zone))
    try:
        return iter(CronSim(cron, begin, reverse=back))
    except CronSimError as wrong:
        raise InvalidInput(f"this never comes ({wrong})", path="config.cron") from None


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)
