"""What only waits for people is left to the disk, and comes back when somebody wants it."""

from __future__ import annotations

import pytest

from engine.local import Local
from engine.runtime.stores import resting
from tests.builder.store_world import WAITING, Installation, approve, installation, start

__all__ = ["installation"]


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resting, "REST_MS", 0)


async def at_rest(installation: Installation) -> Local:
    local = await installation.process(WAITING)
    await start(local, WAITING, "r1")
    await local.runner.settled("r1")
    await local.runner.recovery.scan()
    assert local.store.peek("r1") is None
    return local


async def test_an_answer_wakes_a_run_that_rests(installation: Installation) -> None:
    local = await at_rest(installation)

    await approve(local, "r1")

    assert (await local.runner.settled("r1")).status == "completed"
    await local.runner.close()


async def test_a_start_leaves_to_the_disk_what_rests(installation: Installation) -> None:
    await (await at_rest(installation)).runner.close()

    again = await installation.process(WAITING)

    assert await again.runner.recover() == 0
    assert again.store.peek("r1") is None
    await approve(again, "r1")
    assert (await again.runner.settled("r1")).status == "completed"
    await again.runner.close()


async def test_what_moved_since_the_last_look_stays_in_memory(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resting, "REST_MS", 60_000)
    local = await installation.process(WAITING)
    await start(local, WAITING, "r1")
    await local.runner.settled("r1")

    await local.runner.recovery.scan()
    await local.runner.recovery.scan()

    assert local.store.peek("r1") is not None
    await local.runner.close()
