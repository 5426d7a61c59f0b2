"""The thread that carries mail from the outbox: mail servers are slow, so nobody waits for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

from django.db import close_old_connections, connections

from builder.base.clock import now_ms
from builder.base.database_trouble import tell
from builder.services.mail import account_mail
from builder.services.mail import inbox_mail as mail

ROUND_SECONDS: Final = 5
STOP_SECONDS: Final = 30
TIDY_EVERY: Final = 720
"""Rounds between two looks at old letters: an hour."""

log = logging.getLogger("graphwright.mail")


class Postman:
    """Looks into the outbox again and again until it is stopped."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="postman", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End after the mail that is being sent; what is left goes out at the next start."""
        self._stopped.set()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        rounds = 0
        try:
            while not self._stopped.wait(ROUND_SECONDS):
                self._round(tidy=rounds % TIDY_EVERY == 0)
                rounds += 1
        finally:
            connections.close_all()

    def _round(self, *, tidy: bool) -> None:
        """Go once. What goes wrong in one step is told, and keeps neither the others nor the next round."""
        steps: list[Callable[[], object]] = [account_mail.deliver_due, mail.deliver_due]
        if tidy:
            steps.append(lambda: mail.forget_old(now_ms()))
        for step in steps:
            try:
                close_old_connections()
                step()
            except Exception as error:  # noqa: BLE001 - nobody would start the thread again
                tell(log, "the mail of this round stays where it is; the next round follows", error)
