"""Outside calls under way: an execution that its run was torn from sees its call through.

A commit that fails drops its run from memory, and the run's executions with it. What they had sent
is still sent: its answer is waited for and recorded, and the execution that takes the place of such
a one begins when it has ended. A process that is told to end begins no further call and waits for
those under way, for a while. Only what takes longer, and a crash, leaves a call behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Set
from typing import Any, Final, TypeVar

from engine.core.ports import Clock

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
LOOK_SECONDS: Final = 0.02
"""How often a process that ends looks whether all is answered: longer than a buffer is kept."""
SURE_LOOKS: Final = 2
"""After so many looks at which nothing changed or was being committed, nobody is between the intent
of a call and the call itself, and no outcome waits in a buffer."""

Execution = asyncio.Task[Any]
"""What runs the code of a node, with all the branches that this has begun."""


class CallsUnderWay:
    """How many calls the executions of one process have sent and not recorded yet."""

    def __init__(self) -> None:
        self._calls: dict[Execution, int] = {}
        self._runs: dict[str, int] = {}
        self._torn: set[Execution] = set()
        self.are_last = False
        """Whether no further call is begun: the process was told to end."""

    @property
    def runs(self) -> frozenset[str]:
        """The runs that have a call under way."""
        return frozenset(self._runs)

    async def see_through(self, run_id: str, execution: Execution, call: Awaitable[T]) -> T:
        """Return what the call gives, which records its outcome itself.

        An execution that was torn from its run meanwhile ends here.
        """
        self._calls[execution] = self._calls.get(execution, 0) + 1
        self._runs[run_id] = self._runs.get(run_id, 0) + 1
        try:
            return await call
        finally:
            _less(self._runs, run_id)
            if not _less(self._calls, execution) and execution in self._torn:
                self._torn.discard(execution)
                execution.cancel()
                await asyncio.sleep(0)

    async def drain(
        self,
        within_s: float,
        clock: Clock,
        is_committing: Callable[[], object],
        leave: Callable[[Set[str]], Awaitable[None]] | None = None,
    ) -> int:
        """Begin no call more, and wait until what was sent is answered and recorded.

        `leave` is told, first and whenever that changed, which runs still have a call under way: all
        others have come to rest, with what came of them in the log. Returns how many had a call that
        was not answered within `within_s` seconds.
        """
        self.are_last = True
        until, told, before, still = clock.now() + within_s * 1000, None, None, 0
        while clock.now() < until:
            await clock.sleep(LOOK_SECONDS)
            still = 0 if self.runs != before or is_committing() else still + 1
            before = self.runs
            if still < SURE_LOOKS:
                continue
            if leave is not None and before != told:
                told = before
                await leave(before)
            if not before:
                break
        return len(self.runs)

    def tear(self, execution: Execution) -> bool:
        """End an execution whose run was dropped; tell whether at once, and not after its calls."""
        if execution in self._calls:
            self._torn.add(execution)
            return False
        execution.cancel()
        return True


async def end_of(execution: Execution) -> None:
    """Wait for an execution to end; it ends with who waits for it."""
    try:
        await asyncio.wait([execution])
    except asyncio.CancelledError:
        execution.cancel()
        await asyncio.wait([execution])
        raise


def _less(counts: dict[K, int], of: K) -> int:
    """Count one less, and return how many are left."""
    left = counts[of] - 1
    if left:
        counts[of] = left
    else:
        del counts[of]
    return left
