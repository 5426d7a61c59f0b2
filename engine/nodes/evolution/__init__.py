"""The node type `evolution`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine.agents.activation import gets_activation
from engine.core.effects import EffectClass
from engine.core.node_types.node_type import NodeDefaults, NodeResult, NodeType
from engine.core.node_types.run_views import GENERATIONS
from engine.nodes.evolution.config import EvolutionConfig
from engine.nodes.evolution.search import Evolution

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls


class EvolutionNode(NodeType):
    """Improve candidates by generations and keep the best.

    An agent proposes candidates, an evaluator or a function scores them, and the next generation
    starts from the best. It stops when one is good enough, when nothing gets better, or in time.
    """

    type = "evolution"
    label = "Evolution"
    icon = "dna-2"
    category = "Agents"
    words = ("optimize", "genetic", "improve", "generations", "best")
    effect_class = EffectClass.LLM
    defaults = NodeDefaults(read_keys=("input", "previous"))
    result_keys = (
        "{id}_winner",
        "{id}_winner_fitness",
        "{id}_winner_reasoning",
        "{id}_generation",
        "{id}_fitness_history",
        "{id}_population",
    )
    prompts = True
    views = (GENERATIONS,)
    writes_data: ClassVar[bool] = False

    Config = EvolutionConfig

    @gets_activation
    async def run(self, ctx: ActivationCalls, config: EvolutionConfig) -> NodeResult:
        """Return the winner and how it came about, under result keys and as output."""
        search = Evolution(ctx, config)
        stopped_by = await search.run()
        best = search.best
        found = {
            "winner": None if best is None else best.candidate,
            "winner_fitness": None if best is None else best.fitness,
            "winner_reasoning": None if best is None else best.reasoning,
            "generation": len(search.history),
            "fitness_history": search.history,
            "population": [member.to_json() for member in search.population],
        }
        return NodeResult(
            data={f"{ctx.node.id}_{name}": value for name, value in found.items()},
            output={**found, "stopped_by": stopped_by, "errors": search.errors},
        )
