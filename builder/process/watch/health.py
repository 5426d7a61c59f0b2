"""What a supervisor asks: `/healthz` whether to restart the process, `/readyz` whether to send people.

Both answer on the loop, whatever the request threads do, to anybody, and tell nothing else.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

import orjson
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from builder.base import engine_door
from builder.live.origin import Application

PATIENCE_S: Final = 3.0
PATHS: Final = ("/healthz", "/readyz")


class Checks:
    """Asks engine and database, each in a thread of its own, one question at a time."""

    def __init__(self) -> None:
        self._threads = {
            name: ThreadPoolExecutor(1, thread_name_prefix=f"check-{name}")
            for name in ("alive", "ready", "database")
        }
        self._asked: dict[str, Future[bool]] = {}
        self._migrated = False

    async def alive(self) -> bool:
        """Return whether the engine's loop turns."""
        return await self._answer("alive", _engine_turns)

    async def ready(self) -> bool:
        """Return whether the engine has taken over what was left, and its loop turns."""
        return await self._answer("ready", _engine_is_ready)

    async def database(self) -> bool:
        """Return whether the database answers and is migrated."""
        return await self._answer("database", self._database_answers)

    async def _answer(self, name: str, question: Any) -> bool:
        asked = self._asked.get(name)
        if asked is None or asked.done():  # who hangs is asked once
            asked = self._asked[name] = self._threads[name].submit(question)
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await asyncio.shield(asyncio.wrap_future(asked))
        except Exception:  # noqa: BLE001  (whatever it is: it does not answer)
            return False

    def _database_answers(self) -> bool:
        connection.close_if_unusable_or_obsolete()
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            self._migrated = self._migrated or _is_migrated()
        except Exception:
            connection.close()
            raise
        return self._migrated


class HealthDoor:
    """Answers the two addresses and passes everything else on."""

    def __init__(self, inside: Application) -> None:
        self._inside = inside
        self._checks = Checks()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Answer 200 or 503, with what was found wanting."""
        if scope["path"] not in PATHS or scope["method"] not in ("GET", "HEAD"):
            return await self._inside(scope, receive, send)
        if scope["path"] == "/healthz":
            found = {"engine": await self._checks.alive()}
        else:
            found = {"engine": await self._checks.ready()}
            found["database"] = await self._checks.database()
        status = 200 if all(found.values()) else 503
        body = orjson.dumps({"status": "ok" if status == 200 else "unavailable", **found})
        headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        shown = b"" if scope["method"] == "HEAD" else body
        return await send({"type": "http.response.body", "body": shown})


def _engine_turns() -> bool:
    return engine_door.engine().is_alive(PATIENCE_S)


def _engine_is_ready() -> bool:
    return engine_door.engine().is_ready(PATIENCE_S)


def _is_migrated() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())
