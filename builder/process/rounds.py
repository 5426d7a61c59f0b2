"""A thread that does the same few steps again and again, whatever happens in one of them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from django.db import close_old_connections, connections

from builder.base.database_trouble import tell

Step: TypeAlias = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a thread does: `steps` gives those of a round by its number, from 0 on."""

    name: str
    seconds: float
    """Between two rounds."""
    steps: Callable[[int], Iterable[Step]]
    log: logging.Logger
    sorry: str
    """What the log says when a step failed."""
    last_round: bool = False
    """Whether what came in until the stop is done before it ends."""
    stop_seconds: float = 10
    """How long a stop waits for the step under way."""


class Rounds:
    """Goes its rounds from `start` to `stop`; what is left waits for the next start."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=plan.name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End after the step under way, or after one more round where the plan says so."""
        self._stopped.set()
        self._thread.join(self._plan.stop_seconds)

    def _run(self) -> None:
        number = 0
        try:
            while not self._stopped.wait(self._plan.seconds):
                self._round(number)
                number += 1
            if self._plan.last_round:
                self._round(number)
        finally:
            connections.close_all()

    def _round(self, number: int) -> None:
        """Go once; a step that fails keeps neither the others nor the next round."""
        for step in self._plan.steps(number):
            try:
                close_old_connections()
                step()
            except Exception as error:  # noqa: BLE001 - nobody would start the thread again
                tell(self._plan.log, self._plan.sorry, error)
