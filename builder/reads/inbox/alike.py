"""What an item of the inbox is like: how its step was decided lately, and others about the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from builder.base.item_card import alike_by, fields_of
from builder.models import Interrupt, InterruptCard, InterruptField, Membership
from builder.reads.inbox_items import Item, items_of

LATELY: Final = 200
"""Decided items of a step that are counted, the latest first."""
TOLD: Final = 5
OTHERS: Final = 50
"""Items about the same of which the first are told."""
SAID: Final = ("approved", "rejected")


@dataclass(frozen=True, slots=True)
class Others:
    """Items that show the same value; `shown` as it is written here."""

    field: str
    shown: Any
    count: int
    cards: Sequence[InterruptCard]


@dataclass(frozen=True, slots=True)
class Alike:
    """Of the step's latest decisions: how many, how many approved, the usual sum, the last ones.

    `amount` is the item's own sum, `last_approved` that of the last that was approved.
    """

    count: int
    approved: int
    median: float | None
    amount: float | None
    last_approved: float | None
    last: Sequence[InterruptCard]
    earlier: Sequence[InterruptCard]
    """What was decided in the same run before it, the latest first."""
    others: Sequence[Others]


def alike(member: Membership, row: Interrupt) -> Alike:
    """Return what an item is like, in a number of queries that does not grow with what was decided.

    An item that is over is compared only with what was decided before it.
    """
    [item] = items_of([row], member)
    card = InterruptCard.objects.filter(pk=row.pk).first()
    decided = _decided(card) if card is not None and card.step else []
    amounts = [one.amount for one in decided if one.amount is not None]
    approved = [one for one in decided if one.interrupt.outcome == "approved"]
    return Alike(
        len(decided),
        len(approved),
        median(amounts) if amounts else None,
        None if card is None else card.amount,
        next((one.amount for one in approved if one.amount is not None), None),
        decided[:TOLD],
        _earlier(row),
        [found for found in _others(item) if found.cards],
    )


def _decided(card: InterruptCard) -> list[InterruptCard]:
    rows = InterruptCard.objects.filter(step=card.step, decided_at__isnull=False)
    if card.decided_at is not None:
        rows = rows.filter(decided_at__lte=card.decided_at)
    latest = rows.exclude(pk=card.pk).select_related("interrupt").defer("words")
    found = latest.order_by("-decided_at")[:LATELY]
    return [one for one in found if one.interrupt.outcome in SAID]


def _earlier(row: Interrupt) -> list[InterruptCard]:
    rows = InterruptCard.objects.filter(interrupt__run=row.run, interrupt__outcome__in=SAID)
    if row.decided_at is not None:
        rows = rows.filter(decided_at__lte=row.decided_at)
    latest = rows.exclude(pk=row.pk).select_related("interrupt").defer("words")
    return list(latest.order_by("-decided_at", "-pk")[:TOLD])


def _others(item: Item) -> Iterable[Others]:
    request = item.request
    shown = request.get("data") or {}
    fields = fields_of(shown)
    for name in alike_by(request):
        if name in fields:
            ids = _same(item.row, name, fields[name][0])
            cards = InterruptCard.objects.filter(pk__in=ids[:TOLD]).select_related("interrupt")
            by_id = {card.pk: card for card in cards.defer("words")}
            told = [by_id[each] for each in ids[:TOLD] if each in by_id]
            yield Others(name, shown[name], len(ids), told)


def _same(row: Interrupt, name: str, text: str) -> list[str]:
    """Return the ids of items that show the same, the latest first and at most `OTHERS`."""
    rows = InterruptField.objects.filter(name=name, text=text)
    rows = rows.filter(interrupt__workspace=row.workspace_id).exclude(interrupt=row.pk)
    return list(rows.order_by("-id").values_list("interrupt_id", flat=True)[:OTHERS])
