"""The engine's directory: the members of a workspace."""

from __future__ import annotations

from collections.abc import Sequence

from builder.adapters.directory import actors_in
from builder.adapters.threads import in_thread
from engine.core.state.requests import Actor


class WorkspacePeople:
    """Reads memberships when asked, so that a lost role counts at once."""

    async def members(self, workspace_id: str | None) -> Sequence[Actor]:
        """Return everyone who may sign in to the workspace now."""
        return await in_thread(actors_in, workspace_id)
