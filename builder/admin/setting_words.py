"""Settings in the audit log of Django admin as the app's own pages call them, with their units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final

COUNTED: Final = 10_000
"""Whole numbers from here on are shown with separators; those below may be a year or a place."""
LIMIT: Final = "at most "
"""What a limit begins with: it needs no label."""
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
}
"""What people call settings that are kept under another name."""


def said(name: str, value: object) -> str | None:
    """Return what a setting's value is in words; None where it is said as it is kept."""
    if isinstance(value, bool) or value is None:
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


def _counted(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


EACH: Final[Mapping[str, str]] = {"*": "every day", "1-5": "Monday to Friday"}
"""What the field of weekdays says without naming one day."""
SAID: Final[Mapping[str, Callable[[Any], str]]] = {
    "cron": lambda value: cron_words(str(value)),
    "missed": lambda value: MISSED.get(value, str(value)),
    "signature": lambda value: SIGNATURES.get(value, str(value)),
    "answer_s": _answers,
    "max_kib": lambda value: f"{LIMIT}{_counted(value)} KiB a call",
    "limit_tokens": lambda value: f"{LIMIT}{_many(value, 'token')}",
    "limit_usd": lambda value: f"{LIMIT}{Decimal(str(value)):,f} USD",
    "window_minutes": lambda value: _many(value, "minute"),
}
"""How values of settings are told, by the name that they are kept under."""
