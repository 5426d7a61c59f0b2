"""The row that says that a process runs activations."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from builder.adapters.run_store.beats import Beats
from builder.adapters.run_store.database import DatabaseRunStore
from builder.adapters.run_store.heartbeat import Heartbeat
from builder.models import Worker
from builder.process.engine_thread import embedded
from engine.local import LocalGraphs
from engine.runtime.runner import Runner
from engine.runtime.stores.sql.writer import SqlWriter
from engine.runtime.system import SystemClock
from tests.builder.databases import Database
from tests.e2e.server import wait_until


@pytest.mark.django_db(transaction=True)
def test_a_process_is_listed_while_its_engine_runs() -> None:
    Worker.objects.create(boot_id="gone", host="x", pid=1, started_at=0, last_seen_at=0)
    with embedded():
        [row] = Worker.objects.all()

        assert row.host
        assert row.started_at == row.last_seen_at > 0
    assert not Worker.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_start_knows_whether_the_process_before_it_died(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """I1: What was under way at an orderly stop is not suspected of having ended its process."""
    told: list[bool] = []
    recover = Runner.recover

    async def watched(runner: Runner, *, crashed: bool) -> int:
        told.append(crashed)
        return await recover(runner, crashed=crashed)

    monkeypatch.setattr(Runner, "recover", watched)
    with embedded():
        died = Worker.objects.get()
    with embedded():
        pass
    died.save(force_insert=True)
    with embedded():
        pass
    with embedded():
        pass

    assert told == [False, False, True, False]


@pytest.mark.postgres
@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_a_long_commit_does_not_make_a_worker_look_dead(database: Database) -> None:
    """I3: the beat waits for nobody's transaction."""
    database.change(
        "INSERT INTO builder_worker (boot_id, host, pid, started_at, last_seen_at) "
        "VALUES ('me', 'here', 1, 0, 0)"
    )
    beats = Beats(database.dialect, "me", lambda: True, every_s=0.01)
    busy = SqlWriter(database.dialect)

    async def commit() -> None:
        commit = asyncio.ensure_future(busy.write([("SELECT pg_sleep(20)", ())]))
        beats.start()
        await asyncio.to_thread(wait_until, lambda: seen(database) > 0, "a beat", 10)
        assert not commit.done()
        commit.cancel()

    asyncio.run(commit())
    beats.stop()
    assert beats.silent_s() < 10
    assert abs(seen(database) - time.time() * 1000) < 60_000


@pytest.mark.postgres
@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_the_sign_of_life_does_not_queue_behind_commits(database: Database) -> None:
    """The worker's writer is busy for longer than others would wait for it."""
    store = DatabaseRunStore(database.dialect, SystemClock(), LocalGraphs([]))
    heart = Heartbeat(store, "worker", alone=False)
    heart._beats._every_s = 0.01
    await heart.begin()
    commit = asyncio.ensure_future(store.writer.write([("SELECT pg_sleep(12)", ())]))
    await asyncio.sleep(0.5)
    database.change("UPDATE builder_worker SET last_seen_at = 0")

    def beats() -> bool:
        return database.rows("SELECT last_seen_at FROM builder_worker") > [(0,)]

    try:
        await asyncio.to_thread(wait_until, beats, "a beat", 5)
        assert not commit.done()
    finally:
        heart._beats._ended.set()
        await commit
        await heart.leave()
        await asyncio.to_thread(store.close)


def test_a_loop_that_hangs_is_not_said_to_live(database: Database) -> None:
    database.change(
        "INSERT INTO builder_worker (boot_id, host, pid, started_at, last_seen_at) "
        "VALUES ('me', 'here', 1, 0, 0)"
    )
    asked = threading.Semaphore(0)

    def is_well() -> bool:
        asked.release()
        return False

    beats = Beats(database.dialect, "me", is_well, every_s=0.01)
    beats.start()
    assert all(asked.acquire(timeout=10) for _ in range(3))
    beats.stop()

    assert seen(database) == 0


def test_a_worker_that_stood_still_is_not_well_again_as_its_beats_return(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others may have taken its runs meanwhile: it has to begin anew."""
    clock = [100.0]
    monkeypatch.setattr("builder.adapters.run_store.beats.time.monotonic", lambda: clock[0])
    beats = Beats(database.dialect, "me", lambda: True)
    beats.beat()
    assert beats.silent_s() == 0

    clock[0] += 30
    beats.beat()
    beats._close()

    assert beats.silent_s() == 30


def seen(database: Database) -> int:
    [[at]] = database.rows("SELECT last_seen_at FROM builder_worker WHERE boot_id = 'me'")
    return int(at)
