"""The thread that enters deeds of runs into the audit log, and sums of refused sign-ins."""

from __future__ import annotations

import logging
import threading
from typing import Final

from django.db import close_old_connections, connections

from builder.base.database_trouble import tell
from builder.services.audit import deeds
from builder.services.audit import sign_ins as sign_in_audit

ROUND_SECONDS: Final = 1.0
STOP_SECONDS: Final = 10

UNWRITTEN: Final = "the audit log could not be written; the next round follows"

log = logging.getLogger("graphwright.audit")


class Clerk:
    """Looks for deeds again and again until it is stopped; what is left waits for the next start."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="clerk", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End after one more round."""
        self._stopped.set()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        try:
            last = False
            while not last:
                last = self._stopped.wait(ROUND_SECONDS)
                for step in (deeds.enter_all, sign_in_audit.tell_refused):
                    try:
                        close_old_connections()
                        step()
                    except Exception as error:  # noqa: BLE001 - nobody would start the thread again
                        tell(log, UNWRITTEN, error)
        finally:
            connections.close_all()
