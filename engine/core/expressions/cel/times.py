"""Instants and durations as text."""

from __future__ import annotations

import datetime as dt

from engine.core.expressions.cel.failures import ExpressionFailed


def moment_text(value: dt.datetime) -> str:
    """Return an instant as RFC 3339 text in UTC, with `Z`."""
    text = value.astimezone(dt.UTC).isoformat()
    return text.replace("+00:00", "Z")


def instant_text(value: object) -> str:
    """Return the scope's `now` as RFC 3339 text; raises `ExpressionFailed` for what is no instant.

    Taken are RFC 3339 text, milliseconds since 1970, and a datetime with a time zone.
    """
    try:
        if isinstance(value, (int, float)):
            moment = dt.datetime.fromtimestamp(value / 1000, dt.UTC)
        elif isinstance(value, dt.datetime):
            moment = value
        else:
            moment = dt.datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError) as refused:
        raise ExpressionFailed(f"{value!r} is no time for now()") from refused
    if moment.tzinfo is None:
        raise ExpressionFailed("the time for now() needs a time zone")
    return moment_text(moment)


def duration_text(value: dt.timedelta) -> str:
    """Return a duration as the language writes it: seconds with `s`, such as `90s` or `0.5s`."""
    whole, micros = divmod(round(value.total_seconds() * 1_000_000), 1_000_000)
    if whole < 0 and micros:  # divmod rounds down: -0.5 s is -1 s and 500,000 µs
        whole, micros = whole + 1, 1_000_000 - micros
        sign = "-" if whole == 0 else ""
        return f"{sign}{whole}.{micros:06d}".rstrip("0") + "s"
    return f"{whole}.{micros:06d}".rstrip("0").rstrip(".") + "s"
