"""What a supervisor asks: whether process and engine live, and whether people may be sent here."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from builder.base import engine_door
from builder.process.watch import health
from builder.process.watch.health import HealthDoor
from tests.builder.fakes import FakeDoor

pytestmark = pytest.mark.django_db(transaction=True)


async def inside(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 418, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


async def ask(path: str, method: str = "GET", door: HealthDoor | None = None) -> tuple[int, Any]:
    scope = {"type": "http", "path": path, "method": method}
    talk = ApplicationCommunicator(door or HealthDoor(inside), scope)
    await talk.send_input({"type": "http.request"})
    start = await talk.receive_output(10)
    body = await talk.receive_output(10)
    return start["status"], json.loads(body["body"] or b"null")


async def test_all_is_well(door: FakeDoor) -> None:
    assert await ask("/healthz") == (200, {"status": "ok", "engine": True})
    assert await ask("/readyz") == (200, {"status": "ok", "engine": True, "database": True})
    assert await ask("/healthz", "HEAD") == (200, None)


async def test_everything_else_is_passed_on(door: FakeDoor) -> None:
    assert (await ask("/healthz/"))[0] == 418
    assert (await ask("/healthz", "POST"))[0] == 418
    assert (await ask("/"))[0] == 418


async def test_an_engine_that_does_not_turn_is_not_well(
    door: FakeDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "is_ready", lambda _within: False)
    assert (await ask("/healthz"))[0] == 200  # it takes over what was left, and is not to be killed
    assert (await ask("/readyz"))[0] == 503

    monkeypatch.setattr(door, "is_alive", lambda _within: False)
    assert (await ask("/healthz"))[0] == 503
    engine_door.install(None)
    assert await ask("/healthz") == (503, {"status": "unavailable", "engine": False})


async def test_a_database_that_is_away_or_behind_is_not_ready_and_tells_nothing(
    door: FakeDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    unready = (503, {"status": "unavailable", "engine": True, "database": False})

    def fails() -> bool:
        raise OSError("connection to 10.0.0.7 refused")

    monkeypatch.setattr(health, "_is_migrated", lambda: False)
    assert await ask("/readyz") == unready
    monkeypatch.setattr(health, "_is_migrated", fails)
    assert await ask("/readyz") == unready
    assert (await ask("/healthz"))[0] == 200


async def test_a_database_that_hangs_is_asked_once(
    door: FakeDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def hangs() -> bool:
        asked.append(1)
        time.sleep(0.5)  # the other side's time, not the test's
        return True

    monkeypatch.setattr(health, "PATIENCE_S", 0.05)
    monkeypatch.setattr(health, "_is_migrated", hangs)
    waiting = HealthDoor(inside)

    answers = [(await ask("/readyz", door=waiting))[0] for _ in range(4)]

    assert answers == [503] * 4
    assert len(asked) == 1
