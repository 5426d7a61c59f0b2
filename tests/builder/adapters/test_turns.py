"""Turns of calls on both databases: workers together never exceed what a workspace set."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection

from builder.adapters.models import turns as module
from builder.adapters.models.turns import WorkspaceTurns
from builder.adapters.threads import in_thread
from builder.models import CallTurn, Worker
from tests.builder.databases import HOME, Database
from tests.builder.store_world import installation

__all__ = ["installation"]
pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("installation")]
SMALL, LARGE = "house/small", "house/large"


@pytest.fixture(autouse=True)
def _served(database: Database, django_db_blocker: Any) -> Iterator[None]:
    with django_db_blocker.unblock(), database.served():
        yield


def allow(database: Database, **calls: int) -> None:
    """Set what may be under way at once; `__` stands for the slash of a model."""
    limits = {name.replace("__", "/"): most for name, most in calls.items()}
    said = json.dumps({"calls_at_once": limits})
    database.change("UPDATE builder_workspace SET settings = ? WHERE id = ?", (said, HOME))


async def worker(name: str, seen: int = 1_000_000) -> WorkspaceTurns:
    """Return the turns of a worker that was seen at a moment."""
    row = {"host": "h", "pid": 1, "started_at": 1, "last_seen_at": seen}
    await in_thread(lambda: Worker.objects.create(boot_id=name, **row))
    store: Any = SimpleNamespace(owned=SimpleNamespace(worker=name), reader=Reader())
    return WorkspaceTurns(store)


class Reader:
    """Reads as the store does, over the connection of the test; no pause is asked for here."""

    async def rows(self, sql: str, parameters: tuple[str, ...]) -> list[Any]:
        def read() -> list[Any]:
            with connection.cursor() as cursor:
                cursor.execute(sql.replace("NOW_MS", "0").replace("?", "%s"), parameters)
                return list(cursor.fetchall())

        return await in_thread(read)


def taken(turns: WorkspaceTurns, run: str, model: str = SMALL) -> asyncio.Task[int | None]:
    return asyncio.create_task(turns.take(HOME, run, "a", model))


async def rows() -> list[tuple[str, bool]]:
    return await in_thread(lambda: list(CallTurn.objects.values_list("run", "given")))


async def stand(*wanted: tuple[str, bool]) -> None:
    """Wait until the rows are these, whatever their order."""
    for _ in range(1_000):
        if sorted(await rows()) == sorted(wanted):
            return
        await asyncio.sleep(0.02)
    pytest.fail(f"there are {await rows()}")


async def test_who_waits_longest_comes_next(database: Database) -> None:
    allow(database, house=1)
    turns = await worker("w1")

    first = await turns.take(HOME, "r1", "a", SMALL)
    second = taken(turns, "r2")
    await stand(("r1", True), ("r2", False))
    third = taken(turns, "r3", LARGE)
    await stand(("r1", True), ("r2", False), ("r3", False))
    turns.over(first)
    await second

    assert not third.done()
    await stand(("r2", True), ("r3", False))
    turns.over(second.result())
    turns.over(await third)
    await stand()


async def test_two_workers_never_exceed_a_limit_and_starve_nobody(database: Database) -> None:
    allow(database, house=3, house__large=1)
    both = [await worker("w1"), await worker("w2")]
    under_way: Counter[str] = Counter()
    most: Counter[str] = Counter()

    async def call(n: int) -> None:
        turns, model = both[n % 2], LARGE if n % 3 == 0 else SMALL
        turn = await turns.take(HOME, f"r{n}", "a", model)
        for name in ("house", model):
            under_way[name] += 1
            most[name] = max(most[name], under_way[name])
        await asyncio.sleep(0.01)
        for name in ("house", model):
            under_way[name] -= 1
        turns.over(turn)

    async with asyncio.timeout(60):
        await asyncio.gather(*(call(n) for n in range(24)))

    assert 1 <= most["house"] <= 3
    assert most[LARGE] == 1
    await stand()


async def test_a_full_model_keeps_nobody_else_of_its_provider_waiting(database: Database) -> None:
    allow(database, house=2, house__large=1)
    turns = await worker("w1")
    await turns.take(HOME, "r1", "a", LARGE)
    waits = taken(turns, "r2", LARGE)
    await stand(("r1", True), ("r2", False))

    async with asyncio.timeout(20):
        await turns.take(HOME, "r3", "a", SMALL)

    assert not waits.done()
    waits.cancel()
    await stand(("r1", True), ("r3", True))


async def test_the_turns_of_a_dead_worker_are_void(database: Database) -> None:
    allow(database, house=1)
    gone, turns = await worker("w1", seen=900_000), await worker("w2")
    await gone.take(HOME, "r1", "a", SMALL)

    async with asyncio.timeout(20):
        await turns.take(HOME, "r2", "a", SMALL)

    await stand(("r2", True))


async def test_a_limit_that_is_taken_off_and_a_row_that_is_lost_leave_nobody_waiting(
    database: Database,
) -> None:
    allow(database, house=1)
    turns = await worker("w1")
    await turns.take(HOME, "r1", "a", SMALL)
    lost, waits = taken(turns, "r2"), taken(turns, "r3")
    await stand(("r1", True), ("r2", False), ("r3", False))
    await in_thread(lambda: CallTurn.objects.filter(run="r2").delete())
    await stand(("r1", True), ("r2", False), ("r3", False))

    allow(database, other=1)
    async with asyncio.timeout(20):
        await asyncio.gather(lost, waits)

    assert await turns.take(HOME, "r4", "a", SMALL) is None, "nobody counts such calls now"
    assert await turns.take(None, "r5", "a", SMALL) is None


async def test_who_is_called_off_while_it_asks_leaves_no_turn_behind(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread that writes the row goes on; a turn that nobody knows would be held for ever."""
    allow(database, house=1)
    turns, enters, may = await worker("w1"), threading.Event(), threading.Event()
    entered = module._entered

    def slowly(*args: Any, **waits: Any) -> int:
        enters.set()
        may.wait(20)
        return entered(*args, **waits)

    monkeypatch.setattr(module, "_entered", slowly)
    asks = taken(turns, "r1")
    await asyncio.to_thread(enters.wait, 20)
    asks.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asks
    may.set()

    monkeypatch.setattr(module, "_entered", entered)
    async with asyncio.timeout(20):
        await turns.take(HOME, "r2", "a", SMALL)
    await stand(("r2", True))


async def test_who_asks_while_turns_are_given_is_not_thought_lost(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(database, house=1)
    turns, looked, may = await worker("w1"), threading.Event(), threading.Event()
    await turns.take(HOME, "r1", "a", SMALL)
    give = module.give_turns

    def slowly(*args: Any) -> dict[int, bool]:
        found = give(*args)
        looked.set()
        may.wait(20)
        return found

    monkeypatch.setattr(module, "give_turns", slowly)
    asks = [taken(turns, "r2")]
    await asyncio.to_thread(looked.wait, 20)
    asks.append(taken(turns, "r3"))
    await stand(("r1", True), ("r2", False), ("r3", False))
    may.set()
    monkeypatch.setattr(module, "give_turns", give)
    await asyncio.sleep(4 * module.LOOK_S)

    await stand(("r1", True), ("r2", False), ("r3", False))
    for each in asks:
        each.cancel()
    await stand(("r1", True))


async def test_who_waits_for_money_is_seen_and_keeps_nobody_waiting(database: Database) -> None:
    """It is no turn: nobody gives it one, and nobody stands behind it."""
    allow(database, house=1)
    turns = await worker("w1")
    held = await turns.wants_money(HOME, "r1", "a", SMALL)
    turn = await taken(turns, "r2")

    assert await turns.wants_money(None, "r3", "a", SMALL) is None
    waiting = await in_thread(lambda: list(CallTurn.objects.waiting().values_list("run", "given")))
    assert waiting == [("r1", False)]
    turns.over(held)
    turns.over(turn)
    for _ in range(200):
        if not await in_thread(CallTurn.objects.count):
            break
        await asyncio.sleep(0.02)
    assert await in_thread(CallTurn.objects.count) == 0
    await turns.aclose()
