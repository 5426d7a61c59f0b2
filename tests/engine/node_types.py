"""One node type for each primitive of the node context."""

from __future__ import annotations

import asyncio
from typing import Any

from engine.agents.activation import gets_activation
from engine.sdk import NODE_TYPES, NodeConfig, NodeError, NodeResult, NodeType, NodeTypes

STARTS: dict[str, int] = {}
"""How often the code of each activation was entered, counted outside the context."""


def _entered(ctx: Any) -> None:
    STARTS[ctx.act.key] = STARTS.get(ctx.act.key, 0) + 1


class Reader(NodeType):
    """Return what it may read, before and after a pause."""

    type = "t_view"
    label = "View"

    async def run(self, ctx: Any, config: Any) -> Any:
        _entered(ctx)
        await ctx.interrupt({"kind": "text", "question": "Read?"})
        return {"output": dict(ctx.view.memory)}


class Writer(NodeType):
    """Write the key of its id."""

    type = "t_write"
    label = "Write"

    class Config(NodeConfig):
        key: str = "note"
        value: int = 2
        after_ms: int = 0

    async def run(self, ctx: Any, config: Any) -> Any:
        if config.after_ms:
            await ctx.sleep(config.after_ms)
        return NodeResult(data={config.key: config.value})


class Reasoner(NodeType):
    """Ask a model, pause, and ask again."""

    type = "t_reason"
    label = "Reason"

    async def run(self, ctx: Any, config: Any) -> Any:
        _entered(ctx)
        first = await ctx.reason("ann", "first", tools=[])
        await ctx.interrupt({"kind": "text", "question": "More?"})
        second = await ctx.reason("ann", "second", tools=[])
        return {"output": [first.text, second.text]}


class Caller(NodeType):
    """Call a tool, pause, and say what it answered."""

    type = "t_tool"
    label = "Call"

    class Config(NodeConfig):
        tool: str = "charge"

    async def run(self, ctx: Any, config: Any) -> Any:
        _entered(ctx)
        done = await ctx.call_tool(config.tool, {"order": ctx.node.id})
        await ctx.interrupt({"kind": "text", "question": "Good?"})
        return {"output": done}


class Asker(NodeType):
    """Put every kind of question, one after the other."""

    type = "t_interrupt"
    label = "Ask"

    async def run(self, ctx: Any, config: Any) -> Any:
        _entered(ctx)
        options = [{"id": "a", "label": "A"}, {"id": "b", "label": "B", "value": 7}]
        text = await ctx.interrupt({"kind": "text", "question": "Text?"})
        choice = await ctx.interrupt({"kind": "choice", "question": "One?", "options": options})
        return {"output": [text, choice]}


class Child(NodeType):
    """Do one item: `pause` asks a person, `fail` fails for good."""

    type = "t_child"
    label = "Child"

    async def run(self, ctx: Any, config: Any) -> Any:
        if ctx.item == "pause":
            return {"output": await ctx.interrupt({"kind": "text", "question": "Child?"})}
        if ctx.item == "fail":
            raise NodeError("ChildBroken", "this one cannot be done")
        return {"output": ctx.item}


class Parent(NodeType):
    """Run one child."""

    type = "t_run_node"
    label = "Parent"

    async def run(self, ctx: Any, config: Any) -> Any:
        _entered(ctx)
        return {"output": (await ctx.run_node("child", item="pause"))["output"]}


class Crowd(NodeType):
    """Run many children, of which item 3 pauses and item 5 fails."""

    type = "t_run_nodes"
    label = "Crowd"

    class Config(NodeConfig):
        count: int = 10
        fail_fast: bool = False

    async def run(self, ctx: Any, config: Any) -> Any:
        _entered(ctx)
        special = {3: "pause", 5: "fail"}
        results = await ctx.run_nodes(
            [{"node": "child", "slot": i, "item": special.get(i, i)} for i in range(config.count)],
            max_concurrency=50,
            fail_fast=config.fail_fast,
        )
        return {"output": [r.get("output", r["status"]) for r in results]}


class Nester(NodeType):
    """Run another graph."""

    type = "t_run_graph"
    label = "Nest"

    async def run(self, ctx: Any, config: Any) -> Any:
        _entered(ctx)
        ended = await ctx.run_graph("inner", input={"n": 1})
        return {"output": [ended["status"], ended["result"]]}


class Gatherer(NodeType):
    """Make many tool calls, two at a time."""

    type = "t_gather"
    label = "Gather"

    class Config(NodeConfig):
        count: int = 6

    async def run(self, ctx: Any, config: Any) -> Any:
        _entered(ctx)

        def call(i: int) -> Any:
            return lambda: ctx.call_tool("charge", {"order": f"o{i}"})

        done = await ctx.gather([call(i) for i in range(config.count)], max_concurrency=2)
        return {"output": [d["done"] for d in done]}


class Counter(NodeType):
    """Count in node and workflow state, failing once and pausing once."""

    type = "t_state"
    label = "Count"

    async def run(self, ctx: Any, config: Any) -> Any:
        n = ctx.node_state.get("n", 0) + 1
        await ctx.node_state.set("n", n)
        shared = ctx.workflow_state.get("k", 0) + 10
        await ctx.workflow_state.set("k", shared)
        if n == 1:
            raise NodeError("HandlerFailed", "the first time it fails", retryable=True)
        await ctx.interrupt({"kind": "text", "question": "Counted?"})
        return {"output": [n, shared]}


class Speaker(NodeType):
    """Emit before and after a pause."""

    type = "t_emit"
    label = "Emit"

    async def run(self, ctx: Any, config: Any) -> Any:
        await ctx.emit_message("before")
        await ctx.emit_structured({"step": "start"}, "lifecycle")
        await ctx.interrupt({"kind": "text", "question": "Seen?"})
        await ctx.emit_message("after")
        await ctx.emit_structured({"more": 1}, "lifecycle", "merge")
        return {}


class Chancer(NodeType):
    """Take time and chance, sleep, and compare."""

    type = "t_chance"
    label = "Chance"
    seen: list[Any] = []

    async def run(self, ctx: Any, config: Any) -> Any:
        taken = [await ctx.now(), await ctx.random()]
        await ctx.sleep(5_000)
        self.seen.append(taken)
        await ctx.interrupt({"kind": "text", "question": "Same?"})
        self.seen.append(taken)
        return {"output": taken}


class Strayer(NodeType):
    """Use the context from a task of its own."""

    type = "t_stray"
    label = "Stray"

    async def run(self, ctx: Any, config: Any) -> Any:
        return {"output": await asyncio.create_task(ctx.call_tool("charge", {"order": "stray"}))}


class Fickle(NodeType):
    """Ask something else each time its code is entered."""

    type = "t_fickle"
    label = "Fickle"

    @gets_activation
    async def run(self, ctx: Any, config: Any) -> Any:
        _entered(ctx)
        await ctx.call_tool("charge", {"order": f"entry {STARTS[ctx.act.key]}"})
        await ctx.interrupt({"kind": "text", "question": "And?"})
        return {}


def node_types(*without: str) -> NodeTypes:
    """Return the installed types and these, but for those named in `without`."""
    types = NodeTypes()
    known = [type(node_type) for node_type in NODE_TYPES.all()]
    own: list[type[NodeType]] = [cls for cls in globals().values() if _is_own(cls)]
    for cls in [*known, *own]:
        if cls.type not in without:
            types.register(cls)
    return types


def _is_own(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, NodeType) and value.__module__ == __name__
