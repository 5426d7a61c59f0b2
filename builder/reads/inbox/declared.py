"""What a workflow declares of the fields that its items show, and in which currency they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

CURRENCY: Final = re.compile(r"[A-Z]{3}")
USUAL: Final = "USD"
"""The currency of money that names none."""


def declared(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schemas of memory and of Start fields, by the names under which items show them."""
    start = _properties((document.get("interface") or {}).get("inputs"))
    memory = _properties(document.get("state_schema"))
    return {**memory, **{f"input.{name}": schema for name, schema in start.items()}}


def currencies(schemas: Mapping[str, Any], shown: Iterable[str]) -> dict[str, str]:
    """Return the currency of each shown field that is money, by its name."""
    found = {name: currency_of(schemas.get(name)) for name in shown}
    return {name: unit for name, unit in found.items() if unit is not None}


def currency_of(schema: Any) -> str | None:
    """Return the currency of a field that is money; None for what is none."""
    if not isinstance(schema, Mapping):
        return None
    unit = schema.get("x-unit")
    if isinstance(unit, str) and CURRENCY.fullmatch(unit):
        return unit
    return USUAL if schema.get("format") == "money" else None


def _properties(schema: Any) -> Mapping[str, Any]:
    found = schema.get("properties") if isinstance(schema, Mapping) else None
    return found if isinstance(found, Mapping) else {}
