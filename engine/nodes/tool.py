"""The node type `tool`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from engine.agents.tool_offers import rendered_arguments, tool_arguments
from engine.core.effects import EffectClass
from engine.core.graph.fields import JsonMap
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig, NodeDefaults, NodeResult, NodeType, Undo
from engine.core.values.json import FrozenDict, freeze

if TYPE_CHECKING:
    from engine.core.node_types.context import NodeContext


class ToolUndo(NodeConfig):
    """The call that undoes the node, rendered when the node completes."""

    tool_id: str = field(widget="tool", min_length=1, description="The tool that undoes it.")
    arguments: JsonMap | None = field(
        None, widget="template", description="Its arguments; texts are templates."
    )


class ToolConfig(NodeConfig):
    """Which tool is called with what, and what undoes it."""

    tool_id: str = field(
        widget="tool", min_length=1, title="Tool", description="`name` or `source/name`."
    )
    arguments: JsonMap | None = field(
        None,
        widget="template",
        description="Texts are templates; absent: everything the node may read.",
    )
    compensation: ToolUndo | None = field(
        None, group="Undo", description="What undoes this call when the run fails later."
    )


class ToolNode(NodeType):
    """Call one tool, without a model.

    The tool's result is the node's output and is kept in memory as `<id>_result`.
    """

    type = "tool"
    label = "Tool"
    icon = "tool"
    category = "Tools"
    words = (
        *("mcp", "action", "call", "function", "send", "search", "integration", "connector"),
        *("database", "sql", "query", "table", "save", "file", "pdf", "sheet", "excel", "csv"),
    )
    effect_class = EffectClass.UNSAFE
    foretold = True
    chooses = False
    defaults = NodeDefaults(read_keys=("input",))
    result_keys = ("{id}_result",)
    writes_data: ClassVar[bool] = False

    Config = ToolConfig

    async def run(self, ctx: NodeContext, config: ToolConfig) -> NodeResult:
        """Return the tool's result. Raises `NodeError` `ToolNotFound`, `ToolFailed`."""
        result = await ctx.call_tool(config.tool_id, tool_arguments(ctx, config.arguments))
        name = config.tool_id.rsplit("/", 1)[-1]
        return NodeResult(
            output=result,
            data={f"{ctx.node.id}_result": result},
            metadata={"tool_name": name},
        )

    def undo_of(self, config: ToolConfig, scope: Mapping[str, Any]) -> Undo | None:
        """Return the tool call that undoes this one, its arguments rendered."""
        undo = config.compensation
        if undo is None:
            return None
        arguments = rendered_arguments(undo.arguments, scope)
        return Undo(undo.tool_id, freeze({"tool_id": undo.tool_id, "arguments": arguments}))

    async def undo(self, ctx: NodeContext, request: FrozenDict) -> Any:
        """Return the result of the tool that undoes it. Raises like `run`."""
        return await ctx.call_tool(request["tool_id"], request["arguments"])
