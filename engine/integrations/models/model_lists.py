"""What model servers list, read anew every few seconds: names come and go while they run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.core.errors import NodeError, RequestRefused
from engine.core.values.limits import parse_json
from engine.integrations.models.servers.protocols import Protocol, list_call, listed_names

if TYPE_CHECKING:
    from engine.integrations.egress import Egress

SECONDS = 15.0
"""How long a list counts, also that nobody answered."""
TIMEOUT_S = 2.0
CACHED = 256
MOST_LISTED = 1000
"""Models of one server that are shown; it may have more, which are called by their names."""
LONGEST_NAME = 200
"""Characters of a model's name."""
MOST_BYTES = 4 * 1024 * 1024
"""The longest list that is read."""
MOST_VALUES = 500_000
"""Values of JSON in it."""
_CURES = {
    401: "it refuses the key: check it, and set another one",
    403: "it refuses the key: check it and what it may do",
    404: "it lists no models at this address: check the address, or name its models",
}


@dataclass(frozen=True, slots=True)
class Server:
    """Where a list is asked for, and with what."""

    protocol: Protocol
    base_url: str
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    secret: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Listed:
    """What a server said: `names`, or None and why there are none in `problem`.

    `more` says that it has others that are not among the names.
    """

    names: tuple[str, ...] | None
    problem: str = ""
    more: bool = False

    def has(self, name: str) -> bool:
        """Return whether a name may be on the list; a tag that nobody wrote is `latest`."""
        if self.names is None or self.more:
            return True
        return name in self.names or f"{name}:latest" in self.names


class ModelLists:
    """The lists of all servers that were asked lately. Any thread and any loop may ask."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._known: dict[Server, tuple[float, Listed]] = {}
        self._lock = threading.Lock()

    async def of(self, server: Server, egress: Egress) -> Listed:
        """Return what a server lists now, or listed a few seconds ago."""
        with self._lock:
            at, listed = self._known.get(server, (0.0, Listed(None)))
            if at and self._now() - at < SECONDS:
                return listed
        listed = await ask(server, egress)
        with self._lock:
            if len(self._known) >= CACHED:
                self._known.clear()
            self._known[server] = (self._now(), listed)
        return listed

    def forget(self) -> None:
        """Ask every server anew."""
        with self._lock:
            self._known.clear()


async def ask(server: Server, egress: Egress, timeout_s: float = TIMEOUT_S) -> Listed:
    """Ask a server for its models; whatever it does, the answer says what came of it."""
    call = list_call(server.protocol, server.base_url, server.secret)
    try:
        answer = await egress.request(
            "GET",
            call.url,
            timeout_s=timeout_s,
            credential_headers={**dict(server.headers), **call.headers},
            headers={"Accept": "application/json"},
        )
    except NodeError as error:
        return Listed(None, error.message)
    if 300 <= answer.status < 400:
        return Listed(None, "it leads to another address, which is not followed: give that one")
    if answer.status != 200:
        told = f"its list of models answers {answer.status}"
        cure = _CURES.get(answer.status)
        return Listed(None, told if cure is None else f"{told}: {cure}")
    try:
        told_names = listed_names(
            server.protocol, parse_json(answer.body, max_bytes=MOST_BYTES, max_values=MOST_VALUES)
        )
    except RequestRefused as refused:
        return Listed(None, f"its list of models cannot be read: {refused.message}")
    if told_names is None:
        return Listed(None, "it gives no list of models: check the address")
    return _listed(told_names)


def _listed(told: list[Any]) -> Listed:
    """Return the names that can be called, each once and in their order."""
    names = tuple(dict.fromkeys(name for name in told if _is_name(name)))
    return Listed(names[:MOST_LISTED], more=len(names) > MOST_LISTED)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and name.isprintable()
