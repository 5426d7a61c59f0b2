"""Decisions that can still be taken back, beside a page of items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from builder.models import HeldDecision, User
from builder.models.prepared import Prepared, each_of

TOLD: Final = ("held", "sending", "refused")
"""States of a held decision that its person is told of."""


@dataclass(frozen=True, slots=True)
class Held:
    """By item: what the viewer holds, or was refused, and who else holds a decision."""

    mine: Mapping[str, HeldDecision]
    others: Mapping[str, Sequence[User]]


HELD: Final = Prepared(
    lambda keys: (
        HeldDecision.objects.filter(interrupt__in=each_of(keys), state__in=TOLD)
        .select_related("user")
        .order_by("pk")
    )
)


def held_at(keys: str, user_id: str) -> Held:
    """Return what is held of these items, a JSON array; of others only that they decide, not how."""
    mine: dict[str, HeldDecision] = {}
    others: dict[str, list[User]] = defaultdict(list)
    for one in HELD.all(keys):
        if one.user_id == user_id:
            mine[one.interrupt_id] = one
        elif one.state != HeldDecision.State.REFUSED:
            others[one.interrupt_id].append(one.user)
    return Held(mine, dict(others))
