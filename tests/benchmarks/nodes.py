"""Node types of the workloads: as little code as a node can have, so that the engine is left."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic import Field

from engine.nodes.map import MapNode
from engine.sdk import EffectClass, NodeConfig, NodeResult, NodeType, NodeTypes

KILOBYTE = "x" * 1_000
"""One delta of the growing workloads, with its place in an event about 1 KB."""


class Trivial(NodeType):
    """Give a constant."""

    type = "bench_trivial"
    label = "Trivial"
    effect_class = EffectClass.PURE

    async def run(self, ctx: Any, config: Any) -> NodeResult:
        return NodeResult(output=1)


class Look(NodeType):
    """Make one journaled read, optionally slow, and optionally write a delta."""

    type = "bench_look"
    label = "Look"
    effect_class = EffectClass.READ

    class Config(NodeConfig):
        """What a look takes and leaves."""

        wait_ms: int = Field(0, ge=0, description="How long the outside takes to answer.")
        write: bool = Field(False, description="Whether 1 KB is appended to memory.")
        lap: bool = Field(False, description="Whether it counts itself, beside 1 KB in its place.")

    async def run(self, ctx: Any, config: Config) -> NodeResult:
        async def look(_key: str) -> int:
            if config.wait_ms:
                await asyncio.sleep(config.wait_ms / 1000)
            return 1

        found = await ctx.perform("look", {"at": 1}, EffectClass.READ, look)
        if config.write:
            return NodeResult(data={"log": KILOBYTE}, output=found)
        if config.lap:
            return NodeResult(data={"laps": 1, "value": KILOBYTE}, output=found)
        return NodeResult(output=found)


class Fan(NodeType):
    """Run another node once for each number below `width`."""

    type = "bench_fan"
    label = "Fan"
    effect_class = EffectClass.READ

    class Config(NodeConfig):
        """How wide, and what runs."""

        width: int = Field(1_000, ge=1, description="Number of children.")
        worker: str = Field("worker", description="The node that each child is.")

    async def run(self, ctx: Any, config: Config) -> NodeResult:
        children = [{"node": config.worker, "slot": i, "item": i} for i in range(config.width)]
        done = await ctx.run_nodes(children, max_concurrency=50, isolated=True)
        return NodeResult(output=len(done))


class Wait(NodeType):
    """Await something slow beside the journal, and give the item back."""

    type = "bench_wait"
    label = "Wait"
    effect_class = EffectClass.READ

    class Config(NodeConfig):
        """What a wait takes."""

        wait_ms: int = Field(20, ge=0, description="How long it takes.")

    async def run(self, ctx: Any, config: Config) -> NodeResult:
        await asyncio.sleep(config.wait_ms / 1000)
        return NodeResult(output=ctx.item)


class Ask(NodeType):
    """Wait for one answer."""

    type = "bench_ask"
    label = "Ask"
    effect_class = EffectClass.READ

    async def run(self, ctx: Any, config: Any) -> NodeResult:
        return NodeResult(output=await ctx.interrupt({"kind": "text", "question": "Well?"}))


def bench_types() -> NodeTypes:
    """Return a registry with these types only."""
    types = NodeTypes()
    for cls in (Trivial, Look, Fan, Wait, Ask, MapNode):
        types.register(cls)
    return types
