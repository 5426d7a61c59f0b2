"""The thread that enters into the audit log what people did in runs, causes of failures that runs
opened again, and sums of refused sign-ins.
"""

from __future__ import annotations

import logging
from typing import Final

from builder.process.rounds import Plan, Rounds, Step
from builder.services.audit import refused_sign_ins, run_actions
from builder.services.runs import causes

ROUND_SECONDS: Final = 1.0
SUMS_EVERY: Final = 30
"""Rounds between two looks at what is summed by the hour."""


def audit_thread() -> Rounds:
    """Return the thread, not yet started."""
    return Rounds(
        Plan(
            "audit",
            ROUND_SECONDS,
            _steps,
            logging.getLogger("graphwright.audit"),
            "the audit log could not be written; the next round follows",
            last_round=True,
        )
    )


def _steps(number: int) -> list[Step]:
    steps: list[Step] = [run_actions.enter_all, causes.tell_reopened]
    return [*steps, refused_sign_ins.tell_refused] if number % SUMS_EVERY == 0 else steps
