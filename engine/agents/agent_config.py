"""What an agent node may be told: its prompt, its answer, and how it is refined."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from engine.core.graph.fields import Id, JsonMap
from engine.core.graph.problems import refusal
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig


class Annealing(NodeConfig):
    """Repeat the answer with falling temperature until it is good enough; the best pass counts."""

    evaluator_agent_id: Id | None = field(
        None, widget="agent", description="Scores each pass; without it the score is in the answer."
    )
    score_path: str = field(
        "$.score", widget="jsonpath", description="Where the score stands in the answer."
    )
    threshold: float = field(0.8, description="A pass with at least this score ends the search.")
    max_iterations: int = field(5, ge=1, le=100, description="Most passes.")
    initial_temperature: float = field(
        1.0, ge=0, le=2, description="Temperature of the first pass."
    )
    final_temperature: float = field(0.2, ge=0, le=2, description="Temperature of the last pass.")
    diminishing_returns_delta: float = field(
        0.02, ge=0, description="From the second pass on, a smaller improvement ends the search."
    )


class Swarm(NodeConfig):
    """Let the agent hand over to one of its peers, who may hand over again."""

    peer_nodes: tuple[Id, ...] = field(
        widget="nodes",
        hints={"runs": True},
        min_length=1,
        description="The nodes it may hand over to.",
    )
    max_handoffs: int = field(10, ge=0, le=1_000, description="Most hand-offs of the whole swarm.")
    handoff_mode: Literal["agent_choice"] = field(
        "agent_choice", description="The agent decides when to hand over."
    )


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
