"""Node types of the recorded graphs: each does what some event tells of."""

from __future__ import annotations

from typing import Any

from engine.agents.activation import gets_activation
from engine.core.values.json import FrozenDict
from engine.sdk import NodeError, NodeResult, NodeType, NodeTypes, Undo
from tests.engine import node_types as known


class Shower(NodeType):
    """Show something in every way there is, and remember it."""

    type = "g_show"
    label = "Show"

    @gets_activation
    async def run(self, ctx: Any, config: Any) -> Any:
        await ctx.now()
        await ctx.emit_message("Looking…")
        await ctx.emit_structured({"step": 1}, "progress")
        await ctx.emit_structured({"of": 2}, "progress", "merge")
        await ctx.show("scores", {"name": "fit", "score": 0.5})
        await ctx.node_state.set("seen", 1)
        await ctx.workflow_state.set("total", 2)
        await ctx.record_event("WriteDropped", {"keys": ["secret"], "reason": "not allowed"})
        return NodeResult(
            output={"kind": "bill"},
            data={"note": "a"},
            condition="bill",
            metadata={"lang": "en"},
            ui={"message": "It is a bill.", "structured": {"done": True}},
        )


class Shaky(NodeType):
    """Fail the first time."""

    type = "g_shaky"
    label = "Shaky"

    async def run(self, ctx: Any, config: Any) -> Any:
        if ctx.attempt == 1:
            raise NodeError("HandlerFailed", "not yet", retryable=True)
        return NodeResult(data={"tries": ctx.attempt})


class Booker(NodeType):
    """Book something that can be undone."""

    type = "g_book"
    label = "Book"

    async def run(self, ctx: Any, config: Any) -> Any:
        return {"output": (await ctx.call_tool("charge", {"order": ctx.node.id}))["done"]}

    def undo_of(self, config: Any, scope: Any) -> Undo:
        """Give it back."""
        return Undo("refund", FrozenDict({"order": "back"}))

    async def undo(self, ctx: Any, request: FrozenDict) -> Any:
        return await ctx.call_tool("refund", {"order": request["order"]})


class Broken(NodeType):
    """Fail for good."""

    type = "g_break"
    label = "Break"

    async def run(self, ctx: Any, config: Any) -> Any:
        raise NodeError("OutOfStock", "nothing is left")


class Hand(NodeType):
    """Go on in another graph."""

    type = "g_hand"
    label = "Hand over"

    async def run(self, ctx: Any, config: Any) -> Any:
        return NodeResult(transition_to="inner", data={"x": 1})


def node_types() -> NodeTypes:
    """Return the installed types, those of the engine's tests, and these."""
    types = known.node_types()
    for cls in (Shower, Shaky, Booker, Broken, Hand):
        types.register(cls)
    return types
