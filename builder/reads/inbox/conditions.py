"""Conditions on the values that items show: `amount:more:100`, one a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef, Q

from builder.base.item_card import MAX_SHORT, number_in
from builder.models import InterruptField
from builder.models.querysets import InterruptQuerySet

OPERATORS: Final = ("is", "contains", "more", "less")
MOST: Final = 5
LONGEST: Final = 700
"""Of all conditions together, in characters."""


class ConditionUnread(ValueError):
    """A line that says no condition; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a field must show: that text, a part of it, more or less than that number."""

    name: str
    operator: str
    value: str

    @property
    def asked(self) -> Q:
        """What a row of the field must be."""
        text, number = self.value.lower(), _number(self.value)
        if self.operator == "contains":
            return Q(text__contains=text)
        if self.operator == "is":
            return Q(text=text) if number is None else Q(text=text) | Q(number=number)
        return Q(number__gt=number) if self.operator == "more" else Q(number__lt=number)


def conditions_in(text: str) -> list[Condition]:
    """Return the conditions of a text. Raises `ConditionUnread`."""
    if len(text) > LONGEST:
        raise ConditionUnread(f"at most {LONGEST} characters")
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > MOST:
        raise ConditionUnread(f"at most {MOST} conditions")
    return [_read(line) for line in lines]


def showing_all(rows: InterruptQuerySet, conditions: list[Condition]) -> InterruptQuerySet:
    """Return the items that meet every condition: one look into an index for each item and condition."""
    for one in conditions:
        fields = InterruptField.objects.filter(interrupt=OuterRef("pk"), name=one.name)
        rows = rows.filter(Exists(fields.filter(one.asked)))
    return rows


def _number(text: str) -> float | None:
    """Return what is written in digits, with a minus before them where it is less than nothing."""
    found = number_in(text.removeprefix("-"))
    return -found if found is not None and text.startswith("-") else found


def _read(line: str) -> Condition:
    name, _, rest = line.partition(":")
    operator, colon, value = rest.partition(":")
    value = value.strip()
    if not (name and colon and value) or operator not in OPERATORS:
        known = ", ".join(OPERATORS)
        raise ConditionUnread(f"field:how:value, where how is one of {known}")
    if len(value) > MAX_SHORT:
        raise ConditionUnread(f"a value of at most {MAX_SHORT} characters")
    if operator in ("more", "less") and _number(value) is None:
        raise ConditionUnread(f"a number after {name}:{operator}:")
    return Condition(name, operator, value)
