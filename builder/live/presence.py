"""Who looks at a draft or an item right now, and what they do there. Kept in this process only."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from builder.base.bells import graph_topic, hub, item_topic

Place: TypeAlias = tuple[str, str]
"""`graph` or `item`, and its id."""
TOPICS: Final[Mapping[str, Callable[[str], str]]] = {"graph": graph_topic, "item": item_topic}


def topic_of(place: Place) -> str:
    """Return the topic on which a place's people are told."""
    kind, name = place
    return TOPICS[kind](name)


class Presence:
    """People by place and socket; every change is told to the place's listeners."""

    def __init__(self) -> None:
        self._people: dict[Place, dict[str, dict[str, Any]]] = {}
        self._lock = threading.Lock()

    def join(self, place: Place, socket: str, client: str, user: dict[str, str]) -> None:
        """Add a socket to the place."""
        with self._lock:
            people = self._people.setdefault(place, {})
            people[socket] = {"client": client, "user": user, "selection": []}
        self._tell(place)

    def select(self, place: Place, socket: str, selection: Sequence[str]) -> None:
        """Set what a socket that joined has selected."""
        with self._lock:
            entry = self._people.get(place, {}).get(socket)
            if entry is None:
                return
            self._people[place][socket] = {**entry, "selection": list(selection)}
        self._tell(place)

    def leave(self, place: Place, socket: str) -> None:
        """Take a socket away."""
        with self._lock:
            people = self._people.get(place, {})
            if people.pop(socket, None) is None:
                return
            if not people:
                self._people.pop(place, None)
        self._tell(place)

    def frame(self, place: Place) -> dict[str, Any]:
        """Return the frame that names everyone here."""
        kind, name = place
        with self._lock:
            people = list(self._people.get(place, {}).values())
        return {"op": "presence", kind: name, "people": people}

    def _tell(self, place: Place) -> None:
        hub.send(topic_of(place), self.frame(place))


presence: Final = Presence()
"""The presence of this process."""
