"""What a runner is given: every source of nondeterminism and everything outside, as one bundle."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from engine.agents.skills import SKILLS, Skills
from engine.core.errors import StorageFull, StoreUnavailable
from engine.core.node_types.registry import Handlers
from engine.core.ports import (
    CallTurns,
    Clock,
    Directory,
    Entropy,
    Feed,
    GraphSource,
    MemoryStore,
    PlaceKeeper,
)
from engine.integrations.egress import Egress
from engine.integrations.egress.http_call import CredentialResolver
from engine.integrations.models.chat import Models
from engine.integrations.tools.protocol import Tools
from engine.runtime.system import NoFeed, PlacesForAll, SystemClock, SystemEntropy, TurnsForAll

log = logging.getLogger("graphwright.engine")


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
    places: PlaceKeeper = field(default_factory=PlacesForAll)
    turns: CallTurns = field(default_factory=TurnsForAll)
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
