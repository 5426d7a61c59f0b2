"""Processes whose machines disagree about the time: all of them go by the database's."""

from __future__ import annotations

import time

from builder.adapters.run_store.database import DatabaseRunStore
from builder.adapters.run_store.database_clock import SURE_SECONDS, DatabaseClock, system_ms
from builder.adapters.run_store.heartbeat import Heartbeat
from engine.core.decide.transition import MAX_BACK_MS
from engine.local import LocalGraphs
from tests.builder.databases import Database
from tests.builder.store_world import WAITING, Bare, create, note

HOUR_MS = 3_600_000


def test_what_a_machine_takes_for_the_time_says_nothing_once_the_database_was_asked() -> None:
    system, clock = [5_000], [10.0]
    known = DatabaseClock(lambda: system[0], lambda: clock[0])
    assert known.now() == 5_000

    clock[0] += 2
    known.learn(80_000, sent=11.8, heard=12.0)
    assert known.now() == 80_100
    system[0] += HOUR_MS
    clock[0] += 1
    assert known.now() == 81_100


def test_an_answer_that_was_long_on_its_way_says_too_little() -> None:
    known = DatabaseClock(lambda: 5_000, lambda: 10.0)

    known.learn(80_000, sent=10.0 - SURE_SECONDS - 0.1, heard=10.0)

    assert known.now() == 5_000


async def test_a_process_with_a_clock_of_its_own_takes_the_databases(database: Database) -> None:
    """C31: its timers would fire an hour early in runs that others began."""
    clock = DatabaseClock(lambda: system_ms() + HOUR_MS)
    store = DatabaseRunStore(database.dialect, clock, LocalGraphs([]))
    heart = Heartbeat(store, "worker", alone=False)

    await heart.begin()

    assert abs(clock.now() - time.time() * 1000) < 5_000
    await heart.leave()
    store.close()


async def test_the_time_of_a_run_stands_rather_than_go_back_a_little(database: Database) -> None:
    clock = DatabaseClock()
    store = DatabaseRunStore(database.dialect, clock, LocalGraphs([WAITING]))
    await store.open()
    local = Bare(store, LocalGraphs([WAITING]))
    await create(local, WAITING, "r1")
    ago = [0, 5_000, MAX_BACK_MS + 60_000]
    for ms in ago:
        now = time.monotonic()
        clock.learn(system_ms() - ms, now, now)
        await store.transact("r1", None, note(str(ms)))

    _started, first, stands, back = [event.at for event in await store.events("r1")]

    assert stands == first
    assert back < first, "a clock that was an hour ahead is not waited for"
    store.close()
