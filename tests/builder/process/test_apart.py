"""Processes that share one PostgreSQL: their bells, their locks, and who keeps the house."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from builder.adapters.run_store.apart.worker_store import SILENT_SECONDS, WorkerStore
from builder.base.bells import Frame, Hub
from builder.process.advisory_lock import AMONG_OTHERS, sole_server
from builder.process.apart.house import House
from builder.process.apart.wire import MAX_BYTES, Wire, _payloads
from builder.process.apart.worker_engine import WorkerEngine
from builder.process.process_lock import AlreadyServed
from engine.runtime.stores.sql.ownership import ALIVE_MS, MOVABLE, OF_MINE, OFFERED
from tests.builder.databases import Database
from tests.e2e.server import wait_until

on_postgres = [
    pytest.mark.postgres,
    pytest.mark.parametrize("database", ["postgres"], indirect=True),
]


def test_notices_hold_all_that_is_said_and_fit() -> None:
    said: list[tuple[str, Any]] = [(f"run:{n:036}", None) for n in range(1_000)]
    too_long = ("run:x", {"text": "a" * MAX_BYTES})

    notices = list(_payloads("me", [*said, too_long]))

    assert max(map(len, notices)) < 8_000
    heard = [tuple(one) for notice in notices for one in json.loads(notice)[1]]
    assert heard == said


@pytest.mark.parametrize(("silent_s", "begun"), [(SILENT_SECONDS - 1, 0), (SILENT_SECONDS + 1, 1)])
async def test_a_worker_whose_beats_do_not_arrive_begins_anew(
    silent_s: float, begun: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before others may take it for dead: they wait until 20 s have passed."""
    commands: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda _path, command: commands.append(command))
    engine = WorkerEngine()
    monkeypatch.setattr(engine, "_heartbeat", SimpleNamespace(silent_s=lambda: silent_s))

    seen_out: list[int] = []

    async def see_out() -> None:
        seen_out.append(len(commands))

    monkeypatch.setattr(engine, "_see_out", see_out)
    await engine._begin_anew_if_silent()
    engine._loop.close()

    assert len(commands) == begun
    assert seen_out == [0] * begun, "what is under way is answered first"
    assert SILENT_SECONDS * 1000 < ALIVE_MS


async def test_a_worker_that_left_runs_looks_again_as_soon_as_it_has_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody rings for a run that ends here: a backlog would move on with the scans alone."""
    store, room = WorkerStore.__new__(WorkerStore), [0, 0, 1]
    store.left_some = True
    monkeypatch.setattr(store, "room", lambda: room.pop(0))
    monkeypatch.setattr(WorkerEngine, "_store", store)
    engine = WorkerEngine()

    await asyncio.wait_for(engine._bell_or_room(), 10)
    engine._loop.close()

    assert room == []
    store.left_some = False
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(engine._bell_or_room(), 0.05)
    engine._rung.set()
    await asyncio.wait_for(engine._bell_or_room(), 10)


class TestOnPostgres:
    """What needs the real database."""

    pytestmark = on_postgres

    def test_a_bell_is_heard_in_the_other_process_and_once(self, database: Database) -> None:
        heard: list[tuple[str, Frame | None]] = []
        hubs = Hub(), Hub()
        wires = [
            Wire(database.dialect.connect, hub, lambda *said: heard.append(said)) for hub in hubs
        ]
        frames: list[Frame | None] = []
        hubs[1].subscribe("run:r1", frames.append)
        for wire in wires:
            wire.start()
        try:
            wait_until(lambda: _rung(hubs[0], "run:r1", frames), "the first bell")
            hubs[0].send("run:r1", {"op": "eph"})
            wait_until(lambda: {"op": "eph"} in frames, "a frame")
        finally:
            for wire in wires:
                wire.stop()

        assert ("run:r1", None) in heard
        before = list(frames)
        hubs[0].ring("run:r1")
        assert frames == before, "nothing is carried any more"

    def test_scans_read_only_runs_that_are_not_over(self, database: Database) -> None:
        """However many have ended: the database proves that the smaller index has them all."""
        connection = database.dialect.connect()
        connection.execute("SET enable_seqscan = off")
        found = [
            connection.execute("EXPLAIN " + database.dialect.sql(text), parameters).fetchall()
            for text, parameters in (
                (MOVABLE, ("me",)),
                (OF_MINE, ("me",)),
                (OFFERED, ("me", "me", 200)),
            )
        ]
        connection.close()

        assert ["run_unfinished" in str(plan) for plan in found] == [True] * 3

    def test_one_keeps_the_house_and_another_one_after_it(self, database: Database) -> None:
        kept: list[str] = []
        first, second = (House(database.dialect.connect, _keeping(kept, n)) for n in ("1", "2"))
        first.start()
        wait_until(lambda: kept == ["1"], "the first")
        second.start()
        first.stop()
        wait_until(lambda: kept[-1] == "2", "the second")
        second.stop()

        assert kept == ["1", "1 ended", "2", "2 ended"]

    def test_one_that_sleeps_loses_the_house(self, database: Database) -> None:
        """A stopped process says nothing; its connection stands all the same."""
        asleep, awake = threading.Event(), threading.Event()
        kept: list[str] = []

        def connect() -> Any:
            return _Sleepy(database.dialect.connect(), asleep, awake)

        first = House(connect, _keeping(kept, "1"), quiet_ms=50)
        second = House(database.dialect.connect, _keeping(kept, "2"))
        asleep.set()
        first.start()
        wait_until(lambda: kept == ["1"], "the first")
        second.start()
        wait_until(lambda: kept[-1] == "2", "the second")
        awake.set()
        first.stop()
        second.stop()

        assert sorted(kept) == ["1", "1 ended", "2", "2 ended"]

    def test_a_server_of_its_own_and_those_that_share_keep_each_other_out(
        self, database: Database
    ) -> None:
        connect = database.dialect.connect
        shared = [sole_server(connect, _never, AMONG_OTHERS) for _ in range(3)]
        with shared[0], shared[1], pytest.raises(AlreadyServed), sole_server(connect, _never):
            pass
        with sole_server(connect, _never), pytest.raises(AlreadyServed), shared[2]:
            pass


class _Sleepy:
    """A connection of a process that is stopped once it holds the lock."""

    def __init__(self, inner: Any, asleep: threading.Event, awake: threading.Event) -> None:
        self._inner, self._asleep, self._awake = inner, asleep, awake

    def execute(self, text: str, *parameters: Any) -> Any:
        """Say something, once awake where it is no question of the lock."""
        if text == "SELECT 1" and self._asleep.is_set():
            self._awake.wait(30)
        return self._inner.execute(text, *parameters)

    def close(self) -> None:
        """Let go."""
        self._inner.close()


def _rung(hub: Hub, topic: str, frames: list[Frame | None]) -> bool:
    """Ring until somebody hears it: who has not begun to listen misses a bell."""
    hub.ring(topic)
    threading.Event().wait(0.02)
    return None in frames


def _keeping(kept: list[str], name: str) -> Callable[[], Any]:
    @contextmanager
    def keep() -> Iterator[None]:
        kept.append(name)
        try:
            yield
        finally:
            kept.append(f"{name} ended")

    return keep


def _never(_error: AlreadyServed) -> None:
    raise AssertionError
