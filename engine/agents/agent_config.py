"""What an agent node may be told: its prompt, its answer, and how it is refined."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from engine.agents.refinement import Annealing, Swarm
from engine.core.graph.fields import Id, JsonMap
from engine.core.graph.problems import refusal
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig


class AgentConfig(NodeConfig):
    """Which agent answers, with what prompt and tools, and what its answer must look like."""

    agent_id: Id = field(widget="agent", title="Agent", description="The agent that answers.")
    prompt: str = field(
        "",
        widget="prompt",
        description="What it is asked; empty: goal, constraints and the readable state.",
    )
    tools: tuple[str, ...] | None = field(
        None,
        widget="tools",
        description="Replaces the agent's tools; `+name` adds, `-name` removes, empty: none.",
    )
    result_schema: JsonMap | None = field(
        None,
        widget="json",
        group="Answer",
        description="JSON Schema of the answer; absent: derived from the write keys.",
    )
    model: str | None = field(
        None,
        min_length=1,
        title="Another model here",
        widget="model",
        group="Model",
        description="Overrides the agent's `provider/model`.",
    )
    interrupt: Literal["required", "optional"] | None = field(
        None, group="People", description="Whether the model must or may ask a person first."
    )
    frame: Literal["standard", "bare"] = field(
        "standard", group="Model", description="`bare` sends only the prompt and the schema."
    )
    history: int = field(
        0, ge=0, le=1_000, group="Model", description="Earlier chat messages before the prompt."
    )
    repair_turns: int = field(
        1, ge=0, le=10, group="Answer", description="How often it may correct a bad answer."
    )
    annealing: Annealing | None = field(
        None, group="Refine", description="Repeat with falling temperature, keep the best."
    )
    swarm: Swarm | None = field(None, group="Refine", description="Hand over to peers.")

    @model_validator(mode="after")
    def _one_composite(self) -> AgentConfig:
        if self.annealing is not None and self.swarm is not None:
            raise refusal(
                "InvalidValue", "An agent has annealing or swarm, not both.", field="swarm"
            )
        return self
