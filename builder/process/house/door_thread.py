"""The thread that hands out what happened, begins what doors took in and nobody started, and what is
due by the clock.
"""

from __future__ import annotations

import logging
from typing import Final

from builder.doors.house import dispatch, waiting
from builder.doors.house.consumers import CONSUMERS
from builder.doors.triggers import schedules, starting
from builder.process.rounds import Plan, Rounds, Step

ROUND_SECONDS: Final = 1
WAITING_EVERY: Final = 15
"""Rounds between two looks at what waits for long, which is told of in minutes."""
TIDY_EVERY: Final = 3600
"""Rounds between two looks at what is old: an hour."""


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
    steps: list[Step] = [_hand_out, schedules.fire_due, starting.begin_due]
    if number % WAITING_EVERY == 0:
        steps.insert(0, _look_at_waiting)
    if number % TIDY_EVERY == 0:
        steps += [starting.forget_old, dispatch.forget_old]
    return steps


def _hand_out() -> None:
    dispatch.dispatch(CONSUMERS)


def _look_at_waiting() -> None:
    waiting.note_waiting(CONSUMERS)
