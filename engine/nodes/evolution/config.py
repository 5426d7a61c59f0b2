"""What the node type `evolution` may be told."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from engine.core.graph.fields import Id
from engine.core.graph.problems import refusal
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig


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
