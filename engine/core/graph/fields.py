"""The kinds of fields that documents and configs are made of."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Final, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, WithJsonSchema

from engine.core.graph.problems import refusal
from engine.core.values.json import freeze

START: Final = "__start__"
END: Final = "__end__"
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,127}\Z")


def _check_id(value: str) -> str:
    if not _ID.match(value):
        reserved = " The reserved ends cannot be ids." if value in (START, END) else ""
        raise refusal(
            "InvalidId",
            f'"{value[:80]}" is no id: start with a letter, then letters, digits, "_" or "-",'
            f" 128 characters at most.{reserved}",
        )
    return value


def _check_source(value: str) -> str:
    return value if value == START else _check_id(value)


def _check_target(value: str) -> str:
    return value if value == END else _check_id(value)


def _money(value: object) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, (str, int, float, Decimal)):
        raise ValueError("an amount of USD as text or number")
    try:
        amount = Decimal(str(value).strip())
    except InvalidOperation:
        raise ValueError("an amount of USD as text or number") from None
    if not amount.is_finite() or amount < 0 or amount > 10**12:
        raise ValueError("an amount of USD from 0 to 10^12")
    if -int(amount.as_tuple().exponent) > 18:
        raise ValueError("an amount of USD with 18 decimals at most")
    return amount


def money_text(amount: Decimal) -> str:
    """Return an amount as decimal text without exponent, digits as they were given."""
    return format(amount, "f")


Id: TypeAlias = Annotated[str, AfterValidator(_check_id)]
Source: TypeAlias = Annotated[str, AfterValidator(_check_source)]
Target: TypeAlias = Annotated[str, AfterValidator(_check_target)]
Key: TypeAlias = Annotated[str, Field(min_length=1, max_length=256)]
JsonMap: TypeAlias = Annotated[dict[str, Any], AfterValidator(freeze)]
Milliseconds: TypeAlias = Annotated[int, Field(ge=0, le=366 * 86_400_000)]
Money: TypeAlias = Annotated[
    Decimal,
    BeforeValidator(_money),
    PlainSerializer(money_text, return_type=str),
    WithJsonSchema({"type": "string", "x-widget": "money"}),
]
