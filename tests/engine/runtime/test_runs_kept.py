"""No run is lost: by a restart, a commit that fails, a full disk, or the end of the run around it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from engine.core.decide.scheduler import MAX_TAKEOVERS
from engine.runtime.mailbox import wishes
from engine.sdk import EffectClass, NodeType, StoreError
from tests.engine.lab import Lab, document
from tests.engine.node_types import node_types
from tests.engine.posted import post
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

MOST_TRIES = 20
"""Ten seconds of tries, each after twice the wait of the one before, are a dozen."""


class Thinker(NodeType):
    """Thinks, without calling anybody, for as long as a test says on each visit."""

    type = "t_think"
    label = "Think"
    entered = 0
    for_ever: int

    async def run(self, ctx: Any, config: Any) -> Any:
        cls = type(self)
        cls.entered += 1
        if cls.entered <= cls.for_ever:
            await asyncio.sleep(100)
        return {"output": cls.entered}


def thinking(for_ever: int) -> tuple[Lab, type[Thinker]]:
    """Return a run whose one node does not come back from its first visits."""
    cls = type("OneThinker", (Thinker,), {"for_ever": for_ever, "__doc__": "Thinks."})
    types = node_types()
    types.register(cls)
    nodes = [{"id": "it", "type": "t_think"}]
    return Lab(document(nodes, "__start__ > it", "it > __end__"), types=types), cls


@virtually
async def test_what_ran_when_the_process_died_is_run_again() -> None:
    lab, cls = thinking(1)
    await lab.begin()
    await asyncio.sleep(1)
    await lab.crash()
    state = await lab.runner.settled("r")

    assert (state.status, state.outputs["it"], cls.entered) == ("completed", 2, 2)


@virtually
async def test_what_was_asked_comes_before_what_was_under_way() -> None:
    """Who cancels while no process is there ends a run that is not executed again."""
    lab, cls = thinking(1)
    await lab.begin()
    await asyncio.sleep(1)
    await post(lab.store, "r", wishes.cancel("ann", "enough"))
    await lab.crash()
    await asyncio.sleep(1)

    assert len(lab.events("NodeStarted", "it#1")) == cls.entered == 1
    assert lab.events("RunCancelled")


@virtually
async def test_what_ends_every_process_is_left_to_a_person() -> None:
    lab, cls = thinking(1_000)
    await lab.begin()
    for _ in range(MAX_TAKEOVERS + 3):
        await asyncio.sleep(1)
        await lab.crash()
    state = await lab.runner.settled("r")

    [opened] = state.interrupts.values()
    assert (opened.kind, opened.request["reason"]) == ("in_doubt", "poison")
    assert cls.entered == MAX_TAKEOVERS


@virtually
async def test_an_orderly_stop_is_no_fault_of_what_ran() -> None:
    """I1: A deployment in the middle of one long call, and again, parks nobody."""
    lab, cls = thinking(2 * MAX_TAKEOVERS)
    await lab.begin()
    for _ in range(2 * MAX_TAKEOVERS):
        await asyncio.sleep(1)
        await lab.crash(crashed=False)
    state = await lab.runner.settled("r")

    assert (state.status, cls.entered) == ("completed", 2 * MAX_TAKEOVERS + 1)


class Caller(NodeType):
    """Makes ten calls of a second each, one after the other."""

    type = "t_calls"
    label = "Call"

    async def run(self, ctx: Any, config: Any) -> Any:
        async def call(key: str) -> str:
            await asyncio.sleep(1)
            return "answered"

        said = [await ctx.perform("ask", {"n": n}, EffectClass.READ, call) for n in range(10)]
        return {"output": len(said)}


@virtually
async def test_restarts_in_a_long_node_that_gets_on_are_no_fault_of_it() -> None:
    """I1: However often the process ends, a node that records an answer in between goes on."""
    types = node_types()
    types.register(Caller)
    nodes = [{"id": "it", "type": "t_calls"}]
    lab = Lab(document(nodes, "__start__ > it", "it > __end__"), types=types)
    await lab.begin()
    for _ in range(2 * MAX_TAKEOVERS):
        await asyncio.sleep(1.5)
        await lab.crash()
    state = await lab.runner.settled("r")

    assert (state.status, state.outputs["it"]) == ("completed", 10)


@pytest.mark.parametrize("seconds", [0.01, 30])
@pytest.mark.parametrize("type_", ["NodeStarted", "NodeCompleted", "RunCompleted"])
def test_a_run_moves_by_itself_once_the_disk_has_room(type_: str, seconds: float) -> None:
    @virtually
    async def play() -> None:
        lab, _cls = thinking(0)
        persist = lab.store._persist
        full = asyncio.Event()

        async def refusing(batch: Any) -> None:
            if any(event.type == type_ for event in batch.events):
                full.set()
            if full.is_set() and not let.is_set():
                raise StoreError("the disk is full")
            await persist(batch)

        let = asyncio.Event()
        lab.store._persist = refusing  # type: ignore[method-assign]
        lab.store._persist_at_once = lambda batch: False  # type: ignore[method-assign]
        asyncio.get_running_loop().call_later(seconds, let.set)
        try:
            await lab.begin()
        except StoreError:  # the start itself was refused, and said so
            assert "r" not in lab.medium.logs
            return
        await asyncio.sleep(seconds + 60)

        assert full.is_set()
        assert [e.type for e in lab.medium.logs["r"]][-1] == "RunCompleted"
        assert [e.seq for e in lab.medium.logs["r"]] == list(
            range(1, len(lab.medium.logs["r"]) + 1)
        )

    play()


@virtually
async def test_one_try_at_a_time_takes_a_run_over() -> None:
    """Of a run whose commits fail for ten seconds no more than a dozen tries are made."""
    lab, _cls = thinking(0)
    persist, tries = lab.store._persist, 0
    too_many = asyncio.Event()

    async def refusing(batch: Any) -> None:
        nonlocal tries
        tries += 1
        if tries == MOST_TRIES:
            too_many.set()
        if tries > 1 and asyncio.get_running_loop().time() - began < 10:
            raise StoreError("the disk is full")
        await persist(batch)

    began = asyncio.get_running_loop().time()
    lab.store._persist = refusing  # type: ignore[method-assign]
    lab.store._persist_at_once = lambda batch: False  # type: ignore[method-assign]
    await lab.begin()
    with suppress(TimeoutError):  # tries that double would never come to an end
        await asyncio.wait_for(too_many.wait(), 20)

    assert 4 < tries < MOST_TRIES
    assert lab.medium.logs["r"][-1].type == "RunCompleted"


@virtually
async def test_a_cancelled_run_takes_the_runs_below_it_along() -> None:
    ask = {"id": "ask", "type": "question", "config": {"question": "Really?"}}
    below = {"id": "sub", "type": "subgraph", "config": {"subgraph_id": "leaf"}}
    middle = {"id": "sub", "type": "subgraph", "config": {"subgraph_id": "mid"}}
    lab = Lab(
        document([middle], "__start__ > sub"),
        document([below], "__start__ > sub", id="mid"),
        document([ask], "__start__ > ask", id="leaf"),
    )
    await lab.begin()
    await asyncio.sleep(1)
    assert len(lab.medium.logs) == 3
    await lab.runner.cancel("r", "ann")
    await asyncio.sleep(60)

    ends = {run: log[-1].type for run, log in lab.medium.logs.items()}
    assert set(ends.values()) == {"RunCancelled"}
