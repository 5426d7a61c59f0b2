"""The node type `function`."""

from __future__ import annotations

from engine.effects import EffectClass
from engine.fields import JsonMap
from engine.form import field
from engine.node import NodeConfig, NodeDefaults, NodeType
from engine.values import FrozenDict


class FunctionUndo(NodeConfig):
    """The function that undoes the node."""

    handler: str = field(widget="handler", min_length=1, description="A registered function.")
    params: JsonMap = field(
        default_factory=FrozenDict, widget="json", description="Handed over as they are."
    )


class FunctionConfig(NodeConfig):
    """Config of `function`."""

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
    effect_class = EffectClass.READ
    defaults = NodeDefaults(read_keys=("input", "previous"))

    Config = FunctionConfig
