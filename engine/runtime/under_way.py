"""Outside calls under way: an execution that its run was torn from sees its call through.

A commit that fails drops its run from memory, and the run's executions with it. What they had sent
is still sent: its answer is waited for and recorded, and the execution that takes the place of such
a one begins when it has ended. Only the end of the process leaves a call behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

T = TypeVar("T")

Execution = asyncio.Task[Any]
"""What runs the code of a node, with all the branches that this has begun."""


class CallsUnderWay:
    """How many calls the executions of one process have sent and not recorded yet."""

    def __init__(self) -> None:
        self._calls: dict[Execution, int] = {}
        self._torn: set[Execution] = set()

    async def see_through(self, execution: Execution, call: Awaitable[T]) -> T:
        """Return what the call gives, which records its outcome itself.

        An execution that was torn from its run meanwhile ends here.
        """
        calls = self._calls
        calls[execution] = calls.get(execution, 0) + 1
        try:
            return await call
        finally:
            left = calls[execution] = calls[execution] - 1
            if not left:
                del calls[execution]
                if execution in self._torn:
                    self._torn.discard(execution)
                    execution.cancel()
                    await asyncio.sleep(0)

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
