"""Decisions that can still be taken back, beside a page of items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from builder.models import HeldDecision, User

TOLD: Final = ("held", "sending", "refused")
"""States of a held decision that its person is told of."""


@dataclass(frozen=True, slots=True)
class Held:
    """By item: what the viewer holds, or was refused, and who else holds a decision."""

    mine: Mapping[str, HeldDecision]
    others: Mapping[str, Sequence[User]]


def held_at(keys: Sequence[str], user_id: str) -> Held:
    """Return what is held of these items; of others only that they decide, not how."""
    rows = HeldDecision.objects.filter(interrupt__in=keys, state__in=TOLD)
    mine: dict[str, HeldDecision] = {}
    others: dict[str, list[User]] = defaultdict(list)
    for one in rows.select_related("user").order_by("pk"):
        if one.user_id == user_id:
            mine[one.interrupt_id] = one
        elif one.state != HeldDecision.State.REFUSED:
            others[one.interrupt_id].append(one.user)
    return Held(mine, dict(others))
