"""Sums in the message of an item, spelled as its fields are: `12.5 EUR` reads `12.50 EUR`.

The page does the same (`frontend/src/features/inbox/sums/spelled.ts`); `tests/fixtures/spelled`
holds both to one reading.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from builder.reads.inbox.declared import USUAL

NUMBER: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?")
INSIDE_BEFORE: Final = re.compile(r"[A-Za-z0-9_.,+-]\Z")
INSIDE_AFTER: Final = re.compile(r"[A-Za-z_]|[.,][0-9]|\s?%")
UNIT_BEFORE: Final = re.compile(r"(?:[€$£¥]|\b[A-Z]{3}) ?\Z")
UNIT_AFTER: Final = re.compile(r" ?(?:[€$£¥]|[A-Z]{3}\b)")
NEAR: Final = 5
"""Characters around a number that are looked at."""
CURRENCY: Final = re.compile(r"[A-Z]{3}")
SUMS: Final = frozenset(["amount", "total", "sum", "price", "cost", "fee", "usd", "eur"])
"""Words in a field's name that say that it is a sum."""
DIGITS: Final[Mapping[str, int]] = {
    **dict.fromkeys(
        [
            "BIF",
            "CLP",
            "DJF",
            "GNF",
            "ISK",
            "JPY",
            "KMF",
            "KRW",
            "PYG",
            "RWF",
            "UGX",
            "VND",
            "VUV",
            "XAF",
            "XOF",
            "XPF",
        ],
        0,
    ),
    **dict.fromkeys(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], 3),
}
"""Decimals of the currencies that have not two."""


def with_sums(text: str, request: Mapping[str, Any], *, with_units: bool = False) -> str:
    """Return a message with the sums of its item as the item shows them; numbers are never rounded.

    `with_units`: a sum that stands there without its currency gets it.
    """
    sums = _sums_of(request)

    def spelled(found: re.Match[str]) -> str:
        token, start, end = found[0], found.start(), found.end()
        before, after = text[max(0, start - NEAR) : start], text[end : end + NEAR]
        said = sums.get(float(token))
        if said is None or INSIDE_BEFORE.search(before) or INSIDE_AFTER.match(after):
            return token
        beside = UNIT_BEFORE.search(before) or UNIT_AFTER.match(after)
        if with_units and "." in token and not beside:
            return _in_currency(*said)
        return said[0] if "." in token or beside else token

    return NUMBER.sub(spelled, text) if sums else text


def _sums_of(request: Mapping[str, Any]) -> dict[float, tuple[str, str]]:
    """Return the sums of an item, each as it is read, and its currency where one is known."""
    data, schema = request.get("data"), request.get("edit_schema")
    fields = schema.get("properties") if isinstance(schema, Mapping) else None
    found: dict[float, tuple[str, str]] = {}
    for name, value in data.items() if isinstance(data, Mapping) else ():
        field = fields.get(name) if isinstance(fields, Mapping) else None
        said = field if isinstance(field, Mapping) else {}
        if _is_number(value) and (is_money(said) or _is_sum(name, said)):
            unit = _unit(said) or USUAL if is_money(said) else ""
            found[float(value)] = (_plain(value, said), unit)
    return found


def priced(value: Any, field: Mapping[str, Any]) -> str | None:
    """Return the value of a field that is money with its currency, None of what is no number.

    A field that names no currency is in dollars, as on the page.
    """
    if not _is_number(value):
        return None
    sign = "-" if value < 0 else ""
    return sign + _in_currency(_plain(abs(value), field), _unit(field) or USUAL)


def _in_currency(said: str, unit: str) -> str:
    if not unit:
        return said
    return f"${said}" if unit == USUAL else f"{said} {unit}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15


def _unit(field: Mapping[str, Any]) -> str:
    unit = field.get("x-unit")
    return unit if isinstance(unit, str) and CURRENCY.fullmatch(unit) else ""


def is_money(field: Mapping[str, Any]) -> bool:
    """Return whether a field is declared as money."""
    return field.get("format") == "money" or bool(_unit(field))


def _is_sum(name: str, field: Mapping[str, Any]) -> bool:
    words = re.split(r"[^a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())
    return field.get("type") != "integer" and not SUMS.isdisjoint(words)


def _plain(value: float, field: Mapping[str, Any]) -> str:
    exact = Decimal(f"{value:.6f}").normalize()  # what adding floats left behind is no amount
    places = max(DIGITS.get(_unit(field), 2), -int(exact.as_tuple().exponent))
    return f"{exact:,.{places}f}"
