"""The node type `delay`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine.core.effects import EffectClass
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig, NodeDefaults, NodeResult, NodeType

if TYPE_CHECKING:
    from engine.core.node_types.context import NodeContext


class DelayConfig(NodeConfig):
    """How long to wait, in ms."""

    duration_ms: int = field(
        ge=0, le=366 * 86_400_000, widget="duration", title="Duration", description="How long."
    )


class DelayNode(NodeType):
    """Wait, without holding a worker.

    The wait is a durable timer: a restart neither loses nor doubles it.
    """

    type = "delay"
    label = "Delay"
    icon = "hourglass"
    category = "Flow"
    words = ("wait", "sleep", "pause", "timer", "schedule", "later")
    effect_class = EffectClass.READ
    foretold = True
    chooses = False
    defaults = NodeDefaults(read_keys=(), config={"duration_ms": 1_000})
    writes_data: ClassVar[bool] = False
    reads_named = True

    Config = DelayConfig

    async def run(self, ctx: NodeContext, config: DelayConfig) -> NodeResult:
        """Return after the duration."""
        await ctx.sleep(config.duration_ms)
        return NodeResult(output=f"Delayed for {config.duration_ms}ms")
