"""Pauses that providers ask for, on both databases: no worker calls with that key before they are over."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from builder.adapters.models import turns as module
from builder.adapters.models.turns import WorkspaceTurns
from builder.adapters.threads import in_thread
from builder.models import AcceptedProvider, CallTurn, Credential, ProviderPause, Worker
from builder.reads.runs.queue import calls_before
from engine.runtime.stores.sql.reader import Reader
from engine.runtime.stores.sql.writer import SqlWriter
from tests.builder.databases import AWAY, HOME, Database
from tests.builder.store_world import installation

__all__ = ["installation"]
pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("installation")]
SMALL, LARGE, OTHER = "house/small", "house/large", "other/one"


@pytest.fixture(autouse=True)
def _served(
    database: Database, django_db_blocker: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    monkeypatch.setattr(module, "SPREAD_S", 0.0)
    monkeypatch.setattr(module, "PAUSE_LOOK_S", 0.1)
    with django_db_blocker.unblock(), database.served():
        yield


def alive(worker: str) -> None:
    row = {"host": "h", "pid": 1, "started_at": 1, "last_seen_at": 1_000_000}
    Worker.objects.create(boot_id=worker, **row)


@asynccontextmanager
async def two_workers(database: Database) -> AsyncIterator[list[WorkspaceTurns]]:
    """Give the turns of two workers on one database."""
    both, stores = [], []
    for name in ("w1", "w2"):
        await in_thread(alive, name)
        store: Any = SimpleNamespace(
            owned=SimpleNamespace(worker=name),
            reader=Reader(database.dialect, threaded=True),
            writer=SqlWriter(database.dialect),
        )
        stores.append(store)
        both.append(WorkspaceTurns(store))
    try:
        yield both
    finally:
        for turns, store in zip(both, stores, strict=True):
            await turns.aclose()
            await asyncio.to_thread(store.writer.close)
            store.reader.close()


async def waits(turns: WorkspaceTurns, model: str = SMALL, workspace: str = HOME) -> bool:
    """Return whether a call has to wait; it is not made then."""
    try:
        async with asyncio.timeout(0.5):
            turns.over(await turns.take(workspace, "r1", "a", model))
    except TimeoutError:
        return True
    return False


def own_key(workspace: str) -> None:
    Credential.objects.create(
        workspace_id=workspace, name="house", kind="api_key", hosts=["h"], ciphertext=b"x"
    )


def shared_key(workspace: str) -> None:
    AcceptedProvider.objects.create(
        workspace_id=workspace, provider_id="house-env", provider="house", source="environment"
    )


async def test_a_pause_that_one_worker_heard_of_holds_for_all_and_ends(database: Database) -> None:
    async with two_workers(database) as (one, other):
        await one.pause(HOME, SMALL, 2_500)
        since = time.monotonic()
        assert await waits(other, LARGE), "it is the key that is to rest, not a model"
        assert not await waits(other, OTHER)
        assert not await waits(other, workspace=AWAY), "another workspace has another key"
        for turns in (one, other):
            assert await turns.take(HOME, "r2", "a", SMALL) is None
        assert 2.0 < time.monotonic() - since < 8.0
        assert await one.take(None, "r3", "a", SMALL) is None
        await one.pause(None, SMALL, 1_000)


async def test_a_pause_is_never_shortened_and_ends_within_five_minutes(database: Database) -> None:
    async with two_workers(database) as (one, other):
        await one.pause(HOME, SMALL, 3_600_000)
        long = await in_thread(lambda: ProviderPause.objects.get().until)
        await other.pause(HOME, SMALL, 1_000)
        kept = await in_thread(lambda: ProviderPause.objects.get().until)
    assert kept == long <= time.time() * 1_000 + 301_000


async def test_who_shares_the_key_of_the_environment_shares_its_pause(database: Database) -> None:
    for workspace in (HOME, AWAY):
        await in_thread(shared_key, workspace)
    async with two_workers(database) as (one, other):
        await one.pause(HOME, SMALL, 60_000)
        assert await waits(other, workspace=AWAY)
        await in_thread(lambda: ProviderPause.objects.all().delete())
        await in_thread(own_key, AWAY)
        await one.pause(HOME, SMALL, 60_000)
        assert not await waits(other, workspace=AWAY), "it has a key of its own"
        await in_thread(lambda: ProviderPause.objects.all().delete())
        await other.pause(AWAY, SMALL, 60_000)
        assert not await waits(one), "it was the other's own key"


async def test_who_waits_for_the_end_of_a_pause_is_seen_and_goes_on_where_it_is_lifted(
    database: Database,
) -> None:
    async with two_workers(database) as (one, other):
        await one.pause(HOME, SMALL, 60_000)
        call = asyncio.create_task(other.take(HOME, "r1", "a", SMALL))
        for _ in range(200):
            if await in_thread(lambda: CallTurn.objects.waiting().filter(paused=True).exists()):
                break
            await asyncio.sleep(0.02)
        run: Any = SimpleNamespace(pk="r1", status="running", workspace_id=HOME)
        [said] = (await in_thread(calls_before, [run]))["r1"]
        assert said.startswith("a call of house/small: house asked for a pause, ")
        assert said.endswith(" s more")
        await in_thread(lambda: ProviderPause.objects.all().delete())
        async with asyncio.timeout(20):
            assert await call is None


def rests() -> list[bool]:
    """Return of each call that waits or has a turn whether it waits for the end of a pause."""
    return list(CallTurn.objects.values_list("paused", flat=True))


async def test_a_turn_that_comes_within_a_pause_is_given_on(database: Database) -> None:
    said = json.dumps({"calls_at_once": {"house": 1}})
    database.change("UPDATE builder_workspace SET settings = ? WHERE id = ?", (said, HOME))
    async with two_workers(database) as (one, other):
        first = await one.take(HOME, "r1", "a", SMALL)
        second = asyncio.create_task(other.take(HOME, "r2", "a", SMALL))
        for _ in range(200):
            if await in_thread(lambda: CallTurn.objects.filter(run="r2").exists()):
                break
            await asyncio.sleep(0.02)
        await one.pause(HOME, SMALL, 60_000)
        one.over(first)
        for _ in range(500):  # the row of its turn leaves once that of its wait is there
            if (rows := await in_thread(rests)) == [True]:
                break
            await asyncio.sleep(0.02)
        assert rows == [True]
        assert not second.done()
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
