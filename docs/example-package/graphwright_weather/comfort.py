"""The node type `comfort`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.sdk import EffectClass, NodeConfig, NodeDefaults, NodeError, NodeResult, NodeType, field

if TYPE_CHECKING:
    from engine.sdk import NodeContext


class ComfortConfig(NodeConfig):
    """Config of `comfort`."""

    warm_from: float = field(18, ge=-50, le=60, description="Degrees Celsius that feel warm.")


class ComfortNode(NodeType):
    """Say whether a temperature feels warm or cold.

    It reads the number from its input. Edges choose by `warm` and `cold`.
    """

    type = "comfort"
    label = "Comfort"
    icon = "temperature"
    category = "Weather"
    effect_class = EffectClass.PURE
    defaults = NodeDefaults(read_keys=("input",))

    Config = ComfortConfig

    async def run(self, ctx: NodeContext, config: ComfortConfig) -> NodeResult:
        """Return the feeling as output and as routing token. Raises `NodeError` `NoTemperature`."""
        degrees = ctx.view.input
        if isinstance(degrees, bool) or not isinstance(degrees, int | float):
            raise NodeError("NoTemperature", f"{degrees!r} is no temperature: give a number")
        feeling = "warm" if degrees >= config.warm_from else "cold"
        return NodeResult(output=feeling, condition=feeling)
