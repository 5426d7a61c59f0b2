"""An asyncio event loop in virtual time: it never waits, and one seed decides what comes first."""

from __future__ import annotations

import asyncio
import heapq
import inspect
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any


class Stuck(AssertionError):
    """Nothing is ready and no timer is set: the program waits for ever."""


class Halted(Exception):
    """The loop was abandoned, as by a crash of its process."""


class VirtualLoop(asyncio.BaseEventLoop):
    """A loop whose time jumps to the next timer when nothing is ready.

    Tasks that are ready at the same moment step in an order that `rng` chooses; all other
    callbacks keep theirs, because asyncio promises it. `before_step` is told whose step it is and may call `halt`.
    """

    def __init__(self, rng: Random, start: float = 0.0) -> None:
        super().__init__()
        self._now = start
        self._rng = rng
        self.halted = False
        self.before_step: Callable[[Any], None] | None = None
        self.set_exception_handler(lambda _loop, _context: None)

    def time(self) -> float:
        return self._now

    def halt(self) -> None:
        """Abandon the loop: nothing of it runs any more."""
        self.halted = True
        self._stopping = True

    def drive(self, main: Coroutine[Any, Any, Any]) -> Any:
        """Return what `main` returns. Raises `Halted` after `halt`, `Stuck` if nothing moves."""
        task = self.create_task(main)
        task.add_done_callback(lambda _done: self.stop())
        try:
            self.run_forever()
        finally:
            self._drop_unstarted()
        if self.halted or not task.done():
            raise Halted
        return task.result()

    def _drop_unstarted(self) -> None:
        """Close what no step was made of: later it would be told of as never awaited, by any test."""
        for task in asyncio.all_tasks(self):
            coroutine = task.get_coro()
            if (
                inspect.iscoroutine(coroutine)
                and inspect.getcoroutinestate(coroutine) == inspect.CORO_CREATED
            ):
                coroutine.close()

    def _run_once(self) -> None:
        scheduled = self._scheduled  # type: ignore[attr-defined]
        while scheduled and scheduled[0]._cancelled:
            heapq.heappop(scheduled)._scheduled = False
        if not self._ready:  # type: ignore[attr-defined]
            if not scheduled:
                raise Stuck("nothing is ready and no timer is set")
            self._now = max(self._now, scheduled[0]._when)
        while scheduled and scheduled[0]._when <= self._now:
            handle = heapq.heappop(scheduled)
            handle._scheduled = False
            self._ready.append(handle)  # type: ignore[attr-defined]
        for handle in self._batch():
            if self.before_step is not None:
                self.before_step(getattr(handle._callback, "__self__", None))
            if self.halted:
                return
            if not handle._cancelled:
                handle._run()

    def _batch(self) -> list[Any]:
        """Take what is ready, the steps of different tasks in a seeded order."""
        ready = list(self._ready)  # type: ignore[attr-defined]
        self._ready.clear()  # type: ignore[attr-defined]
        if len(ready) < 2:
            return ready
        places = [i for i, handle in enumerate(ready) if _is_task_step(handle)]
        chosen = places[:]
        self._rng.shuffle(chosen)
        mixed = ready[:]
        for place, other in zip(places, chosen, strict=True):
            mixed[place] = ready[other]
        return mixed

    def _process_events(self, event_list: list[Any]) -> None:
        """Nothing: there are no files and sockets here."""

    def _write_to_self(self) -> None:
        """Nothing: no other thread has to wake this loop."""

    def __del__(self) -> None:
        """An abandoned loop is not closed, and nobody is warned of it."""


def _is_task_step(handle: Any) -> bool:
    return isinstance(getattr(handle._callback, "__self__", None), asyncio.Task)
