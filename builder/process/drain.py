"""The end of a process in good order: what it has sent is answered before it goes."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Set

from django.conf import settings

from engine.runtime.runner import Runner

log = logging.getLogger("graphwright.engine")


async def see_out(
    runner: Runner, leave: Callable[[Set[str]], Awaitable[None]] | None = None
) -> None:
    """Send nothing more, and wait for calls under way, `DRAIN_SECONDS` at most.

    Whoever takes such a run over goes on from what the call gave; of a call that took longer the
    outcome is unknown, as after a crash. `leave` is told which runs have one, as that changes.
    """
    calls, store = runner.under_way, runner.store
    if runner.closed:
        return
    if calls.runs:
        said = "ends once calls are answered, in %s s at most; a second signal ends it at once"
        log.warning(said, settings.DRAIN_SECONDS)
    left = await calls.drain(settings.DRAIN_SECONDS, runner.clock, lambda: store.committing, leave)
    if left:
        log.warning("runs whose call was not answered before the end: %s", left)
