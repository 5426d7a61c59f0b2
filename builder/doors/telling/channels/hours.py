"""When a notice is due: at once, at the full hour or at a time of the day, and never in quiet hours."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from builder.base.clock import HOUR_MS
from builder.models import Channel, NoticeRule

DAY_MINUTES: Final = 24 * 60
When = NoticeRule.When


def due_at(rule: NoticeRule, channel: Channel, now: int) -> int:
    """Return when what a rule tells now is sent, in milliseconds."""
    if channel.kind == Channel.Kind.WEBHOOK:
        return now
    due = now
    if rule.when == When.HOURLY:
        due = now - now % HOUR_MS + HOUR_MS
    elif rule.when == When.DAILY:
        due = _next(rule.at, channel.zone, now)
    return after_quiet(channel, due)


def after_quiet(channel: Channel, at: int) -> int:
    """Return the moment, or the end of the quiet hours in which it falls."""
    begin, end = channel.quiet_from, channel.quiet_to
    if begin is None or end is None or begin == end:
        return at
    here = datetime.fromtimestamp(at / 1000, ZoneInfo(channel.zone))
    minute = here.hour * 60 + here.minute
    over_midnight = begin > end
    quiet = (minute >= begin or minute < end) if over_midnight else begin <= minute < end
    return _next(end, channel.zone, at) if quiet else at


def _next(minute: int, zone: str, after: int) -> int:
    """Return the next time that clocks of the zone show that minute of a day."""
    here = datetime.fromtimestamp(after / 1000, ZoneInfo(zone))
    hours, minutes = divmod(minute, 60)
    found = here.replace(hour=hours, minute=minutes, second=0, microsecond=0, fold=0)
    if found.timestamp() * 1000 <= after:
        found += timedelta(days=1)
    return int(found.timestamp() * 1000)
