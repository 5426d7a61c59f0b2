"""The thread that works through bulk jobs; what a dead process left is gone on with at the start."""

from __future__ import annotations

import logging
from typing import Final

from builder.process.rounds import Plan, Rounds, Step
from builder.services.runs.bulk import work

ROUND_SECONDS: Final = 0.3


def bulk_thread() -> Rounds:
    """Return the thread, not yet started."""
    return Rounds(
        Plan(
            "bulk",
            ROUND_SECONDS,
            _steps,
            logging.getLogger("graphwright.bulk"),
            "a bulk job stands still; the next round follows",
        )
    )


def _steps(_number: int) -> list[Step]:
    return [work.work_due]
