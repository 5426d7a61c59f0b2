"""An orderly end: nothing more is sent, and what was sent is answered and recorded."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Set
from typing import Final

from engine.runtime.host import RunControl

LOOK_SECONDS: Final = 0.02
"""How often a process that ends looks whether all is answered: longer than a buffer is kept."""
SURE_LOOKS: Final = 2
"""After so many looks at which nothing changed or was being committed, nobody is between the intent
of a call and the call itself, and no outcome waits in a buffer."""


async def drain(
    runner: RunControl, within_s: float, leave: Callable[[Set[str]], Awaitable[None]] | None = None
) -> int:
    """Begin no call more, and wait until what was sent is answered and recorded.

    `leave` is told, first and whenever that changed, which runs still have a call under way: all
    others have come to rest, with what came of them in the log. Returns how many had a call that
    was not answered within `within_s` seconds.
    """
    calls, clock = runner.under_way, runner.clock
    calls.are_last = True
    until, told, before, still = clock.now() + within_s * 1000, None, None, 0
    while not runner.closed and clock.now() < until:
        await clock.sleep(LOOK_SECONDS)
        still = 0 if calls.runs != before or runner.store.committing else still + 1
        before = calls.runs
        if still < SURE_LOOKS:
            continue
        if leave is not None and before != told:
            told = before
            await leave(before)
        if not before:
            break
    return len(calls.runs)
