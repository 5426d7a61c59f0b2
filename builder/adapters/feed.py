"""The engine's live feed, rung through the process's hub."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from builder.base.bells import ENDED, hub, inbox_topic, run_topic, runs_topic
from engine.core.state.run_state import RunState

DELTA_SECONDS: Final = 0.05
"""Token deltas are sent about 20 times a second."""


class HubFeed:
    """Bells for commits, coalesced deltas for streams. Lives on the engine's loop."""

    def __init__(self, peek: Callable[[str], RunState | None] | None = None) -> None:
        self.peek = peek
        self._deltas: dict[tuple[str, str], list[str]] = {}
        self._reset: set[tuple[str, str]] = set()
        self._timer: asyncio.TimerHandle | None = None

    def committed(self, run_id: str, seq: int) -> None:
        """Ring for the run, for its workspace's list of runs, and for the inbox."""
        hub.ring(run_topic(run_id))
        state = None if self.peek is None else self.peek(run_id)
        workspace = None if state is None else state.started.get("workspace_id")
        if workspace is not None:
            hub.ring(runs_topic(workspace))
            hub.ring(inbox_topic(workspace))
        if state is not None and state.terminal:
            hub.hear(ENDED, {"run": run_id})

    def delta(self, run_id: str, key: str, text: str, *, reset: bool = False) -> None:
        """Keep a piece of text for the next frame of its activation."""
        place = (run_id, key)
        if reset:
            self._reset.add(place)
            self._deltas[place] = []
        if text:
            self._deltas.setdefault(place, []).append(text)
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(DELTA_SECONDS, self._send)

    def _send(self) -> None:
        self._timer = None
        deltas, self._deltas = self._deltas, {}
        reset, self._reset = self._reset, set()
        for (run_id, key), pieces in deltas.items():
            frame = {
                "op": "eph",
                "run": run_id,
                "key": key,
                "kind": "delta",
                "text": "".join(pieces),
                "reset": (run_id, key) in reset,
            }
            hub.send(run_topic(run_id), frame)
