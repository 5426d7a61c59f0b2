"""Who looks at a draft or an item right now, and what they do there. Nothing of it is kept.

Each process tells the others who came, chose and left at it, and again from time to time: who was
not told of anew is gone, with the process that knew them.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from builder.base.bells import PRESENCE, Frame, Hub, graph_topic, hub, item_topic

Place: TypeAlias = tuple[str, str]
"""`graph` or `item`, and its id."""
TOPICS: Final[Mapping[str, Callable[[str], str]]] = {"graph": graph_topic, "item": item_topic}
AGAIN_S: Final = 20.0
"""How often a process tells anew who is there; who was not named for three times that is gone."""
MOST_CARRIED: Final = 40
"""Selected nodes that other processes are told of: what is said between them is short."""


def topic_of(place: Place) -> str:
    """Return the topic on which a place's people are told."""
    kind, name = place
    return TOPICS[kind](name)


class Presence:
    """People by place and socket; every change is told to the place's listeners."""

    def __init__(self, bells: Hub) -> None:
        self._hub = bells
        self._name = uuid.uuid4().hex[:12]
        self._people: dict[Place, dict[str, dict[str, Any]]] = {}
        self._heard: dict[tuple[Place, str], float] = {}
        """When those at other processes were last told of."""
        self._lock = threading.Lock()

    def join(self, place: Place, socket: str, client: str, user: dict[str, str]) -> None:
        """Add a socket to the place."""
        with self._lock:
            people = self._people.setdefault(place, {})
            people[socket] = {"client": client, "user": user, "selection": []}
        self._tell(place)
        self._carry(place, socket, asks=True)

    def select(self, place: Place, socket: str, selection: Sequence[str]) -> None:
        """Set what a socket that joined has selected."""
        with self._lock:
            entry = self._people.get(place, {}).get(socket)
            if entry is None:
                return
            self._people[place][socket] = {**entry, "selection": list(selection)}
        self._tell(place)
        self._carry(place, socket)

    def leave(self, place: Place, socket: str) -> None:
        """Take a socket away."""
        with self._lock:
            if not self._take(place, socket):
                return
        self._tell(place)
        self._carry(place, socket)

    def frame(self, place: Place) -> dict[str, Any]:
        """Return the frame that names everyone here."""
        kind, name = place
        with self._lock:
            people = list(self._people.get(place, {}).values())
        return {"op": "presence", kind: name, "people": people}

    @contextmanager
    def among_others(self, again_s: float = AGAIN_S) -> Iterator[None]:
        """Hear of people at other processes while the block lasts, and tell anew of those here."""
        unsubscribe = self._hub.subscribe(PRESENCE, self._hear)
        ended = threading.Event()

        def renew() -> None:
            while not ended.wait(again_s):
                self._renew(time.monotonic() - 3 * again_s)

        thread = threading.Thread(target=renew, name="presence", daemon=True)
        thread.start()
        try:
            yield
        finally:
            unsubscribe()
            ended.set()
            thread.join()

    def _take(self, place: Place, socket: str) -> bool:
        people = self._people.get(place, {})
        known = people.pop(socket, None) is not None
        if not people:
            self._people.pop(place, None)
        return known

    def _tell(self, place: Place) -> None:
        self._hub.hear(topic_of(place), self.frame(place))

    def _carry(self, place: Place, socket: str, *, asks: bool = False) -> None:
        """Tell other processes of a socket here; one that `asks` wants to hear of theirs."""
        with self._lock:
            entry = self._people.get(place, {}).get(socket)
        if entry is not None:
            entry = {**entry, "selection": entry["selection"][:MOST_CARRIED]}
        said = {"from": self._name, "place": place, "socket": socket, "entry": entry, "asks": asks}
        self._hub.abroad(PRESENCE, said)

    def _hear(self, said: Frame | None) -> None:
        """Take what another process tells of a socket there."""
        assert said is not None, "presence is told in frames"
        kind, name = said["place"]
        place, socket = (kind, name), f"{said['from']}/{said['socket']}"
        with self._lock:
            if said["entry"] is None:
                self._heard.pop((place, socket), None)
                self._take(place, socket)
            else:
                self._heard[place, socket] = time.monotonic()
                self._people.setdefault(place, {})[socket] = said["entry"]
            here = [one for one in self._people.get(place, ()) if (place, one) not in self._heard]
        self._tell(place)
        if said["asks"]:
            for one in here:
                self._carry(place, one)

    def _renew(self, before: float) -> None:
        """Tell anew of everyone here, and let go whom nobody told of since `before`."""
        with self._lock:
            silent = [key for key, heard_at in self._heard.items() if heard_at < before]
            for key in silent:
                del self._heard[key]
                self._take(*key)
            everyone = [(place, one) for place, people in self._people.items() for one in people]
            here = [key for key in everyone if key not in self._heard]
        for place, _socket in silent:
            self._tell(place)
        for place, socket in here:
            self._carry(place, socket)


presence: Final = Presence(hub)
"""The presence of this process, with what others tell it of theirs."""
