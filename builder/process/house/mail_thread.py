"""The thread that carries mail from the outbox: mail servers are slow, so nobody waits for it."""

from __future__ import annotations

import logging
from typing import Final

from builder.base.clock import now_ms
from builder.process.rounds import Plan, Rounds, Step
from builder.services.mail import (
    account_mail,
    alert_mail,
    comment_mail,
    inbox_mail,
    trigger_mail,
)

ROUND_SECONDS: Final = 5
STOP_SECONDS: Final = 30
TIDY_EVERY: Final = 720
"""Rounds between two looks at old letters: an hour."""


def mail_thread() -> Rounds:
    """Return the thread, not yet started."""
    return Rounds(
        Plan(
            "mail",
            ROUND_SECONDS,
            _steps,
            logging.getLogger("graphwright.mail"),
            "the mail of this round stays where it is; the next round follows",
            stop_seconds=STOP_SECONDS,
        )
    )


def _steps(number: int) -> list[Step]:
    letters = (account_mail, alert_mail, comment_mail, trigger_mail, inbox_mail)
    steps: list[Step] = [each.deliver_due for each in letters]
    if number % TIDY_EVERY == 0:
        steps.append(lambda: inbox_mail.forget_old(now_ms()))
    return steps
