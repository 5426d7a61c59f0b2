"""Which events rules may ask for, and what each is about."""

from __future__ import annotations

from typing import Final

from builder.base.errors import InvalidInput
from builder.models import Channel
from builder.models.doors.house_kinds import ITEM_WAITING, KINDS

TOLD: Final = KINDS
"""All that may be told."""
LONGEST_WAIT: Final = 30 * 24 * 60
"""Minutes after which somebody may ask to be told that an item waits."""
WAITS: Final = frozenset(
    kind
    for kind in TOLD
    if kind.endswith(".opened") or kind in ("item.reminded", "item.escalated", ITEM_WAITING)
)
"""Where somebody is asked for something: told while it is open, and of a person's own channels only to
who may do it."""
RUNS: Final = frozenset(kind for kind in TOLD if kind.startswith("run."))


def check_minutes(kinds: list[str], minutes: int | None) -> int | None:
    """Return after how long it is told that an item waits. Raises `InvalidInput` with the place."""
    if ITEM_WAITING not in kinds:
        return None
    if minutes is None or not 1 <= minutes <= LONGEST_WAIT:
        raise InvalidInput(f"1 to {LONGEST_WAIT}", path="minutes")
    return minutes


def check(kinds: list[str], channel: Channel) -> list[str]:
    """Return the kinds in their order, each once. Raises `InvalidInput` with the place."""
    strange = [kind for kind in kinds if kind not in TOLD]
    if strange or not kinds:
        raise InvalidInput(f"some of {', '.join(TOLD)}", path="kinds")
    if channel.user_id and channel.kind == Channel.Kind.MAIL and WAITS & set(kinds):
        raise InvalidInput(
            "mail about what waits for you is chosen by itself: PATCH notifications/", path="kinds"
        )
    return [kind for kind in TOLD if kind in kinds]
