"""Scripted handlers: functions of a `--script`, in front of the registered ones."""

from __future__ import annotations

from typing import Any

from engine.core.errors import NodeError
from engine.core.node_types.context import NodeContext
from engine.core.node_types.registry import Handler, Handlers
from engine.core.values.json import thaw
from engine.scripted.script import FunctionReply, Script


class ScriptedHandlers(Handlers):
    """Functions by name: those of the script first, then `behind`."""

    def __init__(self, script: Script, behind: Handlers) -> None:
        super().__init__()
        self._behind = behind
        self._scripted = {name: _handler(script, name) for name in script.functions}

    def find(self, name: str) -> Handler | None:
        """Return the scripted function, else the registered one."""
        return self._scripted.get(name) or self._behind.find(name)

    def all(self) -> list[Handler]:
        """Return every function by short name."""
        known = {entry.name: entry for entry in self._behind.all()} | self._scripted
        return [known[name] for name in sorted(known)]


def _handler(script: Script, name: str) -> Handler:
    replies = script.function_replies(name)

    async def scripted(ctx: NodeContext, params: object) -> Any:
        return await _reply(replies.take(), ctx)

    return Handler(name, f"script:{name}", scripted)


async def _reply(reply: FunctionReply, ctx: NodeContext) -> Any:
    if reply.error is not None:
        raise NodeError("HandlerFailed", reply.error.message, retryable=True)
    if reply.view:
        return {"output": view_json(ctx)}
    if reply.count_visits:
        count = ctx.node_state.get("visits", 0) + 1
        await ctx.node_state.set("visits", count)
        return {"output": count}
    return thaw(reply.returns)


def view_json(ctx: NodeContext) -> dict[str, Any]:
    """Return what a node sees, as one JSON object."""
    view = ctx.view
    return {
        "goal": view.goal,
        "constraints": view.constraints,
        "input": view.input,
        "memory": view.memory,
        "outputs": view.outputs,
        "previous": view.previous,
        "metadata": view.metadata,
        "context": view.context,
    }
