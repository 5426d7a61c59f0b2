"""A server that comes back answers before it has looked at what was left; the engine waits for that."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLateError

import pytest

from builder.process.engine_thread import EmbeddedEngine
from engine.core.errors import RunNotFound, StoreError
from engine.runtime.recovery.service import Recovery
from engine.runtime.runner import Runner

pytestmark = pytest.mark.django_db(transaction=True)
NOBODY = "00000000-0000-4000-8000-000000000000"


def test_who_asks_the_engine_waits_until_all_is_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """I1: nothing is done with a run before what its dead process left of it is known."""
    looking, let_go = threading.Event(), threading.Event()
    recover = Runner.recover

    async def slow(runner: Runner, *, crashed: bool) -> int:
        looking.set()
        while not let_go.is_set():
            await runner.clock.sleep(0.01)
        return await recover(runner, crashed=crashed)

    monkeypatch.setattr(Runner, "recover", slow)
    engine = EmbeddedEngine()
    with ThreadPoolExecutor(1) as pool:
        engine.begin()
        try:
            assert looking.wait(10) and engine.is_alive(5) and not engine.is_ready(0.05)
            asked = pool.submit(engine.state_at, NOBODY, None)
            with pytest.raises(TooLateError):
                asked.result(0.3)
            let_go.set()
            with pytest.raises(RunNotFound):
                asked.result(10)
            assert engine.is_ready(5)
        finally:
            let_go.set()
            engine.stop()


def test_after_a_look_that_fails_scans_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was taken over before the failure is executed by now: it is not taken over again."""
    tried: list[str] = []
    scan = Recovery.scan

    async def failing(runner: Runner, *, crashed: bool) -> int:
        tried.append("all")
        raise StoreError("away")

    async def once_more(recovery: Recovery) -> int:
        tried.append("what is left")
        if len(tried) == 2:
            raise ValueError("a log that nobody can read")
        return await scan(recovery)

    monkeypatch.setattr(Runner, "recover", failing)
    monkeypatch.setattr(Recovery, "scan", once_more)
    monkeypatch.setattr("builder.process.engine_thread.SCAN_AGAIN_SECONDS", 0.05)
    engine = EmbeddedEngine()
    try:
        assert engine.start() == 0
    finally:
        engine.stop()
    assert tried[:3] == ["all", "what is left", "what is left"]


def test_a_server_that_ends_while_it_looks_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    async def for_ever(runner: Runner, *, crashed: bool) -> int:
        await runner.clock.sleep(600)
        return 0

    monkeypatch.setattr(Runner, "recover", for_ever)
    engine = EmbeddedEngine()
    engine.begin()
    ended = threading.Thread(target=engine.stop)
    ended.start()
    ended.join(20)
    assert not ended.is_alive()
