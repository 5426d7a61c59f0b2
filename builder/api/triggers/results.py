"""The answer of a webhook that is to hold its run's result: waited for on the loop, in no thread."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import orjson
from django.http import JsonResponse

from builder.base import engine_door
from builder.base.bells import Mailbox
from builder.live.readers import in_reader
from builder.models import Run
from builder.reads import event_log

MOST_WAITING: Final = 64
"""Calls of this process that wait at once; who comes later is answered without a result."""
MOST_OF_ONE: Final = 16
"""Of these, calls of one trigger: nobody takes the places of all others."""
POLL_S: Final = 1.0
BETWEEN_S: Final = 0.1
"""So far apart are two looks at a run, however often it rings."""

_waiting: dict[str, int] = {}


class ResultAnswer(JsonResponse):
    """What is said at once; `settle` makes it 200 with the result if the run ends in time."""

    def __init__(self, said: Mapping[str, Any], status: int, door: str, within_s: int) -> None:
        super().__init__(dict(said), status=status)
        self._said, self._door, self._within_s = said, door, within_s

    async def settle(self) -> None:
        """Wait for the end of the run; who finds too many others waiting does not."""
        with _place(self._door) as free:
            found = await _result_within(self._said["run"], self._within_s) if free else None
        if found is not None:
            self.status_code = 200
            self.content = orjson.dumps({**self._said, **found})
            self.headers["Content-Length"] = str(len(self.content))


@contextmanager
def _place(door: str) -> Iterator[bool]:
    """Take a place among those who wait, on the loop's thread alone; give whether there was one."""
    mine = _waiting.get(door, 0)
    if mine >= MOST_OF_ONE or sum(_waiting.values()) >= MOST_WAITING:
        yield False
        return
    _waiting[door] = mine + 1
    try:
        yield True
    finally:
        _waiting[door] -= 1
        if not _waiting[door]:
            del _waiting[door]


async def _result_within(run_id: str, seconds: float) -> dict[str, Any] | None:
    loop = asyncio.get_running_loop()
    mailbox, deadline = Mailbox(loop), loop.time() + seconds
    unsubscribe = engine_door.engine().subscribe(run_id, mailbox)
    try:
        while (found := await in_reader(_result_of, run_id)) is None:
            left = deadline - loop.time()
            if left <= 0:
                return None
            await mailbox.rang(min(left, POLL_S))
            await asyncio.sleep(BETWEEN_S)
        return found
    finally:
        unsubscribe()


def _result_of(run_id: str) -> dict[str, Any] | None:
    """Return `{status, result, error}` of a run that has ended; of an error its code alone."""
    status = Run.objects.filter(pk=run_id).values_list("status", flat=True).first()
    if status not in Run.ENDED:
        return None
    run = Run.objects.get(pk=run_id)
    _start, last = event_log.first_and_last(run_id, run.seq)
    code = orjson.loads(run.error)["code"] if run.error else None
    return {"status": run.status, "result": last.get("result"), "error": code}
