"""The node types that only the simulation has."""

from __future__ import annotations

from typing import Any

from engine.agents.activation import gets_activation
from engine.sdk import (
    NODE_TYPES,
    EffectClass,
    NodeConfig,
    NodeError,
    NodeResult,
    NodeType,
    NodeTypes,
)
from tests.simulation.world import World


def _result(ctx: Any, output: Any, **fields: Any) -> NodeResult:
    """A result that says under which lease epoch it was produced."""
    return NodeResult(output=output, infra={"debug": {"epoch": ctx.claim.epoch}}, **fields)


class SimPure(NodeType):
    """Evaluate something without effect."""

    type = "sim_pure"
    label = "Pure"
    effect_class = EffectClass.PURE

    async def run(self, ctx: Any, config: Any) -> NodeResult:
        return NodeResult(output={"node": ctx.node.id}, data={f"{ctx.node.id}_ran": True})


class SimLook(NodeType):
    """Look something up with a tool that often fails."""

    type = "sim_look"
    label = "Look"

    @gets_activation
    async def run(self, ctx: Any, config: Any) -> NodeResult:
        tries = ctx.node_state.get("tries", 0) + 1
        await ctx.node_state.set("tries", tries)
        found = await ctx.call_tool("look", {"order": f"{ctx.run_id}/{ctx.act.base}"})
        return _result(ctx, found)


class SimWorker(NodeType):
    """One item: 1 asks a person, 2 fails for good, the others charge."""

    type = "sim_worker"
    label = "Worker"

    @gets_activation
    async def run(self, ctx: Any, config: Any) -> NodeResult:
        if ctx.item == 1:
            said = await ctx.interrupt({"kind": "text", "question": "Go on?", "timeout_ms": 90_000})
            return _result(ctx, said)
        if ctx.item == 2:
            raise NodeError("WorkerFailed", "this item cannot be done")
        order = f"{ctx.run_id}/{ctx.act.key.split('#')[0]}[{ctx.item}]"
        return _result(ctx, await ctx.call_tool("charge", {"order": order}))


class SimFan(NodeType):
    """Run a worker for each item."""

    type = "sim_fan"
    label = "Fan"

    class Config(NodeConfig):
        items: int = 4
        worker: str = "worker"
        fail_fast: bool = False

    async def run(self, ctx: Any, config: Config) -> NodeResult:
        results = await ctx.run_nodes(
            [{"node": config.worker, "slot": i, "item": i} for i in range(config.items)],
            max_concurrency=2,
            fail_fast=config.fail_fast,
        )
        await ctx.emit_message(f"{ctx.node.id} is done")
        return _result(ctx, [r["status"] for r in results])


class SimMixed(NodeType):
    """Run a composite beside what fails at once, and fail with it."""

    type = "sim_mixed"
    label = "Mixed"

    async def run(self, ctx: Any, config: Any) -> NodeResult:
        await ctx.run_nodes(
            [{"node": "inner", "slot": 0}, {"node": "worker", "slot": 1, "item": 2}],
            fail_fast=True,
        )
        raise NodeError("ChildFailed", "one of them failed")


class SimGather(NodeType):
    """Make a model call, a charge, a pause and two sleeps beside one another."""

    type = "sim_gather"
    label = "Gather"

    @gets_activation
    async def run(self, ctx: Any, config: Any) -> NodeResult:
        order = f"{ctx.run_id}/{ctx.act.base}"
        done = await ctx.gather(
            [
                lambda: ctx.reason("buyer", f"{order}/said", tools=[]),
                lambda: ctx.call_tool("charge", {"order": f"{order}/charged"}),
                lambda: ctx.interrupt({"kind": "text", "question": "Shall I?"}),
                lambda: ctx.sleep(700),
                lambda: ctx.sleep(2_500),
                lambda: ctx.run_graph("child", input="beside"),
            ],
            max_concurrency=6,
        )
        return _result(ctx, done[1])


class SimSub(NodeType):
    """Run another graph."""

    type = "sim_sub"
    label = "Sub"

    async def run(self, ctx: Any, config: Any) -> NodeResult:
        ended = await ctx.run_graph("child", input="below")
        return _result(ctx, ended["status"])


class SimBag(NodeType):
    """Keep small state across a pause, and take time and chance from the journal."""

    type = "sim_bag"
    label = "Bag"
    world: World

    @gets_activation
    async def run(self, ctx: Any, config: Any) -> NodeResult:
        seen = [await ctx.now(), await ctx.random()]
        if not ctx.node_state.get("started", False):
            await ctx.emit_structured({"step": "start"}, "lifecycle")
            await ctx.node_state.set("started", True)
        visits = ctx.workflow_state.get("visits", 0)
        await ctx.workflow_state.set("visits", visits + 1)
        await ctx.sleep(300)
        self.world.observe(ctx.run_id, ctx.act.key, ctx.attempt, [*seen, visits])
        said = await ctx.interrupt({"kind": "text", "question": "Is it good?"})
        await ctx.node_state.set("started", False)
        return _result(ctx, said)


class SimCoin(NodeType):
    """Fail, or hand over to another graph, as chance has it."""

    type = "sim_coin"
    label = "Coin"
    effect_class = EffectClass.READ

    class Config(NodeConfig):
        fails: float = 0.0
        hands_over_to: str | None = None

    async def run(self, ctx: Any, config: Config) -> NodeResult:
        thrown = await ctx.random()
        if thrown < config.fails:
            raise NodeError("CoinFell", "on the wrong side")
        target = config.hands_over_to
        return NodeResult(data={"thrown": True} if target else None, transition_to=target)


def node_types(world: World) -> NodeTypes:
    """Return the installed node types and those of the simulation, bound to one world."""
    types = NodeTypes()
    for node_type in NODE_TYPES.all():
        types.register(type(node_type))
    for cls in (SimPure, SimLook, SimWorker, SimFan, SimGather, SimSub, SimBag, SimCoin, SimMixed):
        types.register(cls)
    types.get("sim_bag").world = world  # type: ignore[attr-defined]
    return types
