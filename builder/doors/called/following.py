"""Waiting for a run on the loop: look after look until it is over, waits for a person, or time is up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from builder.base import engine_door
from builder.base.bells import Mailbox
from builder.doors.called.looking import Look, look
from builder.doors.called.pool import in_pool
from builder.models import Membership, Run

POLL_S: Final = 5.0
"""How long a lost bell may delay what is told."""
BETWEEN_S: Final = 0.05
"""So far apart are two looks at a run, however often it rings."""
MOST_HANDED: Final = 20
"""So many runs are followed where one hands over to the next."""
BEGIN_S: Final = 5.0
"""How long a run is waited for that another one has announced."""


async def follow(run_id: str, member: Membership, within_s: float | None) -> AsyncGenerator[Look]:
    """Yield how the run stands, at least every `POLL_S`; the last look is settled or time is up.

    Where a run hands over to another one, that is followed. Leaving early never touches the run.
    """
    loop = asyncio.get_running_loop()
    deadline = None if within_s is None else loop.time() + within_s
    following: str | None = run_id
    for _ in range(MOST_HANDED):
        if following is None:
            return
        current, following = following, None
        async with aclosing(_one(current, member, deadline)) as looks:
            async for found in looks:
                yield found
                following = found.next_run if found.status in Run.ENDED else None
        if following is not None and not await _begun(following):
            return


async def last_look(run_id: str, member: Membership, within_s: float | None) -> Look:
    """Return the look at which `follow` ends, with everything that was said on the way."""
    said: list[str] = []
    found: Look | None = None
    async with aclosing(follow(run_id, member, within_s)) as looks:
        async for found in looks:
            said += found.said
    assert found is not None
    return replace(found, said=said)


async def _one(run_id: str, member: Membership, deadline: float | None) -> AsyncGenerator[Look]:
    loop = asyncio.get_running_loop()
    mailbox = Mailbox(loop)
    unsubscribe = engine_door.engine().subscribe(run_id, mailbox)
    try:
        after = 0
        while True:
            found = await in_pool(look, run_id, member, after)
            more = found.seen > after
            after = found.seen
            yield found
            if found.settled or found.status in Run.ENDED:
                return
            left = POLL_S if deadline is None else min(POLL_S, deadline - loop.time())
            if left <= 0:
                return
            if not more:
                await mailbox.rang(left)
            await asyncio.sleep(BETWEEN_S)
    finally:
        unsubscribe()


async def _begun(run_id: str) -> bool:
    """Return whether a run that was announced is there, once it is or time is up."""
    loop = asyncio.get_running_loop()
    mailbox, deadline = Mailbox(loop), loop.time() + BEGIN_S
    unsubscribe = engine_door.engine().subscribe(run_id, mailbox)
    try:
        while not await in_pool(_exists, run_id):
            if loop.time() >= deadline:
                return False
            await mailbox.rang(BEGIN_S / 10)
        return True
    finally:
        unsubscribe()


def _exists(run_id: str) -> bool:
    return Run.objects.filter(pk=run_id).exists()
