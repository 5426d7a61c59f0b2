"""The present in the milliseconds that rows and events count in, and where days begin."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final, TypeGuard
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS


def now_ms() -> int:
    """Return the present in milliseconds since the epoch."""
    return int(timezone.now().timestamp() * 1000)


NO_PLACES: Final = frozenset({"localtime", "Factory", "posixrules"})
"""What the database of time zones holds beside them: the server's own, and a place left empty."""


def is_zone(name: object) -> TypeGuard[str]:
    """Return whether there is such a time zone, like Europe/Berlin, for a person to choose."""
    return isinstance(name, str) and name in available_timezones() - NO_PLACES


def start_of(period: str, zone: str) -> int:
    """Return when the current `day` or `month` began in the time zone, in milliseconds."""
    today = datetime.now(ZoneInfo(zone)).replace(hour=0, minute=0, second=0, microsecond=0)
    begin = today if period == "day" else today.replace(day=1)
    return int(begin.timestamp() * 1000)


def days_about(now: datetime) -> tuple[str, str]:
    """Return the days before and after `now`: it is one of them, or between, in every time zone."""
    today, one = now.astimezone(UTC).date(), timedelta(days=1)
    return (today - one).isoformat(), (today + one).isoformat()
