"""Pages of logs for sockets: many that follow one run share a read, and a frame stays small."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from builder.live.readers import in_reader
from builder.reads import event_log as log

GATHER_S: Final = 0.05
"""How long after a bell a read waits for others that heard it too: 20 reads a run and second."""
PAGE_BYTES: Final = 48 * 1024
"""Event data in one frame; a single event may be larger."""


@dataclass(frozen=True, slots=True)
class Page:
    """A frame with events after a cursor, empty at the head. `more`: ask again at once."""

    frame: str
    last: int
    more: bool


class Pages:
    """Reads pages; who asks for the same one before it is read gets the same one."""

    def __init__(self) -> None:
        self._gathering: dict[tuple[str, int], asyncio.Future[Page]] = {}

    async def after(self, run_id: str, seq: int, *, rung: bool) -> Page:
        """Return the page after `seq`; everything committed before the call is in it or follows.

        After a bell (`rung`) the read waits a moment for the other listeners.
        """
        place = (run_id, seq)
        reading = self._gathering.get(place)
        if reading is None:
            reading = asyncio.ensure_future(self._read(place, GATHER_S if rung else 0))
            self._gathering[place] = reading
        return await asyncio.shield(reading)

    async def _read(self, place: tuple[str, int], wait_s: float) -> Page:
        try:
            await asyncio.sleep(wait_s)
        finally:
            # who comes from here on may have heard of what this read does not see
            del self._gathering[place]
        return await in_reader(read_page, *place)


def read_page(run_id: str, after: int) -> Page:
    """Return the next events after `after` and their frame, encoded once."""
    rows, more = log.slice_after(run_id, after, max_bytes=PAGE_BYTES)
    if not rows:
        return Page("", after, more=False)
    frame = b'{"op":"ev","run":"%s","events":%s}' % (run_id.encode(), log.encode_events(rows))
    return Page(frame.decode(), rows[-1][0], more)
