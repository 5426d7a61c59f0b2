"""Prices that a workspace set itself, each from a day on."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from engine.integrations.models.chat import Price


class OwnPrice(NamedTuple):
    """The price of the models of `provider` whose names fit `pattern`, from `from_date` on.

    In a pattern `*` stands for any characters, or none.
    """

    provider: str
    pattern: str
    from_date: date
    price: Price


def own_price(prices: Iterable[OwnPrice], model: str, day: date) -> Price | None:
    """Return what the model `provider/name` costs on a day, None where no line holds.

    Of the lines that have begun and fit, the one that says most counts: a whole name before a
    pattern, of patterns the one with most characters; among equals the one that began last.
    """
    provider, _, name = model.partition("/")
    best: OwnPrice | None = None
    for line in prices:
        holds = line.provider == provider and line.from_date <= day
        if holds and fits(line.pattern, name) and (best is None or _rank(line) > _rank(best)):
            best = line
    return None if best is None else best.price


def _rank(line: OwnPrice) -> tuple[bool, int, str, date]:
    said = len(line.pattern) - line.pattern.count("*")
    return "*" not in line.pattern, said, line.pattern, line.from_date


def fits(pattern: str, name: str) -> bool:
    """Return whether a name fits; each part between two stars is looked for once."""
    first, *rest = pattern.split("*")
    if not rest:
        return pattern == name
    last = rest.pop()
    if len(name) < len(first) + len(last) or not name.startswith(first) or not name.endswith(last):
        return False
    at, end = len(first), len(name) - len(last)
    for part in rest:
        found = name.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True
