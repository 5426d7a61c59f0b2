"""What people did around a page of interrupts: read by queries whose SQL is made once."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count
from django.utils import timezone

from builder.models import (
    Claim,
    Comment,
    Decision,
    Delegation,
    Interrupt,
    InterruptCard,
    Lapse,
    Snooze,
)
from builder.models.prepared import Prepared, each_of
from builder.reads.inbox.held import Held, held_at

CLAIMS: Final = Prepared(
    lambda keys: Claim.objects.filter(interrupt__in=each_of(keys)).select_related("user")
)
SNOOZES: Final = Prepared(
    lambda keys, user: Snooze.objects.filter(interrupt__in=each_of(keys), user=user)
)
DELEGATIONS: Final = Prepared(
    lambda keys: (
        Delegation.objects.filter(interrupt__in=each_of(keys))
        .select_related("by", "to")
        .order_by("at", "pk")
    )
)
COMMENTS: Final = Prepared(
    lambda keys: (
        Comment.objects.filter(interrupt__in=each_of(keys))
        .order_by()
        .values("interrupt")
        .annotate(n=Count("pk"))
        .values_list("interrupt", "n")
    )
)
DECISIONS: Final = Prepared(
    lambda keys: Decision.objects.filter(interrupt__in=each_of(keys)).order_by("seq")
)
CARDS: Final = Prepared(
    lambda keys: InterruptCard.objects.filter(pk__in=each_of(keys)).defer("words")
)


@dataclass(frozen=True, slots=True)
class Beside:
    """What people did around a page of interrupts, by interrupt."""

    claims: Mapping[str, Claim]
    snoozes: Mapping[str, Snooze]
    delegations: Mapping[str, Delegation]
    comments: Mapping[str, int]
    lapses: Mapping[str, Lapse]
    held: Held
    decisions: Mapping[str, Sequence[Decision]]
    cards: Mapping[str, InterruptCard]

    @classmethod
    def of(cls, rows: Sequence[Interrupt], user_id: str) -> Beside:
        """Read it, as one person has it."""
        keys, now = json.dumps([row.pk for row in rows]), timezone.now()
        edited = [row.pk for row in rows if row.edited_seq is not None]
        lapses = Lapse.objects.filter(interrupt__in=edited, decided_by=user_id)
        return cls(
            {claim.interrupt_id: claim for claim in CLAIMS.all(keys)},
            {one.interrupt_id: one for one in SNOOZES.all(keys, user_id) if one.until > now},
            {one.interrupt_id: one for one in DELEGATIONS.all(keys)},
            dict(COMMENTS.tuples(keys)),
            {one.interrupt_id: one for one in (lapses if edited else ())},
            held_at(keys, user_id),
            _grouped(DECISIONS.all(keys)),
            {card.pk: card for card in CARDS.all(keys)},
        )


def _grouped(decisions: Iterable[Decision]) -> dict[str, list[Decision]]:
    found: dict[str, list[Decision]] = defaultdict(list)
    for one in decisions:
        found[one.interrupt_id].append(one)
    return dict(found)
