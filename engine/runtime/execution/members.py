"""The people of a run's workspace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.core.state.requests import Actor
    from engine.runtime.runner import Runner


async def members_of(runner: Runner, run_id: str) -> Sequence[Actor] | None:
    """Return everyone in the run's workspace, None where nobody knows."""
    directory = runner.services.directory
    if directory is None:
        return None
    state = await runner.store.warm(run_id)
    return await directory.members(state.started.get("workspace_id"))


async def members_for(runner: Runner, run_id: str, request_id: str) -> Sequence[Actor] | None:
    """Return the same for a decision, None where one person's decision is enough."""
    state = await runner.store.warm(run_id)
    opened = state.interrupts.get(request_id)
    return await members_of(runner, run_id) if opened is not None and opened.seats else None
