"""The node type `evolution`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import model_validator

from engine.agents.activation import gets_activation
from engine.core.effects import EffectClass
from engine.core.graph.fields import Id
from engine.core.graph.problems import refusal
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig, NodeDefaults, NodeResult, NodeType
from engine.core.node_types.run_views import GENERATIONS
from engine.nodes.evolution.search import Evolution

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls


class EvolutionConfig(NodeConfig):
    """Who proposes and who judges candidates, and when generations end."""

    candidate_agent_id: Id = field(
        widget="agent", title="Candidates", description="The agent that proposes candidates."
    )
    evaluator_agent_id: Id | None = field(
        None, widget="agent", title="Evaluator", description="Scores each candidate."
    )
    fitness_function: str | None = field(
        None,
        min_length=1,
        widget="handler",
        hints={"fitness": True},
        description="A registered function `(ctx, candidate)` that scores instead of the evaluator.",
    )
    prompt: str = field(
        "",
        widget="prompt",
        description="What candidates are asked; empty: goal, constraints and the readable state.",
    )
    evaluation_criteria: str | None = field(
        None, min_length=1, description="What the evaluator judges by."
    )
    population_size: int = field(
        5, ge=2, le=1_000, group="Population", description="Candidates in each generation."
    )
    selection_strategy: Literal["rank", "tournament", "roulette"] = field(
        "rank",
        group="Population",
        description="Who becomes a parent: the best, the best of a few drawn, or by chance in"
        " proportion to fitness.",
    )
    tournament_size: int = field(
        3,
        ge=1,
        le=1_000,
        group="Population",
        hints={"when": ("selection_strategy", "tournament")},
        description="Drawn for each tournament.",
    )
    elite_count: int = field(
        1, ge=0, le=1_000, group="Population", description="The best, who live on unchanged."
    )
    max_generations: int = field(10, ge=1, le=1_000, group="Stop", description="Most generations.")
    fitness_threshold: float = field(
        0.9, group="Stop", description="A fitness that is good enough; above 1: none is."
    )
    stagnation_generations: int = field(
        3, ge=1, le=1_000, group="Stop", description="Generations in a row without a better best."
    )
    initial_temperature: float = field(
        1.0, ge=0, le=2, group="Model", description="Temperature of the first generation."
    )
    final_temperature: float = field(
        0.3, ge=0, le=2, group="Model", description="Temperature of the last generation."
    )
    max_concurrency: int = field(
        5, ge=1, le=1_000, group="Population", description="Most calls at a time."
    )
    error_strategy: Literal["best_effort", "fail_fast"] = field(
        "best_effort", description="Drop failed candidates, or fail with the first of them."
    )

    @model_validator(mode="after")
    def _consistent(self) -> EvolutionConfig:
        size = self.population_size
        if self.evaluator_agent_id is None and self.fitness_function is None:
            raise refusal(
                "MissingField",
                'Fitness needs "evaluator_agent_id" or "fitness_function".',
                field="evaluator_agent_id",
            )
        if self.elite_count >= size:
            raise refusal(
                "InvalidValue",
                f"The elite must be smaller than the population of {size}.",
                field="elite_count",
            )
        if self.selection_strategy == "tournament" and self.tournament_size > size:
            raise refusal(
                "InvalidValue",
                f"A tournament cannot draw more than the population of {size}.",
                field="tournament_size",
            )
        return self


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
