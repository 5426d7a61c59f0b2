"""Places for runs, judged by rows on both databases: two workers never exceed what a workspace set."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connections

from builder.adapters.run_store.apart.unowned_store import UnownedStore
from builder.adapters.run_store.apart.worker_store import WorkerStore
from builder.adapters.run_store.database import DatabaseRunStore
from builder.adapters.run_store.places import WorkspacePlaces, give_places, limit_of
from builder.adapters.threads import in_thread
from engine.local import Local
from engine.runtime.stores import resting
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from tests.builder.databases import HOME, Database
from tests.builder.store_world import (
    BUSY,
    WAITING,
    Installation,
    approve,
    installation,
    start,
    store_of,
)

__all__ = ["installation"]
RUNS = tuple(f"r{n}" for n in range(6))


@pytest.fixture(autouse=True)
def _served(database: Database, django_db_blocker: Any) -> Iterator[None]:
    with django_db_blocker.unblock(), database.served():
        yield


def allow(database: Database, runs: int) -> None:
    database.change(
        f"UPDATE builder_workspace SET settings = '{{\"runs_at_once\": {runs}}}' WHERE id = ?",
        (HOME,),
    )


async def process(
    installation: Installation, graph: Any, kind: type[DatabaseRunStore] = WorkerStore
) -> Local:
    """Return a process that knows what workspaces allow."""
    local = await installation.process(graph, kind=kind)
    places = WorkspacePlaces(store_of(local))
    await places.learn()
    local.runner.services.places = places
    local.runner.env.limited = places.limited
    return local


def statuses(database: Database) -> list[str]:
    return [row[0] for row in database.rows("SELECT status FROM builder_run ORDER BY number")]


def queue(database: Database, runs: int) -> None:
    for number in range(runs):
        database.change(
            "INSERT INTO builder_run (id, workspace_id, graph_slug, status, started_at, waiting_for, "
            "spent_tokens, spent_pico, held_tokens, held_pico, number) "
            "VALUES (?, ?, 'g', 'queued', 0, '[]', 0, 0, 0, 0, ?)",
            (f"q{number}", HOME, number),
        )


def placed(database: Database) -> list[str]:
    rows = database.rows("SELECT id FROM builder_run WHERE place_at > 0 ORDER BY number")
    return [row[0] for row in rows]


def test_the_oldest_are_given_the_places(database: Database) -> None:
    allow(database, 3)
    queue(database, 5)

    assert give_places(HOME) == 3
    assert give_places(HOME) == 0
    assert placed(database) == ["q0", "q1", "q2"]


def test_all_go_on_once_there_is_no_limit(database: Database) -> None:
    queue(database, 5)

    assert give_places(HOME) == 5


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
@pytest.mark.postgres
def test_two_who_give_places_at_once_give_each_once(database: Database) -> None:
    allow(database, 4)
    queue(database, 40)
    ready, given = threading.Barrier(8), list[int]()

    def give() -> None:
        ready.wait()
        try:
            given.append(give_places(HOME))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=give) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(given) == 4
    assert placed(database) == ["q0", "q1", "q2", "q3"]


def test_the_smaller_of_what_workspace_and_operator_say_counts(settings: LazySettings) -> None:
    settings.RUNS_AT_ONCE = 5
    assert [limit_of({"runs_at_once": said}) for said in (None, 3, 9)] == [5, 3, 5]
    settings.RUNS_AT_ONCE = 0
    assert (limit_of({}), limit_of('{"runs_at_once": 3}')) == (None, 3)


async def test_two_workers_never_exceed_what_a_workspace_allows(
    installation: Installation, database: Database
) -> None:
    """Both give places and look for runs; as rows say, two at most move, and each waited its turn."""
    allow(database, 2)
    workers = [await process(installation, BUSY) for _ in range(2)]
    for run_id in RUNS:
        await start(workers[0], BUSY, run_id)
    most = 0
    async with asyncio.timeout(60):
        while statuses(database) != ["waiting"] * len(RUNS):
            rows = database.rows(
                "SELECT COUNT(*) FROM builder_run WHERE status = 'running' AND place_at = 0"
            )
            most = max(most, rows[0][0])
            for worker in workers:
                await worker.runner.recovery.scan()
            await asyncio.sleep(0.01)
    for worker in workers:
        await worker.runner.close()

    assert most <= 2
    for type_ in ("RunQueued", "RunAdmitted"):
        told = "SELECT COUNT(DISTINCT place / ?) FROM builder_runevent WHERE type = ?"
        assert database.rows(told, (EVENTS_PER_RUN, type_)) == [(len(RUNS),)]


async def test_a_start_elsewhere_waits_until_a_worker_has_a_place_for_it(
    installation: Installation, database: Database
) -> None:
    allow(database, 1)
    web = await process(installation, WAITING, UnownedStore)
    for run_id in ("r1", "r2"):
        await start(web, WAITING, run_id)
    assert statuses(database) == ["queued", "queued"]
    database.change("UPDATE builder_run SET place_at = 1 WHERE id = 'r1'")

    worker = await process(installation, WAITING)
    await worker.runner.recovery.scan()
    assert (await worker.runner.settled("r1")).status == "waiting"
    await approve(worker, "r2")
    assert (await worker.runner.settled("r2")).status == "completed"
    await worker.runner.close()


async def test_what_was_given_a_place_by_one_that_died_moves(
    installation: Installation, database: Database
) -> None:
    """Between the place and the run's own word for it lies a kill."""
    allow(database, 1)
    first = await process(installation, WAITING)
    first.runner.places._looking = True
    await start(first, WAITING, "r1")
    await in_thread(give_places, HOME)
    assert placed(database) == ["r1"]
    await first.runner.close()

    second = await process(installation, WAITING)
    await second.runner.recovery.scan()

    assert (await second.runner.settled("r1")).status == "waiting"
    assert placed(database) == []
    await second.runner.close()


async def test_a_long_queue_is_left_to_the_disk(
    installation: Installation, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resting, "REST_MS", 0)
    queue(database, 1)
    database.change("UPDATE builder_run SET status = 'running'")  # somebody else's, for ever
    allow(database, 1)
    worker = await process(installation, WAITING)
    await start(worker, WAITING, "r1")
    await worker.runner.places.look()
    await worker.runner.recovery._let_rest()
    assert worker.store.peek("r1") is None

    database.change("UPDATE builder_run SET status = 'completed' WHERE id = 'q0'")
    await worker.runner.places.look()

    assert (await worker.runner.settled("r1")).status == "waiting"
    await worker.runner.close()
