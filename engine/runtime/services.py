"""What a runner is given: every source of nondeterminism and everything outside, as one bundle."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from engine.agents.skills import SKILLS, Skills
from engine.core.errors import StorageFull, StoreUnavailable
from engine.core.node_types.registry import Handlers
from engine.core.ports import Clock, Directory, Entropy, Feed, GraphSource, MemoryStore
from engine.integrations.egress import Egress
from engine.integrations.egress.http_call import CredentialResolver
from engine.integrations.models.chat import Models
from engine.integrations.tools.protocol import Tools

log = logging.getLogger("graphwright.engine")


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


def _log_error(error: BaseException) -> None:
    # Each run tries again every few seconds: where it came to pass would fill the full disk further.
    away = isinstance(error, StorageFull | StoreUnavailable)
    log.error("engine task failed: %s", error, exc_info=None if away else error)


def _log_handler(error: BaseException) -> None:
    log.debug("node code raised %s", type(error).__name__, exc_info=error)


@dataclass(slots=True)
class Services:
    """The outside of a runner. `secret` keys single-use tokens; `report` hears of engine bugs."""

    models: Models
    tools: Tools
    graphs: GraphSource
    handlers: Handlers
    secret: bytes
    clock: Clock = field(default_factory=SystemClock)
    entropy: Entropy = field(default_factory=SystemEntropy)
    feed: Feed = field(default_factory=NoFeed)
    skills: Skills = SKILLS
    egress: Egress | None = None
    memory: MemoryStore | None = None
    directory: Directory | None = None
    """Who is in a workspace; without one, an approval by everyone can name people only."""
    credentials: Callable[[str | None], CredentialResolver] | None = None
    """Gives the credentials of one workspace; nodes never see another's."""
    egress_of: Callable[[str | None], Awaitable[Egress]] | None = None
    """Gives the egress of one workspace; without it all share `egress`."""
    stopwatch: Callable[[], float] = time.perf_counter
    worker: str = "local"
    report: Callable[[BaseException], None] = _log_error
    report_handler: Callable[[BaseException], None] = _log_handler

    async def egress_for(self, workspace_id: str | None) -> Egress | None:
        """Return what a workspace's calls leave by, None where HTTP is switched off."""
        if self.egress is None or self.egress_of is None:
            return self.egress
        return await self.egress_of(workspace_id)
