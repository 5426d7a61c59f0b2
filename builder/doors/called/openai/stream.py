"""A run as a stream of pieces, and as one answer; both are waited for on the loop, in no thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from builder.doors.called.following import follow, last_look
from builder.doors.called.looking import Look
from builder.doors.called.openai.answers import (
    BETWEEN,
    DONE,
    Named,
    event,
    failure,
    last_words,
    usage_of,
)
from builder.doors.called.pool import in_pool
from builder.models import Membership

RECHECK_S: Final = 60.0
"""How often it is asked whether the reader may still read."""
STILL_HERE: Final = b": still here\n\n"
"""Said while nothing else is, so that no proxy gives up."""


@dataclass(frozen=True, slots=True)
class Answering:
    """A run that is to be told: to whom, and whether they may still hear it."""

    named: Named
    member: Membership
    still_allowed: Callable[[], bool]
    with_usage: bool = False


async def pieces(asked: Answering) -> AsyncIterator[bytes]:
    """Yield the stream: a piece for each message of the run, the end, what was used if asked, `[DONE]`."""
    named, loop = asked.named, asyncio.get_running_loop()
    checked, spoken = loop.time(), False
    found: Look | None = None
    yield named.piece(None, first=True)
    async with aclosing(follow(named.run, asked.member, None)) as looks:
        async for found in looks:
            if loop.time() - checked >= RECHECK_S:
                if not await in_pool(asked.still_allowed):
                    return
                checked = loop.time()
            for text in found.said:
                yield named.piece(f"{BETWEEN if spoken else ''}{text}")
                spoken = True
            if not found.said and not found.settled:
                yield STILL_HERE
    assert found is not None
    if found.failed:
        yield event(failure(found))
        return
    for text in last_words(found, spoken):
        yield named.piece(f"{BETWEEN if spoken else ''}{text}")
    yield named.end(found)
    if asked.with_usage:
        yield named.counted(await in_pool(usage_of, named.run))
    yield DONE


async def whole(asked: Answering) -> tuple[int, dict[str, Any]]:
    """Return status and body of the one answer, once the run is over or waits for a person.

    A run that failed is a 422, which clients do not send again by themselves.
    """
    found = await last_look(asked.named.run, asked.member, None)
    if found.failed:
        return 422, failure(found)
    return 200, asked.named.whole(found, await in_pool(usage_of, asked.named.run))
