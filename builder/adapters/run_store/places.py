"""Places for runs: how many of a workspace may move at once, and who is next, judged by rows.

Who holds a place is what rows of runs say; it is given under the lock of the workspace's row, so that
two workers never give the same one. The older run comes first.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

import orjson
from django.conf import settings
from django.db import Error, transaction
from django.db.models import F, Q

from builder.adapters.run_store.database import DatabaseRunStore
from builder.adapters.threads import in_thread
from builder.base.bells import STARTS, hub
from builder.base.database_trouble import trouble_of
from builder.models import Run, Workspace
from engine.core.errors import StoreError

SETTINGS: Final = "SELECT id, settings FROM builder_workspace"
WAITING: Final = (
    "SELECT DISTINCT workspace_id FROM builder_run WHERE status = 'queued' AND place_at = 0"
)
HOLDING: Final = Q(status__in=("running", "ending"), place_at=0) | Q(
    status="queued", place_at__gt=0
)
WANTING: Final = Q(status="queued", place_at=0)


def limit_of(workspace: Any) -> int | None:
    """Return how many runs may move at once by a workspace's settings and the operator's; None: all."""
    if isinstance(workspace, str | bytes):  # one database keeps text, another an object
        workspace = orjson.loads(workspace)
    said = [number for number in (workspace.get("runs_at_once"), settings.RUNS_AT_ONCE) if number]
    return min(said) if said else None


class WorkspacePlaces:
    """The engine's `PlaceKeeper` on the project's tables. What is allowed is as new as the last look."""

    def __init__(self, store: DatabaseRunStore) -> None:
        self._store = store
        self._limited: dict[str | None, bool] = {}

    def limited(self, workspace_id: str | None) -> bool:
        """Return whether runs of the workspace have to have a place before they move."""
        return self._limited.get(workspace_id, bool(settings.RUNS_AT_ONCE))

    async def learn(self) -> None:
        """Know from now on what workspaces allow. Raises `StoreError`."""
        rows = await self._store.reader.rows(SETTINGS)
        self._limited = {str(row[0]): limit_of(row[1]) is not None for row in rows}

    async def admitted(self) -> Sequence[str]:
        """Give what places are free to those who wait; return which runs of this process have one."""
        await self.learn()
        waiting = [str(row[0]) for row in await self._store.reader.rows(WAITING)]
        try:
            given = [await in_thread(give_places, workspace_id) for workspace_id in waiting]
        except Error as error:
            raise trouble_of(error) or StoreError(f"no place could be given: {error}") from error
        if any(given):
            hub.ring(STARTS)
        return await self._store.owned.placed()


def give_places(workspace_id: str) -> int:
    """Give the free places of a workspace to the oldest of its runs that want one; return how many."""
    runs = Run._base_manager.filter(workspace_id=workspace_id)
    with transaction.atomic():
        mine = Workspace.objects.filter(pk=workspace_id)
        mine.update(slug=F("slug"))  # whatever it was before, from here on nobody else decides
        limit = limit_of(mine.get().settings)
        wanting = runs.filter(WANTING).order_by("number").values_list("pk", flat=True)
        if limit is not None:
            wanting = wanting[: max(limit - runs.filter(HOLDING).count(), 0)]
        return runs.filter(WANTING, pk__in=list(wanting)).update(
            place_at=time.time_ns() // 1_000_000
        )
