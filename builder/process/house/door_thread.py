"""The thread that begins what doors took in and nobody started, and what is due by the clock."""

from __future__ import annotations

import logging
from typing import Final

from builder.doors.triggers import schedules, starting
from builder.process.rounds import Plan, Rounds, Step

ROUND_SECONDS: Final = 1
TIDY_EVERY: Final = 3600
"""Rounds between two looks at old deliveries: an hour."""


def door_thread() -> Rounds:
    """Return the thread, not yet started."""
    return Rounds(
        Plan(
            "doors",
            ROUND_SECONDS,
            _steps,
            logging.getLogger("graphwright.doors"),
            "what came in waits for the next round",
            stop_seconds=30,
        )
    )


def _steps(number: int) -> list[Step]:
    tidy: list[Step] = [starting.forget_old] if number % TIDY_EVERY == 0 else []
    return [schedules.fire_due, starting.begin_due, *tidy]
