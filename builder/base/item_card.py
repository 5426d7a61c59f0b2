"""What the inbox sorts and searches by, out of what an interrupt asks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from builder.base.run_text import split, words_of

MAX_TITLE: Final = 300
SUMS: Final = ("amount", "total", "sum", "price", "cost", "fee", "value", "usd", "eur")
"""Words in the name of a field that say that it is a sum; earlier ones count more."""
WHO: Final = frozenset(
    [
        "customer",
        "client",
        "name",
        "email",
        "mail",
        "account",
        "supplier",
        "vendor",
        "company",
        "applicant",
        "candidate",
        "employee",
        "user",
        "person",
        "payee",
        "recipient",
        "iban",
    ]
)
"""Words in the name of a field that say that it names somebody."""
MAX_FIELDS: Final = 12
MAX_SHORT: Final = 100


def title_of(request: Mapping[str, Any], node: str) -> str:
    """Return what an item asks, in the length of its column."""
    text = request.get("prompt") or request.get("question") or node
    return str(text)[:MAX_TITLE]


def amount_of(data: Any) -> float | None:
    """Return the sum that reviewed values are about: that called so, else the only number."""
    found = named_amount(data)
    return None if found is None else found[1]


def named_amount(data: Any) -> tuple[str, float] | None:
    """Return the sum that reviewed values are about, after the name of its field."""
    if not isinstance(data, Mapping):
        return None
    numbers = {
        name: found for name, value in data.items() if (found := number_in(value)) is not None
    }
    words = {name: set(split(str(name).replace("_", " "))) for name in numbers}
    for sought in SUMS:
        for name, found in numbers.items():
            if sought in words[name]:
                return name, found
    plain = [name for name in numbers if not isinstance(data[name], str)]
    return (plain[0], numbers[plain[0]]) if len(plain) == 1 else None


def words_in(request: Mapping[str, Any], node: str, run_title: str = "") -> str:
    """Return the words of an item and of its run's title, each between spaces."""
    shown = [request.get(name) for name in ("prompt", "question", "data", "tool", "url")]
    return f" {words_of(node, run_title, *shown)} "


def rules_of(request: Mapping[str, Any]) -> str:
    """Return the four-eyes rules of an item, with commas between."""
    policy = request.get("policy")
    rules = policy.get("four_eyes") if isinstance(policy, Mapping) else None
    return ",".join(str(rule) for rule in rules or ())[:64]


def risk_of(request: Mapping[str, Any]) -> float | None:
    """Return the risk that the workflow gives an item, 0 to 100; None where it says none."""
    said = number_in(request.get("risk"))
    return None if said is None else min(max(said, 0.0), 100.0)


def fields_of(data: Any) -> dict[str, tuple[str, float | None]]:
    """Return the short values that an item shows, by name: as text in small letters, as a number.

    Longer texts, lists and objects are left out, and what comes after `MAX_FIELDS`.
    """
    if not isinstance(data, Mapping):
        return {}
    found: dict[str, tuple[str, float | None]] = {}
    for name, value in data.items():
        if len(found) == MAX_FIELDS:
            break
        text = _short(value)
        if text and len(name) <= MAX_SHORT:
            found[name] = (text, number_in(value))
    return found


def alike_by(request: Mapping[str, Any]) -> list[str]:
    """Return the fields by which items are alike: as the workflow says, else those that name somebody."""
    said = request.get("alike_by")
    if said:
        return [str(name) for name in said]
    data = request.get("data")
    names = list(data) if isinstance(data, Mapping) else []
    words = {name: set(split(str(name).replace("_", " "))) for name in names}
    return [name for name in names if not words[name].isdisjoint(WHO)]


def number_in(value: Any) -> float | None:
    """Return a number, or one that is written in digits, as a number; None for all else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and (len(value) > 20 or not value.replace(".", "", 1).isdecimal()):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def _short(value: Any) -> str:
    if isinstance(value, bool | int | float | str):
        text = str(value).strip().lower().replace("\0", "")
        return text if len(text) <= MAX_SHORT else ""
    return ""
