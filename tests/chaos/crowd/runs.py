"""The runs that the crowd knows of, and how it bears a server that is away."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from websockets.exceptions import WebSocketException

from tests.e2e.server import Client

AWAY: Final = (OSError, http.client.HTTPException, ValueError, WebSocketException)
"""What a client meets while the server is broken; TimeoutError is an OSError."""
IDLE_S: Final = 0.1


@dataclass(slots=True)
class Known:
    """A run whose start was acknowledged."""

    run: str
    tag: str
    flow: str
    head: int | None = None
    """The last seq of its log, once it is over."""


class Runs:
    """What was started, at most `most` of it under way; any thread may ask."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.may_start = True
        self._known: dict[str, Known] = {}
        self._lock = threading.Lock()

    def add(self, known: Known) -> None:
        """Remember a run that was acknowledged."""
        with self._lock:
            self._known.setdefault(known.run, known)

    def all(self) -> list[Known]:
        """Return every run, the oldest first."""
        with self._lock:
            return list(self._known.values())

    def under_way(self) -> list[Known]:
        """Return those that are not known to be over."""
        return [known for known in self.all() if known.head is None]

    def wants_more(self) -> bool:
        """Whether another run may be started now."""
        return self.may_start and len(self.under_way()) < self.most


def patient(round: Callable[[Random], bool], chance: Random, over: threading.Event) -> None:
    """Do rounds until it is over; one that says False, or finds the server away, is followed by a rest."""
    while not over.is_set():
        try:
            busy = round(chance)
        except AWAY:
            busy = False
        if not busy:
            over.wait(IDLE_S)


def listed(client: Client, path: str) -> list[dict[str, Any]]:
    """Return what a list has on its first page, nothing where the answer is a refusal."""
    status, answer = client.request("GET", path)
    return list(answer["results"]) if status == 200 else []
