"""The thread that carries notices to channels, and tells whom nobody told: receivers are slow, so nobody waits for it."""

from __future__ import annotations

import logging
from typing import Final

from builder.doors.telling.carrying import carrier
from builder.process.rounds import Plan, Rounds, Step
from builder.services.people.commenting import promised

ROUND_SECONDS: Final = 1
PROMISED_EVERY: Final = 15
"""Rounds between two looks for people whom a process should have told that ended before."""
TIDY_EVERY: Final = 3600
"""Rounds between two looks at old notices: an hour."""


def telling_thread() -> Rounds:
    """Return the thread, not yet started."""
    return Rounds(
        Plan(
            "telling",
            ROUND_SECONDS,
            _steps,
            logging.getLogger("graphwright.doors"),
            "the notices of this round stay where they are; the next round follows",
            stop_seconds=30,
        )
    )


def _steps(number: int) -> list[Step]:
    tidy: list[Step] = [carrier.forget_old] if number % TIDY_EVERY == 0 else []
    left: list[Step] = [promised.keep_due] if number % PROMISED_EVERY == 0 else []
    return [carrier.carry, *left, *tidy]
