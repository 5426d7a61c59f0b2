"""Which events rules may ask for, and what each is about."""

from __future__ import annotations

from typing import Final

from builder.base.errors import InvalidInput
from builder.models import Channel
from builder.models.doors.house_kinds import ITEM_WAITING, KINDS

TOLD: Final = tuple(kind for kind in KINDS if kind != ITEM_WAITING)
"""All that may be told; what waits for a number of minutes is asked for by triggers."""
WAITS: Final = frozenset(
    kind for kind in TOLD if kind.endswith(".opened") or kind in ("item.reminded", "item.escalated")
)
"""Where somebody is asked for something: told while it is open, and of a person's own channels only to
who may do it."""
RUNS: Final = frozenset(kind for kind in TOLD if kind.startswith("run."))


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
