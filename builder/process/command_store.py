"""The project's database for `run_graph --store database`: opened alone, or not at all."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.management import call_command
from django.db import connections

from builder.adapters.memory.store import DatabaseFacts
from builder.adapters.run_store.database import DatabaseRunStore
from builder.models import Workspace
from builder.process.process_lock import AlreadyServed, exclusive
from builder.process.runner import dialect, mac_key, sole
from engine.cli.run_graph import Opened
from engine.core.errors import StoreError
from engine.core.ports import Clock, Feed, GraphSource
from engine.integrations.models.embeddings.local import LOCAL

HOME: Final = "command-line"
"""The workspace that keeps runs started from the command line."""


@asynccontextmanager
async def open_store(clock: Clock, graphs: GraphSource, feed: Feed) -> AsyncIterator[Opened]:
    """Open the store of the project. Raises `StoreError` while a server holds the database."""
    try:
        with exclusive(Path(settings.VAR_DIR)), sole(_overtaken):
            home = await asyncio.to_thread(_prepare)
            store = DatabaseRunStore(dialect(), clock, graphs, feed, worker="cli", home=home)
            await store.open()
            try:
                yield Opened(store, mac_key(), {"memory": DatabaseFacts(home, embedder=LOCAL)})
            finally:
                await asyncio.to_thread(store.close)
    except AlreadyServed as error:
        raise StoreError(f"{error}: stop the server, or start the run there") from error


def _overtaken(error: AlreadyServed) -> None:
    """End the process: while the database was away a server took it."""
    sys.stderr.write(f"{error}\n")
    os._exit(1)


def _prepare() -> str:
    call_command("migrate", verbosity=0, interactive=False)
    home, _ = Workspace.objects.get_or_create(slug=HOME, defaults={"name": "Command line"})
    connections.close_all()
    return home.pk
