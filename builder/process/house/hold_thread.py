"""The thread that sends decisions once nobody can take them back, and publishes what they approve."""

from __future__ import annotations

import logging
from typing import Final

from builder.process.rounds import Plan, Rounds, Step
from builder.services.graphs.publishing import settling
from builder.services.runs.deciding import holds

ROUND_SECONDS: Final = 0.5
STOP_SECONDS: Final = 30


def hold_thread() -> Rounds:
    """Return the thread, not yet started."""
    return Rounds(
        Plan(
            "holds",
            ROUND_SECONDS,
            _steps,
            logging.getLogger("graphwright.holds"),
            "the decisions of this round wait for the next one",
            stop_seconds=STOP_SECONDS,
        )
    )


def _steps(_number: int) -> list[Step]:
    return [holds.commit_due, settling.settle_due]
