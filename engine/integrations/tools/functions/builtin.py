"""Tools that every installation has. None of them changes anything."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field

from engine.core.effects import EffectClass
from engine.core.errors import NodeError
from engine.core.expressions.cel import ExpressionInvalid, compile_expression
from engine.core.expressions.jsonpath import compile_path
from engine.integrations.tools.functions.registry import tool
from engine.integrations.tools.sources import not_retryable

_ARITHMETIC = re.compile(r"[\w\s.+\-*/%()<>=!&|?:]*")
_INTEGER = re.compile(r"(?<![\w.])\d+(?![\w.])")
_EXACT = 2**53
"""Whole numbers up to here survive as floating-point numbers."""


@tool(effect_class=EffectClass.READ)
def calculate(
    expression: Annotated[
        str, Field(description='Such as "price * 1.19" or "(3 + 4) / 2"; no functions.')
    ],
    values: Annotated[
        dict[str, int | float] | None,
        Field(description='What the names stand for, such as {"price": 20}.'),
    ] = None,
) -> bool | int | float:
    """Work out an arithmetic expression instead of estimating it.

    Operators: + - * / %, comparisons, && || !, ?: and parentheses. % takes whole numbers, and
    beside it / divides to whole numbers.
    """
    if not _ARITHMETIC.fullmatch(expression):
        raise not_retryable(
            "expression: only numbers, names, operators and parentheses are allowed"
        )
    scope: dict[str, Any] = dict(values or {})
    if "/" in expression and "%" not in expression:
        # The language divides whole numbers to whole numbers: 7 / 2 would be 3.
        expression = _INTEGER.sub(r"\g<0>.0", expression)
        scope = {name: float(value) for name, value in scope.items()}
    try:
        result = compile_expression(expression, scope).evaluate(scope)
    except (ExpressionInvalid, NodeError) as error:
        raise not_retryable(f"expression: {error.message}") from error
    if not isinstance(result, bool | int | float):
        raise not_retryable(f"expression: gives {result!r}, which is no number")
    return int(result) if type(result) is float and _whole(result) else result


def _whole(number: float) -> bool:
    return number.is_integer() and abs(number) < _EXACT


@tool(effect_class=EffectClass.READ)
def current_time(
    timezone: Annotated[
        str, Field(description='Of the tz database, such as "Europe/Berlin".')
    ] = "UTC",
) -> dict[str, str]:
    """Say what time it is: the instant, and date, time and weekday in a time zone."""
    try:
        zone = UTC if timezone == "UTC" else ZoneInfo(timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise not_retryable(
            f"timezone: {timezone!r} is unknown; use names like 'Europe/Berlin'"
        ) from error
    now = datetime.now(zone)
    return {
        "iso": now.isoformat(timespec="seconds"),
        "utc": now.astimezone(UTC).isoformat(timespec="seconds"),
        "date": now.date().isoformat(),
        "time": now.strftime("%H:%M:%S"),
        "weekday": _WEEKDAYS[now.weekday()],
        "timezone": timezone,
    }


@tool(effect_class=EffectClass.READ)
def pick_json(
    value: Annotated[Any, Field(description="The JSON to look into.")],
    path: Annotated[str, Field(description='JSONPath, such as "$.items[*].price".')],
    take: Annotated[
        Literal["all", "first"], Field(description="Every match as a list, or the first one.")
    ] = "all",
) -> Any:
    """Pick parts out of a large JSON value by a path."""
    try:
        compiled = compile_path(path)
        return compiled.all(value) if take == "all" else compiled.first(value)
    except (ExpressionInvalid, NodeError) as error:
        raise not_retryable(f"path: {error.message}") from error


_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
