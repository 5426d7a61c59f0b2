"""The in-process doorbell: wakes sockets from any thread and carries frames that are not kept.

A bell carries no data; it may be lost or come twice, because listeners read the log. Frames
(token deltas, presence) are handed to every listener of a topic; a slow listener drops its own.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

Frame = Mapping[str, Any]
MAX_PENDING_FRAMES: Final = 200
"""Frames kept for a listener that does not keep up; the oldest go first."""


STARTS: Final = "starts"
"""The topic of runs that nobody executes yet."""
LIMITS: Final = "limits"
"""The topic of budgets whose limits people have set."""

ENDED: Final = "ended"
"""The topic of runs that end in this process; said here only, in frames that name the run."""
PRESENCE: Final = "presence"
"""The topic on which processes tell one another who looks at what."""
LET_IN: Final = "let-in"
"""The topic on which processes tell one another how many requests of whom they let in."""


def asked_topic(run_id: str) -> str:
    """The topic of what is asked of one run."""
    return f"asked:{run_id}"


def breaker_topic(breaker_id: str) -> str:
    """The topic of a circuit breaker that a person closes."""
    return f"breaker:{breaker_id}"


def run_topic(run_id: str) -> str:
    """The topic of one run's log."""
    return f"run:{run_id}"


def runs_topic(workspace_id: str) -> str:
    """The topic of a workspace's list of runs."""
    return f"runs:{workspace_id}"


def inbox_topic(workspace_id: str) -> str:
    """The topic of a workspace's inbox."""
    return f"inbox:{workspace_id}"


def graph_topic(graph_id: str) -> str:
    """The topic of a draft: saves and presence."""
    return f"graph:{graph_id}"


def item_topic(request_id: str) -> str:
    """The topic of an item of the inbox: who has it open."""
    return f"item:{request_id}"


def mentions_topic(workspace_id: str, user_id: str) -> str:
    """The topic of what comments say to one person in a workspace."""
    return f"mentions:{workspace_id}:{user_id}"


def person_topic(user_id: str) -> str:
    """The topic of one person's access: rung when a session or a membership of theirs ended."""
    return f"person:{user_id}"


def nobody(_topic: str, _frame: Frame | None) -> None:
    """Tell nobody: this process is alone."""


class Hub:
    """Topics and who listens. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._listeners: dict[str, list[Callable[[Frame | None], None]]] = {}
        self._lock = threading.Lock()
        self.abroad: Callable[[str, Frame | None], None] = nobody
        """Told of every bell and frame of this process, to tell other processes."""

    def subscribe(self, topic: str, listener: Callable[[Frame | None], None]) -> Callable[[], None]:
        """Call `listener` for each bell (None) and frame of `topic` until the answer is called."""
        with self._lock:
            self._listeners.setdefault(topic, []).append(listener)

        def unsubscribe() -> None:
            with self._lock:
                heard = self._listeners.get(topic, [])
                if listener in heard:
                    heard.remove(listener)
                if not heard:
                    self._listeners.pop(topic, None)

        return unsubscribe

    def ring(self, topic: str) -> None:
        """Wake everyone who listens to `topic`."""
        self.hear(topic, None)
        self.abroad(topic, None)

    def send(self, topic: str, frame: Frame) -> None:
        """Hand `frame` to everyone who listens to `topic`."""
        self.hear(topic, frame)
        self.abroad(topic, frame)

    def listeners(self, topic: str) -> int:
        """Return how many listen to `topic`."""
        with self._lock:
            return len(self._listeners.get(topic, ()))

    def hear(self, topic: str, frame: Frame | None) -> None:
        """Tell those who listen in this process."""
        with self._lock:
            heard = tuple(self._listeners.get(topic, ()))
        for listener in heard:
            listener(frame)


class Mailbox:
    """One listener's side on an event loop: bells are coalesced, frames wait in order.

    Use as a listener of a `Hub` or of the engine: calling it is thread-safe and never blocks.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._woken = asyncio.Event()
        self._frames: deque[Frame] = deque(maxlen=MAX_PENDING_FRAMES)
        self._called = False
        self._lock = threading.Lock()

    def __call__(self, frame: Frame | None) -> None:
        with self._lock:
            if frame is not None:
                self._frames.append(frame)
            if self._called:
                return
            self._called = True
        try:
            self._loop.call_soon_threadsafe(self._wake)
        except RuntimeError:  # the loop is closed: nobody is left to wake
            return

    def _wake(self) -> None:
        self._woken.set()

    async def wait(self, timeout_s: float) -> list[Frame]:
        """Return at the next bell or frame, or after `timeout_s`; frames come oldest first."""
        await self.rang(timeout_s)
        with self._lock:
            frames = list(self._frames)
            self._frames.clear()
        return frames

    async def rang(self, timeout_s: float) -> bool:
        """Return whether a bell or frame came within `timeout_s`; several count as one."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._woken.wait()
        except TimeoutError:
            return False
        with self._lock:
            self._called = False
            self._woken.clear()
        return True


hub: Final = Hub()
"""The hub of this process."""
