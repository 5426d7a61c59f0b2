"""The node type `agent`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.agents.activation import gets_activation
from engine.agents.agent_config import AgentConfig
from engine.agents.node_answer import answer, prepare, result_of
from engine.agents.refining.annealing import anneal
from engine.agents.swarm.turns import take_part
from engine.core.effects import EffectClass
from engine.core.node_types.node_type import NodeDefaults, NodeResult, NodeType
from engine.core.node_types.run_views import HANDOFFS, SCORES

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls


class AgentNode(NodeType):
    """Ask a model, in your own words.

    Write what it is to do into the prompt; put in what it needs with `/`. It answers with a text,
    or with the fields that you list under “Gives”.
    """

    type = "agent"
    label = "Agent"
    icon = "robot"
    category = "Agents"
    words = (
        "llm",
        "prompt",
        "ai",
        "model",
        "gpt",
        "claude",
        "chat",
        "classify",
        "extract",
        "summarize",
        "translate",
        "write",
        "generate",
        "analyze",
        "answer",
    )
    rank = 1
    effect_class = EffectClass.LLM
    defaults = NodeDefaults(read_keys=("input", "previous"))
    prompts = True
    reads_named = True
    views = (
        SCORES,
        HANDOFFS,
    )

    Config = AgentConfig

    @gets_activation
    async def run(self, ctx: ActivationCalls, config: AgentConfig) -> NodeResult:
        """Return the answer, applied and routed by the contract's rows V5 to V18."""
        asked = await prepare(ctx, config)
        if config.annealing is not None:
            return await anneal(ctx, config, asked)
        if config.swarm is not None:
            return await take_part(ctx, config, asked)
        return result_of(ctx, config, asked, await answer(ctx, config, asked))
