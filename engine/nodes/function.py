"""The node type `function`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.agents.activation import gets_activation
from engine.core.effects import EffectClass
from engine.core.errors import NodeError
from engine.core.graph.fields import JsonMap
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig, NodeDefaults, NodeResult, NodeType, Undo
from engine.core.values.json import FrozenDict, freeze
from engine.runtime.execution.functions.handlers import call_handler

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls


class FunctionUndo(NodeConfig):
    """The function that undoes the node."""

    handler: str = field(widget="handler", min_length=1, description="A registered function.")
    params: JsonMap = field(
        default_factory=FrozenDict, widget="json", description="Handed over as they are."
    )


class FunctionConfig(NodeConfig):
    """Which installed function is called with what, and what undoes it."""

    handler: str = field(
        widget="handler",
        min_length=1,
        description="A registered function: its short name or `package.module:function`.",
    )
    params: JsonMap = field(
        default_factory=FrozenDict,
        widget="json",
        description="Handed over as they are, never rendered.",
    )
    compensation: FunctionUndo | None = field(
        None, group="Undo", description="What undoes this call when the run fails later."
    )


class FunctionNode(NodeType):
    """Run a Python function that the operator registered.

    Code before a pause runs again on resume: keep pauses first and effects inside `ctx`.
    """

    type = "function"
    label = "Function"
    icon = "code"
    category = "Tools"
    words = (
        *("code", "python", "script", "transform", "set", "map", "compute", "handler"),
        *("calculate", "math", "json", "parse", "format", "sort"),
    )
    effect_class = EffectClass.READ
    defaults = NodeDefaults(read_keys=("input", "previous"))

    Config = FunctionConfig

    @gets_activation
    async def run(self, ctx: ActivationCalls, config: FunctionConfig) -> Any:
        """Return what the handler returns. Raises `NodeError` `UnknownHandler`."""
        return await _call(ctx, config.handler, config.params)

    def undo_of(self, config: FunctionConfig, scope: Mapping[str, Any]) -> Undo | None:
        """Return the function that undoes this one, with what it may read when it is called."""
        undo = config.compensation
        if undo is None:
            return None
        request = {"handler": undo.handler, "params": undo.params, "scope": scope}
        return Undo(undo.handler, freeze(request))

    @gets_activation
    async def undo(self, ctx: ActivationCalls, request: FrozenDict) -> Any:
        """Return what the undoing function returns. Raises like `run`."""
        return NodeResult.of(await _call(ctx, request["handler"], request["params"]))


async def _call(ctx: ActivationCalls, name: str, params: Mapping[str, Any]) -> Any:
    entry = ctx.handlers.find(name)
    if entry is None:
        raise NodeError("UnknownHandler", f"no function {name!r} is registered")
    return await call_handler(ctx, entry, params)
