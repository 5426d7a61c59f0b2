"""The graphs of the simulation, and the node types that only it has."""

from __future__ import annotations

from typing import Any

from engine.effects import EffectClass
from engine.errors import NodeError
from engine.graph import GraphSpec, parse_document
from engine.node import NodeConfig, NodeResult, NodeType
from engine.registry import NODE_TYPES, NodeTypes
from tests.simulation.world import World

FAST = {
    "max_retries": 3,
    "backoff_strategy": "exponential",
    "initial_backoff_ms": 200,
    "max_backoff_ms": 5_000,
    "timeout_ms": 60_000,
}


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

    async def run(self, ctx: Any, config: Any) -> NodeResult:
        tries = ctx.node_state.get("tries", 0) + 1
        await ctx.node_state.set("tries", tries)
        found = await ctx.call_tool("look", {"order": f"{ctx.run_id}/{ctx.act.base}"})
        return _result(ctx, found)


class SimWorker(NodeType):
    """One item: 1 asks a person, 2 fails for good, the others charge."""

    type = "sim_worker"
    label = "Worker"

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


class SimGather(NodeType):
    """Make a model call, a charge, a pause and two sleeps beside one another."""

    type = "sim_gather"
    label = "Gather"

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


def node_types(world: World) -> NodeTypes:
    """Return the installed node types and those of the simulation, bound to one world."""
    types = NodeTypes()
    for node_type in NODE_TYPES.all():
        types.register(type(node_type))
    for cls in (SimPure, SimLook, SimWorker, SimFan, SimGather, SimSub, SimBag):
        types.register(cls)
    types.get("sim_bag").world = world  # type: ignore[attr-defined]
    return types


def _agent(name: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": name,
        "type": "agent",
        "read_keys": ["context"],
        "config": {
            "agent_id": "buyer",
            "prompt": "{{ context.run_id }}/" + name,
            "frame": "bare",
            **fields.pop("config", {}),
        },
        **fields,
    }


def _node(name: str, kind: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "type": kind, **fields}


def _graph(name: str, nodes: list[dict[str, Any]], *edges: str, **fields: Any) -> GraphSpec:
    drawn = []
    for edge in edges:
        source, target = edge.split(" > ")
        drawn.append({"source": source, "target": target})
    for node in nodes:
        node.setdefault("failure_policy", FAST)
    document = {
        "id": name,
        "agents": [{"id": "buyer", "tools": ["charge"], "max_output_tokens": 40}],
        "nodes": nodes,
        "edges": drawn,
        **fields,
    }
    spec, problems = parse_document(document)
    assert spec is not None, problems
    return spec


TWO_PEOPLE = {
    "rule": {"at_least": 2},
    "reminders": [10_000, 30_000],
    "escalation": {"after_ms": 60_000, "to": ["role:admin"]},
}

ORDERS = _graph(
    "orders",
    [
        _node("prep", "sim_pure", write_keys=["*"]),
        _agent("buy"),
        _node("look", "sim_look"),
        _node("fan", "sim_fan"),
        _node("worker", "sim_worker"),
        _node("merge", "sim_pure", write_keys=["*"]),
        _node("ok", "approval", config={"review_keys": ["merge_ran"], "timeout_ms": 120_000,
                                        "rejection_node_id": "declined", "policy": TWO_PEOPLE}),
        _node("mail", "tool", read_keys=["context"],
              config={"tool_id": "mail", "arguments": {"order": "{{ context.run_id }}/mail"}}),
        _node("declined", "sim_pure", write_keys=["*"]),
    ],
    "__start__ > prep", "prep > buy", "prep > look", "prep > fan", "buy > merge", "look > merge",
    "fan > merge", "merge > ok", "ok > mail", "mail > __end__", "declined > __end__",
)  # fmt: skip

NESTED = _graph(
    "nested",
    [
        _node("sub", "sim_sub"),
        _node("both", "sim_gather"),
        _node("bag", "sim_bag"),
        _node("fast", "sim_fan", config={"fail_fast": True}),
        _node("worker", "sim_worker"),
        _node("last", "sim_pure", write_keys=["*"]),
    ],
    "__start__ > sub", "__start__ > both", "__start__ > bag", "sub > last", "both > last",
    "__start__ > fast", "fast > last",
    "bag > last", "last > __end__",
    limits={"budget_usd": "0.09"},
)  # fmt: skip

CAPPED = _graph(
    "capped",
    [
        _agent("first", budget={"max_cost_usd": "0.012", "on_breach": "ask"}),
        _agent("second", budget={"max_tokens": 1500, "on_breach": "ask"}),
        _agent("third"),
        _node("mail", "tool", read_keys=["context"],
              config={"tool_id": "mail", "arguments": {"order": "{{ context.run_id }}/mail"}}),
    ],
    "__start__ > first", "__start__ > second", "__start__ > third", "first > mail",
    "second > mail", "third > mail", "mail > __end__",
    limits={"budget_usd": "0.03"},
)  # fmt: skip

CHILD = _graph(
    "child",
    [_agent("inner"), _node("ask", "question", config={"question": "Really?"})],
    "__start__ > inner", "inner > ask", "ask > __end__",
)  # fmt: skip

GRAPHS = (ORDERS, NESTED, CAPPED)
