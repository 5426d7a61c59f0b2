"""The node type `output`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from engine.agents.activation import gets_activation
from engine.core.effects import EffectClass
from engine.core.expressions.cel import compile_expression
from engine.core.expressions.template_trees import render_tree
from engine.core.graph.fields import JsonMap
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig, NodeDefaults, NodeResult, NodeType

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls


class OutputConfig(NodeConfig):
    """What the run gives: an expression, and metadata beside it."""

    value: str | None = field(
        None,
        widget="expression",
        min_length=1,
        hints={"must_have": True},
        description="The run's result; absent: the output of the node before.",
    )
    metadata: JsonMap | None = field(
        None, widget="template", description="Added to the metadata that flows on."
    )


class OutputNode(NodeType):
    """Compute the run's result.

    It may stand anywhere; the last one that completes gives the result. What the node before left
    is always readable here as `previous`.
    """

    type = "output"
    label = "Output"
    icon = "flag-check"
    category = "Flow"
    words = ("end", "result", "return", "finish", "done", "answer", "template")
    effect_class = EffectClass.PURE
    chooses = False
    defaults = NodeDefaults(read_keys=("previous",))
    writes_data: ClassVar[bool] = False
    reads_named = True
    always_reads: ClassVar[tuple[str, ...]] = ("previous",)

    Config = OutputConfig

    @gets_activation
    async def run(self, ctx: ActivationCalls, config: OutputConfig) -> NodeResult:
        """Return the value as output. Raises `NodeError` `MissingReference`, `ExpressionFailed`."""
        scope = ctx.scope()
        ctx.finish.is_result = True
        value = compile_expression(config.value or "previous").evaluate(scope)
        metadata: Any = None if config.metadata is None else render_tree(config.metadata, scope)
        return NodeResult(output=value, metadata=metadata)
