"""The node type `supervisor`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine.agents.activation import gets_activation
from engine.core.effects import EffectClass
from engine.core.graph.fields import Id
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig, NodeDefaults, NodeResult, NodeType
from engine.core.node_types.run_views import DECISIONS
from engine.nodes.supervisor.delegation import supervise

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls


class SupervisorConfig(NodeConfig):
    """Who delegates, to which nodes, how often at most, and when it is done."""

    agent_id: Id = field(widget="agent", title="Agent", description="Decides which node is next.")
    managed_nodes: tuple[Id, ...] = field(
        widget="nodes",
        hints={"runs": True},
        min_length=1,
        description="The nodes it may run; no wires to them are needed.",
    )
    max_iterations: int = field(10, ge=1, le=1_000, description="Most delegations.")
    completion_condition: str | None = field(
        None,
        widget="expression",
        hints={"also_jsonpath": True, "over_view": True},
        min_length=1,
        description="Ends the work once it is true; text that starts with `$` is JSONPath.",
    )


class SupervisorNode(NodeType):
    """Let an agent decide, again and again, which of the managed nodes works next.

    It ends when the agent says so, when its condition holds, or at its limit. Every delegation
    stands in its output with the reason.
    """

    type = "supervisor"
    label = "Supervisor"
    icon = "users-group"
    category = "Agents"
    words = ("manager", "team", "orchestrate", "delegate", "loop", "workers")
    effect_class = EffectClass.LLM
    defaults = NodeDefaults(read_keys=("input", "previous"))
    prompts = True
    views = (DECISIONS,)
    writes_data: ClassVar[bool] = False

    Config = SupervisorConfig

    @gets_activation
    async def run(self, ctx: ActivationCalls, config: SupervisorConfig) -> NodeResult:
        """Return `{stopped_by, iterations, history}` by the contract's rows C71 to C77."""
        return await supervise(ctx, config)
