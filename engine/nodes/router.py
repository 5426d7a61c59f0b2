"""The node type `router`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine.agents.activation import gets_activation
from engine.core.effects import EffectClass
from engine.core.expressions.cel import MissingReference, compile_expression
from engine.core.node_types.form import field
from engine.core.node_types.node_type import (
    ANY_BRANCH,
    FAILED,
    Handle,
    NodeConfig,
    NodeDefaults,
    NodeResult,
    NodeType,
)
from engine.core.values.json import as_text

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls


OTHERWISE = Handle("completed", "Otherwise")


class RouterConfig(NodeConfig):
    """The expression whose value chooses the edge."""

    expression: str | None = field(
        None,
        widget="expression",
        min_length=1,
        group="More settings",
        title="Branch by a word",
        description="Its text names a branch or the step to go to. Empty: the conditions of the wires decide.",
    )


class RouterNode(NodeType):
    """Choose how the run goes on, without a model.

    The conditions on its wires decide; or branch by a field, and each of its values has a wire.
    """

    type = "router"
    label = "Router"
    icon = "arrows-split-2"
    category = "Flow"
    words = ("if", "else", "switch", "branch", "condition", "case", "decide", "filter", "split")
    rank = 2
    effect_class = EffectClass.PURE
    handles = (Handle("when", "If …", when=ANY_BRANCH), OTHERWISE, FAILED)
    defaults = NodeDefaults(read_keys=("input", "previous"))
    writes_data: ClassVar[bool] = False
    reads_named = True

    Config = RouterConfig

    @gets_activation
    async def run(self, ctx: ActivationCalls, config: RouterConfig) -> NodeResult:
        """Return the way by row C62. Raises `NodeError` `UndeclaredTarget`."""
        if config.expression is None:
            return NodeResult()
        try:
            route = _token(compile_expression(config.expression).evaluate(ctx.scope()))
        except MissingReference:
            route = ""
        ctx.finish.route = route
        return NodeResult(output=route)


def _token(value: object) -> str:
    return (
        str(value) if value is not None and not isinstance(value, bool | float) else as_text(value)
    )
