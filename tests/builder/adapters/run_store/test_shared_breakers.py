"""Circuit breakers of two workers on one database: nobody writes over what the other one decided."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

from builder.adapters.run_store.apart.worker_store import WorkerStore
from engine.core.graph.document import CircuitBreakerPolicy
from engine.core.state.breakers import Breaker
from tests.builder.adapters.run_store.test_breaker_rows import FAILING, GRAPH, code
from tests.builder.databases import AWAY, Database
from tests.builder.store_world import Installation, installation

__all__ = ["installation"]
POLICY = CircuitBreakerPolicy(
    enabled=True, failure_threshold=3, success_threshold=1, timeout_ms=1_000
)
PLACE = (AWAY, "g", "a", "h")


@asynccontextmanager
async def workers(installation: Installation, count: int = 2) -> AsyncIterator[list[WorkerStore]]:
    """Give the stores of workers that begin at once."""
    made = [await installation.process(kind=WorkerStore) for _ in range(count)]
    try:
        yield [each.store for each in made]  # type: ignore[misc]
    finally:
        for each in made:
            await each.runner.close()


def breaker(store: WorkerStore) -> Breaker:
    return store.breakers.get(*PLACE)


async def fails(store: WorkerStore, times: int = 1, *, now: int = 1_000) -> None:
    for _ in range(times):
        breaker(store).failed(POLICY, now)
        store.breakers.changed(breaker(store))
    await written(store)


async def written(store: WorkerStore) -> None:
    """Write down what changed, as a commit does that carries nothing else."""
    await store.writer.write(store.breaker_rows.changed_by(0))
    store.breaker_rows.landed(0)


def row(look: Database) -> tuple[Any, ...]:
    [found] = look.rows("SELECT state, failures, epoch FROM builder_breaker")
    return tuple(found)


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
@pytest.mark.postgres
async def test_a_worker_does_not_try_what_failed_at_another_one(installation: Installation) -> None:
    """C28."""
    assert GRAPH is not None
    one, other = [
        await installation.process(GRAPH, kind=WorkerStore, script=FAILING) for _ in range(2)
    ]
    assert [await code(one, f"r{n}") for n in (1, 2)] == ["HandlerFailed"] * 2
    assert await code(other, "r3") == "HandlerFailed", "these two were counted elsewhere"
    assert row(installation.look) == ("closed", 3, 0)
    assert [await code(one, f"r{n}") for n in (4, 5)] == ["HandlerFailed", "CircuitOpen"]
    assert await code(other, "r6") == "HandlerFailed", "nobody has told it yet"
    assert row(installation.look)[0] == "open"
    await cast("WorkerStore", other.store).learn_breakers()
    assert await code(other, "r7") == "CircuitOpen"
    for each in (one, other):
        await each.runner.close()


async def test_failures_that_two_workers_count_add_up(installation: Installation) -> None:
    async with workers(installation) as (one, other):
        await fails(one)
        await fails(other)
        assert row(installation.look) == ("closed", 2, 0)
        await one.learn_breakers()
        assert breaker(one).failures == 2
        await fails(one)
        assert row(installation.look) == ("open", 3, 1)


async def test_what_a_worker_knew_before_never_closes_what_another_one_opened(
    installation: Installation,
) -> None:
    async with workers(installation) as (one, other):
        await fails(other)
        await fails(one, 3)
        breaker(other).succeeded(POLICY)
        other.breakers.changed(breaker(other))
        await written(other)
        assert row(installation.look)[0] == "open"
        await other.learn_breakers()
        assert not breaker(other).admits(POLICY, "r:a", 1_500)


async def test_of_two_who_decide_at_once_the_first_one_has(installation: Installation) -> None:
    """Both open, a hundred times; then one closes what the other one opens anew."""
    async with workers(installation) as (one, other):
        for round_ in range(1, 101):
            for store in (one, other):
                breaker(store).failures = 2
                breaker(store).failed(POLICY, round_)
                store.breakers.changed(breaker(store))
            await asyncio.gather(written(one), written(other))
            assert row(installation.look)[::2] == ("open", round_ * 2 - 1)
            await asyncio.gather(one.learn_breakers(), other.learn_breakers())
            assert breaker(one).opened_at == breaker(other).opened_at
            await one.reset_breaker(breaker(one).id)
            assert row(installation.look) == ("closed", 0, round_ * 2)
            await other.learn_breakers()
            assert breaker(other).state == "closed"


async def test_who_missed_what_became_of_a_circuit_decides_nothing(
    installation: Installation,
) -> None:
    async with workers(installation) as (one, other):
        await fails(other, 2)
        await one.learn_breakers()
        await fails(one)
        assert breaker(one).admits(POLICY, "r1:a", 5_000)
        one.breakers.changed(breaker(one))
        await written(one)
        assert breaker(one).succeeded(POLICY)
        one.breakers.changed(breaker(one))
        await written(one)
        assert row(installation.look) == ("closed", 0, 3)
        await fails(other)
        assert row(installation.look) == ("closed", 0, 3)
        await other.learn_breakers()
        assert breaker(other).admits(POLICY, "r2:a", 5_100)


async def test_one_worker_tries_and_the_others_wait_for_what_becomes_of_it(
    installation: Installation,
) -> None:
    async with workers(installation) as (one, other):
        await fails(one, 3)
        await other.learn_breakers()
        assert breaker(one).admits(POLICY, "r1:a", 5_000)
        one.breakers.changed(breaker(one))
        await written(one)
        await other.learn_breakers()
        assert not breaker(other).admits(POLICY, "r2:a", 5_500)
        assert breaker(one).succeeded(POLICY)
        one.breakers.changed(breaker(one))
        await written(one)
        await other.learn_breakers()
        assert breaker(other).admits(POLICY, "r2:a", 5_600)


async def test_an_operators_word_holds_against_what_was_decided_before_it(
    installation: Installation,
) -> None:
    async with workers(installation) as (one, other):
        await fails(one)
        await other.learn_breakers()
        await one.reset_breaker(breaker(one).id)
        await fails(other)
        assert row(installation.look) == ("closed", 0, 1)
        await other.learn_breakers()
        assert (breaker(other).state, breaker(other).failures) == ("closed", 0)
        assert await one.reset_breaker("nobody") is None


async def test_what_is_on_its_way_is_not_forgotten_and_what_is_lost_is(
    installation: Installation,
) -> None:
    async with workers(installation) as (one, _other):
        await fails(one)
        breaker(one).failures = 2
        breaker(one).failed(POLICY, 7)
        one.breakers.changed(breaker(one))
        one.breaker_rows.changed_by(9)  # handed to the writer, and not committed yet
        await one.learn_breakers()
        assert breaker(one).state == "open"
        one.breaker_rows.lost(9)
        await one.learn_breakers()
        assert (breaker(one).state, breaker(one).failures) == ("closed", 1)
        await fails(one, 2)
        assert row(installation.look) == ("open", 3, 1)


async def test_what_was_counted_and_not_written_yet_adds_to_what_others_counted(
    installation: Installation,
) -> None:
    async with workers(installation) as (one, other):
        await fails(one)
        await other.learn_breakers()
        breaker(other).failed(POLICY, 1)
        other.breakers.changed(breaker(other))
        await fails(one)
        await other.learn_breakers()
        assert breaker(other).failures == 3
        await written(other)
        assert row(installation.look) == ("closed", 3, 0)
        await fails(one)
        assert row(installation.look)[0] == "open", "the next failure of anybody opens it"
