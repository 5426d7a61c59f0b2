"""The node type `tool`."""

from __future__ import annotations

from typing import ClassVar

from engine.effects import EffectClass
from engine.fields import JsonMap
from engine.form import field
from engine.node import NodeConfig, NodeDefaults, NodeType


class ToolUndo(NodeConfig):
    """The call that undoes the node, rendered when the node completes."""

    tool_id: str = field(widget="tool", min_length=1, description="The tool that undoes it.")
    arguments: JsonMap | None = field(
        None, widget="template", description="Its arguments; texts are templates."
    )


class ToolConfig(NodeConfig):
    """Config of `tool`."""

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
    effect_class = EffectClass.UNSAFE
    defaults = NodeDefaults(read_keys=("input",))
    result_keys = ("{id}_result",)
    writes_data: ClassVar[bool] = False

    Config = ToolConfig
