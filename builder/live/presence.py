"""Who looks at a draft right now, and what they have selected. Kept in this process only."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final

from builder.base.bells import graph_topic, hub


class Presence:
    """People by graph and socket; every change is told to the graph's listeners."""

    def __init__(self) -> None:
        self._people: dict[str, dict[str, dict[str, Any]]] = {}
        self._lock = threading.Lock()

    def join(self, graph_id: str, socket: str, client: str, user: dict[str, str]) -> None:
        """Add a socket to the graph."""
        with self._lock:
            people = self._people.setdefault(graph_id, {})
            people[socket] = {"client": client, "user": user, "selection": []}
        self._tell(graph_id)

    def select(self, graph_id: str, socket: str, selection: Sequence[str]) -> None:
        """Set what a socket that joined has selected."""
        with self._lock:
            entry = self._people.get(graph_id, {}).get(socket)
            if entry is None:
                return
            self._people[graph_id][socket] = {**entry, "selection": list(selection)}
        self._tell(graph_id)

    def leave(self, graph_id: str, socket: str) -> None:
        """Take a socket away."""
        with self._lock:
            people = self._people.get(graph_id, {})
            if people.pop(socket, None) is None:
                return
            if not people:
                self._people.pop(graph_id, None)
        self._tell(graph_id)

    def frame(self, graph_id: str) -> dict[str, Any]:
        """Return the frame that names everyone here."""
        with self._lock:
            people = list(self._people.get(graph_id, {}).values())
        return {"op": "presence", "graph": graph_id, "people": people}

    def _tell(self, graph_id: str) -> None:
        hub.send(graph_topic(graph_id), self.frame(graph_id))


presence: Final = Presence()
"""The presence of this process."""
