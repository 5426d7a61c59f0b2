"""A full disk loses no answer of the outside: in one process each call is made once and paid once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from engine.runtime.stores.buffered import Batch
from engine.sdk import EffectClass, NodeConfig, NodeType, OutcomeUnknown, StoreError
from tests.engine.lab import Lab, document
from tests.engine.node_types import node_types
from tests.engine.runtime.test_primitives import virtually

CLASSES = ("read", "keyed", "unsafe", "probe")
FULL_SECONDS = (0.01, 30)


class OutsideConfig(NodeConfig):
    """Which call, how long it takes, and whether its answer is lost on the way."""

    effect: str
    seconds: float = 0.01
    unknown: bool = False


class Outside:
    """What the outside sees of the calls, and the disk."""

    def __init__(self, nodes: list[dict[str, Any]], **fields: Any) -> None:
        seen = self.seen = Counter[str]()

        class Call(NodeType):
            """Calls the outside once."""

            type = "t_outside"
            label = "Outside"
            Config = OutsideConfig

            async def run(self, ctx: Any, config: OutsideConfig) -> Any:
                async def call(_key: str) -> str:
                    seen[ctx.node.id] += 1
                    try:
                        await asyncio.sleep(config.seconds)
                    except asyncio.CancelledError:
                        seen[f"{ctx.node.id} broken off"] += 1
                        raise
                    if config.unknown:
                        raise OutcomeUnknown("the connection broke")
                    seen[f"{ctx.node.id} done"] += 1
                    return "done"

                said = await ctx.perform("outside", {"n": 1}, EffectClass(config.effect), call)
                return {"output": said}

        types = node_types()
        types.register(Call)
        edges = [f"__start__ > {n['id']}" for n in nodes] + [f"{n['id']} > __end__" for n in nodes]
        self.lab = Lab(document(nodes, *edges, **fields), types=types)
        self.refused = 0
        point = self.lab.point

        async def counted(name: str) -> None:
            seen[name] += 1
            await point(name)

        self.lab.point = counted  # type: ignore[method-assign]

    def full_from(self, begins: Callable[[Batch], bool], seconds: float) -> None:
        """Let the disk be full for so long from the first such batch on."""
        persist, loop = self.lab.store._persist, asyncio.get_running_loop()
        until: list[float] = []

        async def refusing(batch: Batch) -> None:
            await asyncio.sleep(0)
            if not until and begins(batch):
                until.append(loop.time() + seconds)
            if until and loop.time() < until[0]:
                self.refused += 1
                raise StoreError("the disk is full")
            await persist(batch)

        self.lab.store._persist = refusing  # type: ignore[method-assign]
        self.lab.store._persist_at_once = lambda batch: False  # type: ignore[method-assign]

    def types(self) -> list[str]:
        """Return what the log says happened."""
        return [event.type for event in self.lab.medium.logs["r"]]


def outside(name: str, effect: str, **config: Any) -> dict[str, Any]:
    """Return a node that makes one call."""
    return {"id": name, "type": "t_outside", "config": {"effect": effect, **config}}


def has(type_: str, key: str = "") -> Callable[[Batch], bool]:
    """Return what recognises a batch with such an event."""
    return lambda batch: any(e.type == type_ and key in (e.key or "") for e in batch.events)


@pytest.mark.parametrize("seconds", FULL_SECONDS)
@pytest.mark.parametrize("effect", CLASSES)
def test_an_answer_that_could_not_be_written_is_written_later(effect: str, seconds: float) -> None:
    """I5: The call is made once, whatever it does, and nobody is asked about it."""

    @virtually
    async def play() -> None:
        world = Outside([outside("it", effect)])
        world.full_from(has("StepCompleted"), seconds)
        await world.lab.begin()
        await asyncio.sleep(seconds + 60)

        assert world.refused
        assert world.seen["it"] == 1
        assert world.types().count("StepCompleted") == 1
        assert world.types()[-1] == "RunCompleted"

    play()


@pytest.mark.parametrize("seconds", FULL_SECONDS)
@pytest.mark.parametrize("effect", CLASSES)
def test_a_call_goes_on_while_the_run_is_loaded_anew(effect: str, seconds: float) -> None:
    """I5: A commit of a neighbour fails while the call is out; its answer counts all the same."""

    @virtually
    async def play() -> None:
        world = Outside([outside("slow", effect, seconds=5), outside("quick", "keyed", seconds=1)])
        world.full_from(has("StepCompleted", "quick"), seconds)
        await world.lab.begin()
        await asyncio.sleep(seconds + 60)

        assert world.refused
        assert (world.seen["slow"], world.seen["quick"]) == (1, 1)
        assert world.types()[-1] == "RunCompleted"

    play()


@pytest.mark.parametrize("seconds", FULL_SECONDS)
def test_a_model_is_asked_once_and_paid_once(seconds: float) -> None:
    """I6: What its answer cost is booked when it can be written, and not as if it were lost."""

    @virtually
    async def play() -> None:
        agent = {"id": "talk", "type": "agent", "config": {"agent_id": "ann", "prompt": "Hello."}}
        world = Outside([agent, outside("quick", "keyed", seconds=1)])
        world.full_from(has("StepCompleted", "talk"), seconds)
        await world.lab.begin()
        await asyncio.sleep(seconds + 60)

        assert world.refused
        assert world.seen["model:send"] == 1
        [done] = world.lab.events("StepCompleted", "talk#1")
        assert Decimal(done.data["cost_usd"]) == world.lab.world.charges["r"]
        assert not world.lab.events("StepFailed")
        assert world.types()[-1] == "RunCompleted"

    play()


@virtually
async def test_an_answer_is_kept_while_the_log_cannot_even_be_read() -> None:
    """I5: The run is out of memory and its database away when the answer comes."""
    world = Outside([outside("slow", "unsafe", seconds=5), outside("quick", "keyed", seconds=1)])
    store, read = world.lab.store, world.lab.store._read

    async def away(run_id: str, after: int, limit: int | None) -> Any:
        if 1 < asyncio.get_running_loop().time() - began < 20:
            raise StoreError("nobody is there")
        return await read(run_id, after, limit)

    began = asyncio.get_running_loop().time()
    store._read = away  # type: ignore[method-assign]
    world.full_from(has("StepCompleted", "quick"), 20)
    await world.lab.begin()
    await asyncio.sleep(90)

    assert (world.seen["slow"], world.seen["quick"]) == (1, 1)
    assert world.types()[-1] == "RunCompleted"


@virtually
async def test_a_cancel_ends_a_call_that_went_on_alone() -> None:
    """Nothing goes on for ever because its run was loaded anew meanwhile."""
    world = Outside([outside("slow", "read", seconds=900), outside("quick", "keyed", seconds=1)])
    world.full_from(has("StepCompleted", "quick"), 2)
    await world.lab.begin()
    await asyncio.sleep(60)
    assert world.refused
    assert (world.seen["slow"], world.seen["slow broken off"]) == (1, 0)

    await world.lab.runner.cancel("r", "ann")
    await asyncio.sleep(60)

    assert world.types()[-1] == "RunCancelled"
    assert (world.seen["slow"], world.seen["slow broken off"]) == (1, 1)
    assert world.lab.runner.executors_of("r") == []


@virtually
async def test_a_timeout_ends_the_call_and_not_its_record() -> None:
    """Who stops waiting for a call of a run that is in memory ends it."""
    node = {**outside("it", "read", seconds=900), "failure_policy": {"timeout_ms": 1_000}}
    world = Outside([node])
    await world.lab.begin()
    await asyncio.sleep(60)

    assert world.types()[-1] == "RunFailed"
    assert (world.seen["it done"], world.seen["it broken off"]) == (0, world.seen["it"])
    assert world.lab.runner.executors_of("r") == []


@virtually
async def test_a_doubt_that_could_not_be_written_is_no_failure() -> None:
    """I5: The disk is full as a call of unknown outcome is to be parked: it is not sent again."""
    world = Outside([outside("it", "unsafe", unknown=True)])
    world.full_from(has("NodeInDoubt"), 5)
    await world.lab.begin()
    await asyncio.sleep(60)

    assert world.refused
    assert world.seen["it"] == 1
    assert world.types().count("InterruptOpened") == 1
    assert "AttemptFailed" not in world.types()
