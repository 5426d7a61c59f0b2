"""Time and chance of this machine, and a feed that nobody listens to."""

from __future__ import annotations

import asyncio
import os
import random
import time
import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from engine.core.errors import ProviderError
from engine.core.ports import CallTurns, Clock
from engine.core.state.patience import TOO_MANY

LONGEST_PAUSE_MS: Final = 300_000
"""Others are kept waiting for five minutes at most, whatever a provider asks of one call."""


class SystemClock:
    """The machine's clock, shifted by `offset_ms` where time was moved on purpose."""

    def __init__(self) -> None:
        self.offset_ms = 0

    def now(self) -> int:
        return time.time_ns() // 1_000_000 + self.offset_ms

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class SystemEntropy:
    """Chance and ids from the operating system."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()

    def random(self) -> float:
        return self._random.random()

    def new_id(self) -> str:
        """Return a UUID of version 7: unique, and in order of time."""
        ms = time.time_ns() // 1_000_000
        tail = int.from_bytes(os.urandom(10), "big")
        value = (ms & (1 << 48) - 1) << 80 | 0x7 << 76 | (tail >> 4 & 0xFFF) << 64
        value |= 0b10 << 62 | tail & (1 << 62) - 1
        return str(uuid.UUID(int=value))


class NoFeed:
    """A feed that nobody listens to."""

    def committed(self, run_id: str, seq: int) -> None:
        """Do nothing."""

    def delta(self, run_id: str, key: str, text: str, *, reset: bool = False) -> None:
        """Do nothing."""


class TurnsForAll:
    """As many calls at once as there are, none while their provider asked for a pause."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._until: dict[tuple[str | None, str], int] = {}

    async def take(self, workspace_id: str | None, run_id: str, key: str, model: str) -> None:
        """Return once no pause is asked for."""
        whose = (workspace_id, provider_of(model))
        while (left_ms := self._until.get(whose, 0) - self._clock.now()) > 0:
            await self._clock.sleep(left_ms / 1000)

    async def wants_money(
        self, workspace_id: str | None, run_id: str, key: str, model: str
    ) -> None:
        """Note nothing: nobody looks."""

    def over(self, turn: int | None) -> None:
        """Do nothing."""

    async def pause(self, workspace_id: str | None, model: str, wait_ms: int) -> None:
        """Let no call of the provider begin for so long, `LONGEST_PAUSE_MS` at most."""
        whose = (workspace_id, provider_of(model))
        until = self._clock.now() + min(wait_ms, LONGEST_PAUSE_MS)
        self._until[whose] = max(until, self._until.get(whose, 0))


def provider_of(model: str) -> str:
    """Return the provider of `provider/name`."""
    return model.partition("/")[0]


class Turn:
    """The turn of one call: it may be given back for a while, and is the call's again by `take`."""

    __slots__ = ("_held", "_note", "_noted", "_take", "_turns")

    def __init__(
        self, turns: CallTurns, workspace_id: str | None, run_id: str, key: str, model: str
    ) -> None:
        self._turns = turns
        self._take = partial(turns.take, workspace_id, run_id, key, model)
        self._note = partial(turns.wants_money, workspace_id, run_id, key, model)
        self._held: int | None = None
        self._noted: int | None = None

    async def take(self) -> None:
        """Return once the call may be made. Raises `StoreError`."""
        self._held = await self._take()

    async def wait_for_money(self) -> None:
        """Let others call meanwhile, and have it told what this one waits for. Raises `StoreError`."""
        self._give_back()
        if self._noted is None:
            self._noted = await self._note()

    def over(self) -> None:
        """Say that the call is over, or will not be made."""
        self._give_back()
        noted, self._noted = self._noted, None
        if noted is not None:
            self._turns.over(noted)

    def _give_back(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            self._turns.over(held)


@asynccontextmanager
async def in_turn(
    turns: CallTurns, workspace_id: str | None, run_id: str, key: str, model: str
) -> AsyncGenerator[Turn]:
    """Wait until `provider/name` may be called by the activation `key`; the body makes the call.

    Who waits has sent nothing, holds no money that others could spend, and is on no record: after
    a crash it asks anew. Where the provider says that it is asked too often, nobody asks it until
    it wants to be asked again: that would only use up their attempts. Raises `StoreError`.
    """
    turn = Turn(turns, workspace_id, run_id, key, model)
    try:
        await turn.take()
        yield turn
    except ProviderError as error:
        if error.status == TOO_MANY and error.retry_after_ms:
            await turns.pause(workspace_id, model, error.retry_after_ms)
        raise
    finally:
        turn.over()


class PlacesForAll:
    """As many places as there are runs."""

    def limited(self, workspace_id: str | None) -> bool:
        """Return False."""
        return False

    async def admitted(self) -> Sequence[str]:
        """Return that nobody waits."""
        return ()
