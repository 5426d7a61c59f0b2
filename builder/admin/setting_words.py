"""Settings in the audit log of Django admin as the app's own pages call them, with their units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Final

COUNTED: Final = 10_000
"""Whole numbers from here on are shown with separators; those below may be a year or a place."""
LIMITS: Final = frozenset({"max_kib", "limit_tokens", "limit_usd"})
"""Settings whose words say what they are: they need no label."""
MOST_DIGITS: Final = 15
MOST_PLACES: Final = -12
"""Sums are kept to a millionth of a millionth; written out, 1e-999999 would be a million letters."""
WEEKDAYS: Final = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MISSED: Final[Mapping[str, str]] = {
    "once": "start once for all of them",
    "skip": "leave them out",
    "all": "start once for each (the last 100)",
}
SIGNATURES: Final[Mapping[str, str]] = {
    "standard": "Standard Webhooks",
    "github": "GitHub",
    "stripe": "Stripe",
    "slack": "Slack",
    "custom": "another sender",
}
SECOND_NAMES: Final[Mapping[str, str]] = {
    "config": "settings",
    "number": "version",
    "cron": "due",
    "zone": "time zone",
    "missed": "times missed",
    "signature": "signed as",
    "answer_s": "answers",
    "window_minutes": "within",
    "what": "watches",
    "held_ms": "could be taken back for",
}
"""What people call settings that are kept under another name."""


def said(name: str, value: object) -> str | None:
    """Return what a setting's value is in words; None where it is said as it is kept.

    That is so of every value that no setting of that name has: the log keeps what it was given.
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    if words := SAID.get(name):
        return words(value)
    return f"{value:,}" if isinstance(value, int) and COUNTED <= value < 10**11 else None


def cron_words(cron: str) -> str:
    """Return when a cron line is due, as the page of triggers says it; of a strange one the line."""
    fields = cron.split()
    known = len(fields) == 5 and fields[3] == "*" and _number(fields[0], 59) is not None
    words = _common(fields) if known else None
    return words or f"by the cron line {cron.strip()}"


def _common(fields: list[str]) -> str | None:
    minute, hour, date, _month, days = fields
    if (hour, date, days) == ("*", "*", "*"):
        return f"every hour at minute {int(minute)}"
    if _number(hour, 23) is None:
        return None
    at = f"at {int(hour):02}:{int(minute):02}"
    if date != "*":
        common = days == "*" and (_number(date, 31) or 0) > 0
        return f"every month on day {int(date)} {at}" if common else None
    if days in EACH:
        return f"{EACH[days]} {at}"
    weekday = _number(days, 7)
    return None if weekday is None else f"every {WEEKDAYS[weekday % 7]} {at}"


def _number(field: str, most: int) -> int | None:
    """Return a field that is one number of at most two digits, None for all else."""
    plain = field.isascii() and field.isdecimal() and len(field) <= 2
    return int(field) if plain and int(field) <= most else None


def _answers(seconds: object) -> str:
    if not seconds:
        return "at once, without the result"
    return f"with the result, if it is there within {_many(seconds, 'second')}"


def _many(count: object, unit: str) -> str:
    return f"{_counted(count)} {unit}" + ("" if count == 1 else "s")


def _counted(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _at_most_usd(value: int | str) -> str | None:
    try:
        sum_usd = Decimal(value)
    except InvalidOperation:
        return None
    exponent = sum_usd.as_tuple().exponent  # a letter where it is no number
    if not isinstance(exponent, int) or exponent < MOST_PLACES or sum_usd.adjusted() > MOST_DIGITS:
        return None
    return f"at most {sum_usd:,f} USD"


EACH: Final[Mapping[str, str]] = {"*": "every day", "1-5": "Monday to Friday"}
"""What the field of weekdays says without naming one day."""
SAID: Final[Mapping[str, Callable[[int | str], str | None]]] = {
    "cron": lambda value: cron_words(str(value)),
    "missed": lambda value: MISSED.get(str(value)),
    "signature": lambda value: SIGNATURES.get(str(value)),
    "answer_s": _answers,
    "max_kib": lambda value: f"at most {_counted(value)} KiB a call",
    "limit_tokens": lambda value: f"at most {_many(value, 'token')}",
    "limit_usd": _at_most_usd,
    "window_minutes": lambda value: _many(value, "minute"),
    "held_ms": lambda value: f"{value / 1000:,.1f} s" if isinstance(value, int) else None,
}
"""How values of settings are told, by the name that they are kept under."""
