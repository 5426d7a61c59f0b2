"""Periods of budgets: days, weeks and months as a workspace's clock on the wall has them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

PERIODS: Final = ("day", "week", "month", "total")
SECOND_MS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Period:
    """One period: `starts_at` counts, `ends_at` no longer does (ms); both None for `total`.

    `name` sorts as time runs: `2026-11-22`, `2026-W47`, `2026-11`, `total`.
    """

    name: str
    starts_at: int | None = None
    ends_at: int | None = None

    def holds(self, at: int) -> bool:
        """Return whether the moment `at` (ms) falls into the period."""
        return (self.starts_at is None or self.starts_at <= at) and (
            self.ends_at is None or at < self.ends_at
        )

    def share(self, at: int) -> float | None:
        """Return how much of the period has passed at `at`, 0 to 1; None for `total`."""
        if self.starts_at is None or self.ends_at is None:
            return None
        return min(max((at - self.starts_at) / (self.ends_at - self.starts_at), 0.0), 1.0)


TOTAL: Final = Period("total")


def period_at(kind: str, zone: ZoneInfo, at: int) -> Period:
    """Return the period of `kind` (day, week, month, total) that the moment `at` (ms) falls into.

    Weeks begin on Monday. A day of a change of clocks has 23 or 25 hours.
    """
    if kind == "total":
        return TOTAL
    today = datetime.fromtimestamp(at / SECOND_MS, zone).replace(
        hour=0, minute=0, second=0, microsecond=0, tzinfo=None, fold=0
    )
    if kind == "day":
        first, after, name = today, today + timedelta(days=1), f"{today:%Y-%m-%d}"
    elif kind == "week":
        first = today - timedelta(days=today.weekday())
        year, week, _day = today.isocalendar()
        after, name = first + timedelta(days=7), f"{year}-W{week:02}"
    else:
        first = today.replace(day=1)
        after, name = (first + timedelta(days=32)).replace(day=1), f"{today:%Y-%m}"
    return Period(name, _ms(first, zone), _ms(after, zone))


def _ms(local: datetime, zone: ZoneInfo) -> int:
    """Return the moment at which the wall shows `local`; UTC arithmetic minds the clocks."""
    return int(local.replace(tzinfo=zone).astimezone(UTC).timestamp() * SECOND_MS)
