"""The node type `router`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from engine.effects import EffectClass
from engine.errors import NodeError
from engine.expressions import compile_expression
from engine.form import field
from engine.node import COMPLETED, FAILED, Handle, NodeConfig, NodeDefaults, NodeResult, NodeType
from engine.values import as_text

if TYPE_CHECKING:
    from engine.context import NodeContext


class RouterConfig(NodeConfig):
    """Config of `router`."""

    expression: str | None = field(
        None,
        widget="expression",
        min_length=1,
        description="Its text names a `when` token or a target; absent: the edges decide.",
    )


class RouterNode(NodeType):
    """Choose one way on, without a model.

    With an expression, its result names the way; without one, the conditions on the edges do.
    """

    type = "router"
    label = "Router"
    icon = "arrows-split-2"
    category = "Flow"
    effect_class = EffectClass.PURE
    handles = (Handle("when", "when …", when="*"), COMPLETED, FAILED)
    defaults = NodeDefaults(read_keys=("input", "previous"))
    writes_data: ClassVar[bool] = False

    Config = RouterConfig

    async def run(self, ctx: NodeContext, config: RouterConfig) -> NodeResult:
        """Return the way by row C62. Raises `NodeError` `UndeclaredTarget`."""
        if config.expression is None:
            return NodeResult()
        try:
            chosen = _token(compile_expression(config.expression).evaluate(ctx.view.scope()))
        except NodeError as error:
            if error.code != "MissingReference":
                raise
            return _otherwise(ctx, f"the expression names something missing: {error.message}")
        edges = ctx.edges
        if any(edge.when == chosen for edge in edges):
            return NodeResult(output=chosen, condition=chosen)
        if any(edge.target == chosen for edge in edges):
            return NodeResult(output=chosen, next=[chosen])
        return _otherwise(ctx, f"{chosen!r} is neither a token nor a target of its edges", chosen)


def _token(value: Any) -> str:
    return (
        str(value) if value is not None and not isinstance(value, bool | float) else as_text(value)
    )


def _otherwise(ctx: NodeContext, reason: str, chosen: str | None = None) -> NodeResult:
    """Return the unconditional edge beside conditional ones."""
    plain = [edge for edge in ctx.edges if not edge.conditional and edge.trigger is None]
    if not plain or not any(edge.conditional for edge in ctx.edges):
        raise NodeError("UndeclaredTarget", f"{reason}, and there is no else edge")
    return NodeResult(output=chosen, next=[plain[0].target])
