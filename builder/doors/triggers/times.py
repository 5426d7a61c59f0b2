"""When a cron line is due in a time zone. Times are milliseconds since the epoch.

A line that names hours runs once a day also where clocks change, as Debian's cron does: at 03:00
where 02:30 does not come, and once where it comes twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError

from builder.base.errors import InvalidInput

LONGEST = 120


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
    if not isinstance(zone, str) or zone not in available_timezones():
        raise InvalidInput("the name of a time zone, like Europe/Berlin", path="config.zone")
    if not isinstance(cron, str) or len(cron) > LONGEST or len(cron.split()) != 5:
        raise InvalidInput(
            "five fields: minute, hour, day, month, weekday, like 30 8 * * 1-5", path="config.cron"
        )
    if not next_times(cron, zone, 0, 1):
        raise InvalidInput("this never comes", path="config.cron")
    return " ".join(cron.split()), zone


def _times(cron: str, zone: str, at: int, *, back: bool = False) -> Iterator[datetime]:
    begin = datetime.fromtimestamp(at / 1000, UTC).astimezone(ZoneInfo(zone))
    try:
        return iter(CronSim(cron, begin, reverse=back))
    except CronSimError as wrong:
        raise InvalidInput(str(wrong), path="config.cron") from None


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)
