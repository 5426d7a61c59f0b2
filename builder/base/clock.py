"""The present in the milliseconds that rows and events count in, and where days begin."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from django.utils import timezone

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS


def now_ms() -> int:
    """Return the present in milliseconds since the epoch."""
    return int(timezone.now().timestamp() * 1000)


def start_of(period: str, zone: str) -> int:
    """Return when the current `day` or `month` began in the time zone, in milliseconds."""
    today = datetime.now(ZoneInfo(zone)).replace(hour=0, minute=0, second=0, microsecond=0)
    begin = today if period == "day" else today.replace(day=1)
    return int(begin.timestamp() * 1000)
