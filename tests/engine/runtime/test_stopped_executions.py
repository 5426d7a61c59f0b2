"""An execution that ends by trouble of the store, and not by its node, is begun again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.runtime.mailbox import wishes
from engine.runtime.recovery.stops import MAX_STOPPED_SECONDS
from engine.sdk import EffectClass, NodeType, StoreUnavailable
from tests.engine import posted
from tests.engine.lab import Lab, document, in_virtual_time
from tests.engine.node_types import node_types
from tests.engine.runtime.test_call_turns import Line

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
UNREACHABLE = StoreUnavailable("the database cannot be reached")


class Stopped(NodeType):
    """Makes a call, is stopped by the store as often as a test says, and makes another call."""

    type = "t_stopped"
    label = "Stopped"
    times: int
    entered: int
    said: list[str]

    async def run(self, ctx: Any, config: Any) -> Any:
        cls = type(self)
        cls.entered += 1

        async def call(key: str) -> str:
            await asyncio.sleep(0.01)
            cls.said.append(key)
            return "answered"

        await ctx.perform("before", {}, EffectClass.READ, call)
        if cls.entered <= cls.times:
            raise UNREACHABLE
        await ctx.perform("after", {}, EffectClass.READ, call)
        return {"output": cls.entered}


class Slow(NodeType):
    """Makes one call that takes a second."""

    type = "t_slow"
    label = "Slow"
    said: list[str]

    async def run(self, ctx: Any, config: Any) -> Any:
        async def call(key: str) -> str:
            await asyncio.sleep(1)
            type(self).said.append(key)
            return "answered"

        return {"output": await ctx.perform("slow", {}, EffectClass.READ, call)}


def stopped(times: int) -> tuple[Lab, type[Stopped], type[Slow]]:
    """Return a run of two nodes beside each other, the first of which is stopped so many times."""
    fields = {"times": times, "entered": 0, "said": [], "__doc__": "One."}
    it = type("OneStopped", (Stopped,), fields)
    slow = type("OneSlow", (Slow,), {"said": [], "__doc__": "One."})
    types = node_types()
    types.register(it)
    types.register(slow)
    nodes = [{"id": "it", "type": "t_stopped"}, {"id": "slow", "type": "t_slow"}]
    edges = ("__start__ > it", "__start__ > slow", "it > __end__", "slow > __end__")
    return Lab(document(nodes, *edges), types=types), it, slow


@pytest.mark.parametrize("times", [1, 5])
def test_what_the_store_stopped_goes_on_with_what_is_recorded(times: int) -> None:
    """Nothing is called twice, neither by what was stopped nor by what ran beside it."""

    async def play() -> None:
        lab, it, slow = stopped(times)
        state = await lab.start()
        await lab.runner.quiet()

        assert state.status == "completed"
        assert it.entered == times + 1
        assert (len(it.said), len(slow.said)) == (2, 1)
        assert lab.events("StepIntended", "slow#1"), "it was not called at all"

    in_virtual_time(play)


def test_trouble_that_stays_is_met_seldom_and_told() -> None:
    """Each try is in the log and in the operator's: neither may fill up."""

    async def play() -> None:
        lab, it, _slow = stopped(1_000_000)
        await lab.begin()
        await asyncio.sleep(3600)
        tries = it.entered

        assert 3600 / MAX_STOPPED_SECONDS / 2 < tries < 3600 / MAX_STOPPED_SECONDS + 20
        assert len(lab.events("NodeStarted", "it#1")) == tries
        assert lab.broken == [repr(UNREACHABLE)] * tries
        await posted.ask(lab.runner, "r", wishes.cancel("ann", None))
        state = await lab.runner.settled("r")
        assert state.status == "cancelled"
        await asyncio.sleep(3 * MAX_STOPPED_SECONDS)
        assert it.entered == tries, "it was begun again after the end of its run"

    in_virtual_time(play)


def test_trouble_of_long_ago_makes_nobody_wait_longer() -> None:
    """Waits grow while an activation gets nowhere, and not over its life."""

    async def play() -> None:
        seconds = asyncio.get_running_loop().time
        begun: list[float] = []
        stopped_at: list[float] = []

        class Long(NodeType):
            """Is stopped a dozen times, works for minutes, and is stopped once more."""

            type = "t_long"
            label = "Long"

            async def run(self, ctx: Any, config: Any) -> Any:
                begun.append(seconds())
                if len(begun) == 13:
                    await asyncio.sleep(300)
                if len(begun) <= 13:
                    stopped_at.append(seconds())
                    raise UNREACHABLE
                return {"output": "done"}

        types = node_types()
        types.register(Long)
        nodes = [{"id": "it", "type": "t_long"}]
        lab = Lab(document(nodes, "__start__ > it", "it > __end__"), types=types)
        watch = asyncio.ensure_future(lab.runner.recovery.watch())
        state = await lab.start()
        watch.cancel()

        assert state.status == "completed"
        assert begun[12] - stopped_at[11] > 30, "it had not come to wait long"
        assert begun[13] - stopped_at[12] < 1

    in_virtual_time(play)


def test_an_error_of_the_engine_itself_stops_no_run_for_ever() -> None:
    """What nobody foresaw is told, and the run begun again as well."""

    async def play() -> None:
        lab, _it, slow = stopped(0)
        step, left = lab.runner.step, [2]

        async def failing(*given: Any, **fields: Any) -> Any:
            if slow.said and left[0]:
                left[0] -= 1
                raise RuntimeError("nobody foresaw this")
            return await step(*given, **fields)

        lab.runner.step = failing  # type: ignore[method-assign]
        state = await lab.start()

        assert (state.status, len(slow.said)) == ("completed", 1)
        assert lab.broken == ["RuntimeError('nobody foresaw this')"] * 2

    in_virtual_time(play)


@pytest.mark.parametrize("seconds", [0, 30])
def test_a_call_whose_turn_cannot_be_read_is_made_once_it_can(seconds: float) -> None:
    """What PostgreSQL's connections cut at the wrong moment left running for ever."""

    async def play() -> None:
        lab = Line([{"text": "Done."}])
        lab.turns.open.set()
        take, until = lab.turns.take, asyncio.get_running_loop().time() + seconds
        refused = 0

        async def taking(*call: Any) -> int:
            nonlocal refused
            if not refused or asyncio.get_running_loop().time() < until:
                refused += 1
                raise UNREACHABLE
            return await take(*call)

        lab.turns.take = taking  # type: ignore[method-assign,assignment]
        state = await lab.start()

        assert state.status == "completed"
        assert (len(lab.scripted.calls), lab.turns.held) == (1, 0)
        assert refused < 15, "the log grows with each try"

    in_virtual_time(play)


def test_a_log_that_cannot_be_read_for_a_moment_stops_no_run() -> None:
    """A node that asked a person sees what it saw then: that is read from the log."""

    async def play() -> None:
        nodes = [{"id": "it", "type": "t_view", "read_keys": ["note"]}]
        lab = Lab(document(nodes, "__start__ > it", initial_memory={"note": 1}))
        await lab.start()
        await lab.crash()
        read, refused = lab.store.state, 0

        async def reading(*given: Any) -> Any:
            nonlocal refused
            refused += 1
            if refused <= 2:
                raise UNREACHABLE
            return await read(*given)

        await lab.runner.store.warm("r")
        lab.store.state = reading  # type: ignore[method-assign,assignment]
        state = await lab.answer()

        assert refused > 2, "nobody read the log"
        assert (state.status, state.outputs["it"]) == ("completed", {"note": 1})

    in_virtual_time(play)
