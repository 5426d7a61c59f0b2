"""Bells and frames between the processes of one PostgreSQL, by its own NOTIFY.

They say nothing that is not in the database: one that is lost costs a scan, or a poll of a page.
"""

from __future__ import annotations

import json
import logging
import threading
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final

from builder.base.bells import Frame, Hub, nobody

CHANNEL: Final = "graphwright"
MAX_BYTES: Final = 7_000
"""PostgreSQL carries less than 8,000 bytes in one notice."""
MAX_FRAMES: Final = 1_000
AGAIN_SECONDS: Final = 1.0
TELL: Final = "SELECT pg_notify(%s, %s)"

log = logging.getLogger("graphwright.wire")
Heard = Callable[[str, Frame | None], None]


class Wire:
    """Carries what a hub says to the hubs of other processes, from `start` to `stop`."""

    def __init__(self, connect: Callable[[], Any], hub: Hub, heard: Heard | None = None) -> None:
        self._connect = connect
        self._hub = hub
        self._heard = heard
        self._name = uuid.uuid4().hex[:12]
        self._topics: dict[str, None] = {}
        self._frames: deque[tuple[str, Frame]] = deque(maxlen=MAX_FRAMES)
        self._waits = threading.Condition()
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=self._again, args=(work,), name=name, daemon=True)
            for name, work in (("wire-out", self._send), ("wire-in", self._listen))
        ]

    def start(self) -> None:
        """Begin; what the hub says from now on is carried."""
        self._hub.abroad = self._carry
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Carry nothing any more."""
        self._hub.abroad = nobody
        self._ended.set()
        with self._waits:
            self._waits.notify()
        for thread in self._threads:
            thread.join(AGAIN_SECONDS * 2)

    def _carry(self, topic: str, frame: Frame | None) -> None:
        with self._waits:
            if frame is None:
                self._topics[topic] = None
            else:
                self._frames.append((topic, frame))
            self._waits.notify()

    def _again(self, work: Callable[[Any], None]) -> None:
        """Do the work on a connection, and on another one when that breaks."""
        while not self._ended.is_set():
            try:
                connection = self._connect()
            except Exception as error:  # noqa: BLE001  (whatever it is, the database is away)
                log.warning("the other processes cannot be reached: %s", error)
                self._ended.wait(AGAIN_SECONDS)
                continue
            try:
                work(connection)
            except Exception as error:  # noqa: BLE001  (as above)
                log.warning("word between processes was lost: %s", error)
            finally:
                connection.close()

    def _send(self, connection: Any) -> None:
        connection.execute("SET synchronous_commit = off")
        while True:
            with self._waits:
                self._waits.wait_for(lambda: self._topics or self._frames or self._ended.is_set())
                topics, self._topics = list(self._topics), {}
                frames = list(self._frames)
                self._frames.clear()
            if self._ended.is_set():
                return
            said = [(topic, None) for topic in topics] + frames
            for payload in _payloads(self._name, said):
                connection.execute(TELL, (CHANNEL, payload))

    def _listen(self, connection: Any) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        while not self._ended.is_set():
            for notice in connection.notifies(timeout=AGAIN_SECONDS):
                self._hear(notice.payload)

    def _hear(self, payload: str) -> None:
        name, said = json.loads(payload)
        if name == self._name:
            return
        for topic, frame in said:
            self._hub.hear(topic, frame)
            if self._heard is not None:
                self._heard(topic, frame)


def _payloads(name: str, said: list[tuple[str, Any]]) -> Iterator[str]:
    """Return notices that hold all that is said; what fits in none is left out."""
    some: list[tuple[str, Any]] = []
    size = 0
    for one in said:
        length = len(json.dumps(one)) + 2
        if length > MAX_BYTES:
            continue
        if size + length > MAX_BYTES:
            yield json.dumps([name, some])
            some, size = [], 0
        some.append(one)
        size += length
    if some:
        yield json.dumps([name, some])
