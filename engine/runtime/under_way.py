"""Outside calls under way, each in a task of its own: one that its executor was torn from goes on.

A commit that fails drops its run from memory, and the run's executors with it. What they had sent
is still sent: its answer is waited for and recorded, and the execution that comes to the same
place waits for it in place of sending again. Only the end of the process leaves a call behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Coroutine
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

Place = tuple[str, str, int, str]
"""Where a call stands: run, activation, attempt, step path."""


Call = Callable[[], Coroutine[Any, Any, T]]
"""Makes a call: one that is broken off before it began has made nothing that could be left behind."""


class Scope(Protocol):
    """A sequence of calls: the task that may make the next one."""

    task: asyncio.Task[object] | None


class CallsUnderWay:
    """The calls of one process that are sent and not recorded yet."""

    def __init__(self) -> None:
        self._tasks: dict[Place, asyncio.Task[Any]] = {}

    async def see_through(
        self, place: Place, call: Call[T], scope: Scope, is_torn: Callable[[], bool]
    ) -> T:
        """Return what the call gives; it records its outcome itself, within the `scope` it is in.

        It ends with whoever waits for it, unless the run `is_torn` from its executor.
        """
        over = asyncio.get_running_loop().create_future()
        task = asyncio.ensure_future(_made(call, scope, over))
        self._tasks[place] = task
        task.add_done_callback(lambda done: self._over(place, done, over))
        try:
            await over
        except asyncio.CancelledError:
            await _with_whom_waits(task, is_torn)
            raise
        return task.result()

    async def outlast(self, place: Place, is_torn: Callable[[], bool]) -> bool:
        """Wait until the call that went on here has ended; tell whether there was one."""
        task = self._tasks.get(place)
        if task is None:
            return False
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            await _with_whom_waits(task, is_torn)
            raise
        return True

    def end(self, run_id: str, wanted: Container[str]) -> None:
        """Break off the calls of a run whose activation is not `wanted` any more."""
        for (owner, key, _attempt, _path), task in list(self._tasks.items()):
            if owner == run_id and key not in wanted:
                task.cancel()

    async def close(self) -> None:
        """Break off all of them, as the end of the process does."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _over(self, place: Place, task: asyncio.Task[Any], over: asyncio.Future[None]) -> None:
        if self._tasks.get(place) is task:
            del self._tasks[place]
        if not over.done():  # broken off before it began
            over.set_result(None)
        if not task.cancelled():
            task.exception()  # of a call that went on alone nobody asks


async def _made(call: Call[T], scope: Scope, over: asyncio.Future[None]) -> T:
    """Make the call in a task of its own; tell that it is over a turn before its task can."""
    caller, scope.task = scope.task, asyncio.current_task()
    try:
        return await call()
    finally:
        scope.task = caller
        if not over.done():
            over.set_result(None)


async def _with_whom_waits(task: asyncio.Task[Any], is_torn: Callable[[], bool]) -> None:
    """End the task with the one who waited for it, unless that was torn from it."""
    if not is_torn():
        task.cancel()
        await asyncio.wait([task])
