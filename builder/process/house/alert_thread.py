"""The thread that looks at alert rules."""

from __future__ import annotations

import logging
from typing import Final

from builder.process.rounds import Plan, Rounds, Step
from builder.services.runs.alerts import watch

ROUND_SECONDS: Final = 10


def alert_thread() -> Rounds:
    """Return the thread, not yet started."""
    return Rounds(
        Plan(
            "alerts",
            ROUND_SECONDS,
            _steps,
            logging.getLogger("graphwright.alerts"),
            "alerts were not looked at; the next round follows",
        )
    )


def _steps(_number: int) -> list[Step]:
    return [watch.look_at_all]
