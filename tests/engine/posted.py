"""Wishes as rows, as another process writes them beside facts of its own."""

from __future__ import annotations

import json
from typing import Any

from engine.runtime.runner import Runner
from engine.runtime.stores.buffered import BufferedStore
from engine.runtime.stores.memory_requests import MemoryRequests
from engine.runtime.stores.requests import Wish, outcome
from engine.runtime.stores.sql.store import SqlRunStore

POST = 'INSERT INTO builder_request (run, kind, payload, "by", created) VALUES (?, ?, ?, ?, ?)'
LAST = "SELECT MAX(id) FROM builder_request WHERE run = ?"


async def post(store: BufferedStore, run_id: str, wish: Wish) -> int:
    """Make a wish durable without a bell; return its number. Raises `StoreError`."""
    if isinstance(store.requests, MemoryRequests):
        return store.requests.posted.post(run_id, wish, store.clock.now())
    assert isinstance(store, SqlRunStore)
    row = (run_id, wish.kind, json.dumps(wish.payload), wish.by, store.clock.now())
    await store.writer.write([(POST, row)])
    [[number]] = await store.reader.rows(LAST, (run_id,))
    return int(number)


async def ask(runner: Runner, run_id: str, wish: Wish) -> dict[str, Any]:
    """Post a wish, look at once, and return what was granted. Raises `RequestRefused`, `StoreError`."""
    return await heard(runner, run_id, await post(runner.store, run_id, wish))


async def heard(runner: Runner, run_id: str, number: int) -> dict[str, Any]:
    """Look for what was posted, and return what was granted. Raises as `ask`."""
    await runner.mailbox.look(run_id)
    told = await runner.store.requests.told(number)
    assert told is not None
    return outcome(told)
