"""What model servers list, read anew every few seconds: names come and go while they run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.core.errors import NodeError, RequestRefused
from engine.core.values.limits import parse_json
from engine.integrations.models.discovery import model_ids

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.integrations.egress import Egress

SECONDS = 15.0
"""How long a list counts, also that nobody answered."""
TIMEOUT_S = 2.0
CACHED = 256


@dataclass(frozen=True, slots=True)
class Listed:
    """What a server said: `names`, or None and why there are none in `problem`."""

    names: tuple[str, ...] | None
    problem: str = ""

    def has(self, name: str) -> bool:
        """Return whether a name is on the list; a tag that nobody wrote is `latest`."""
        return self.names is None or name in self.names or f"{name}:latest" in self.names


class ModelLists:
    """The lists of all servers that were asked lately. Any thread and any loop may ask."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._known: dict[tuple[str, str], tuple[float, Listed]] = {}
        self._lock = threading.Lock()

    async def of(self, base_url: str, egress: Egress, headers: Mapping[str, str]) -> Listed:
        """Return what the server at `base_url` lists now, or listed a few seconds ago."""
        key = (base_url, repr(sorted(headers.items())))
        with self._lock:
            at, listed = self._known.get(key, (0.0, Listed(None)))
            if at and self._now() - at < SECONDS:
                return listed
        listed = await _ask(base_url, egress, headers)
        with self._lock:
            if len(self._known) >= CACHED:
                self._known.clear()
            self._known[key] = (self._now(), listed)
        return listed

    def forget(self) -> None:
        """Ask every server anew."""
        with self._lock:
            self._known.clear()


async def _ask(base_url: str, egress: Egress, headers: Mapping[str, str]) -> Listed:
    try:
        answer = await egress.request(
            "GET",
            f"{base_url}/models",
            timeout_s=TIMEOUT_S,
            credential_headers=headers,
            headers={"Accept": "application/json"},
        )
    except NodeError as error:
        return Listed(None, error.message)
    if answer.status != 200:
        return Listed(None, f"its list of models answers {answer.status}")
    try:
        names = model_ids(parse_json(answer.body))
    except RequestRefused:
        names = None
    return Listed(names, "" if names is not None else "it gives no list of models")
