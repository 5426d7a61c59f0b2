"""What an engine of this installation is made of: its database, its parts, its runner."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from django.conf import settings
from django.db import connection, connections

from builder.adapters.credentials import credentials_of
from builder.adapters.egress import operators_egress, workspace_egress
from builder.adapters.feed import HubFeed
from builder.adapters.graph_source import WorkspaceGraphs
from builder.adapters.memory.store import DatabaseFacts
from builder.adapters.models.access import model_catalog
from builder.adapters.models.turns import WorkspaceTurns
from builder.adapters.people import WorkspacePeople
from builder.adapters.run_store.database import DatabaseRunStore, postgres_dialect
from builder.adapters.run_store.places import WorkspacePlaces
from builder.adapters.tools.toolset import (
    workspace_tools,
)
from builder.process.advisory_lock import sole_server
from builder.process.process_lock import AlreadyServed
from builder.services.graphs.drafting.handlers import WithDrafting
from engine.core.node_types.registry import HANDLERS
from engine.integrations.models.embeddings.local import LOCAL
from engine.runtime.runner import Runner
from engine.runtime.services import Services
from engine.runtime.stores.sql.store import sqlite_dialect
from engine.runtime.stores.sql.writer import Dialect
from engine.runtime.system import SystemClock


def dialect() -> Dialect:
    """Return how the engine reaches the project's database."""
    config = connections["default"].settings_dict
    if connection.vendor == "sqlite":
        return sqlite_dialect(config["NAME"], synchronous=settings.SQLITE_SYNCHRONOUS)
    parts = {
        "dbname": config["NAME"],
        "user": config["USER"],
        "password": config["PASSWORD"],
        "host": config["HOST"],
        "port": config["PORT"],
    }
    return postgres_dialect(" ".join(f"{k}='{v}'" for k, v in parts.items() if v))


@contextmanager
def sole(on_loss: Callable[[AlreadyServed], None]) -> Iterator[None]:
    """Hold the project's database for this process. Raises `AlreadyServed`.

    The embedded database is held by the lock of its folder; PostgreSQL by one of its own.
    """
    with (
        nullcontext() if connection.vendor == "sqlite" else sole_server(dialect().connect, on_loss)
    ):
        yield


def mac_key() -> bytes:
    """Return the key of single-use tokens, derived from the installation's secret."""
    return hashlib.sha256(b"resume-token" + str(settings.SECRET_KEY).encode()).digest()


def make_runner(
    store_dialect: Dialect,
    *,
    store_kind: type[DatabaseRunStore] = DatabaseRunStore,
    kind: type[Runner] = Runner,
    **services: Any,
) -> Runner:
    """Return a runner over the project's database: the one place where adapters meet the engine."""
    clock = services.pop("clock", None) or SystemClock()
    graphs = services.pop("graphs", None) or WorkspaceGraphs()
    feed = services.pop("feed", None) or HubFeed()
    worker = f"{os.getpid()}"
    store = store_kind(store_dialect, clock, graphs, feed, worker=worker, mail=settings.MAIL)
    feed.peek = store.peek
    egress = operators_egress().serving("tool")
    handlers = WithDrafting(services.pop("handlers", HANDLERS))
    bundle: dict[str, Any] = {
        "models": model_catalog(),
        "tools": workspace_tools(egress),
        "graphs": graphs,
        "handlers": handlers,
        "secret": mac_key(),
        "clock": clock,
        "feed": feed,
        "places": WorkspacePlaces(store),
        "turns": WorkspaceTurns(store),
        "egress": egress,
        "egress_of": workspace_egress,
        "credentials": credentials_of,
        "memory": DatabaseFacts(embedder=LOCAL),
        "directory": WorkspacePeople(),
        "worker": worker,
    }
    return kind(store, Services(**(bundle | services)))
