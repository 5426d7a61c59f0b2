"""What an agent node may be told: its prompt, its answer, and how it is refined."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from engine.agents.refining.refinement import Annealing, Swarm
from engine.core.graph.fields import Id, JsonMap
from engine.core.graph.problems import refusal
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig


class AgentConfig(NodeConfig):
    """Which agent answers, with what prompt and tools, and what its answer must look like."""

    prompt: str = field(
        "",
        widget="prompt",
        description="What it is asked; empty: goal, constraints and the readable state.",
    )
    agent_id: Id = field(widget="agent", title="Agent", description="The agent that answers.")
    tools: tuple[str, ...] | None = field(
        None,
        title="Other tools here",
        widget="tools",
        group="More settings",
        description="Replaces the agent's tools; `+name` adds, `-name` removes, empty: none.",
    )
    result_schema: JsonMap | None = field(
        None,
        widget="json",
        title="Shape of the answer",
        group="More settings",
        description="JSON Schema of the answer; absent: derived from the write keys.",
    )
    model: str | None = field(
        None,
        min_length=1,
        title="Another model here",
        widget="model",
        group="More settings",
        description="Overrides the agent's `provider/model`.",
    )
    interrupt: Literal["required", "optional"] | None = field(
        None,
        title="Ask a person",
        group="More settings",
        description="Whether the model must or may ask a person first.",
    )
    frame: Literal["standard", "bare"] = field(
        "standard",
        title="Sent beside the prompt",
        group="More settings",
        description="`bare` sends only the prompt and the shape of the answer.",
    )
    history: int = field(
        0,
        ge=0,
        le=1_000,
        title="Earlier messages",
        group="More settings",
        description="Earlier chat messages before the prompt.",
    )
    repair_turns: int = field(
        1,
        ge=0,
        le=10,
        title="Corrections of a bad answer",
        group="More settings",
        description="How often it may correct a bad answer.",
    )
    emit_message: bool = field(
        False,
        title="Say the answer at once",
        group="More settings",
        description="Tells it to whoever uses the workflow as soon as it is there, in the chat and"
        " to programs that stream. A run that says something does not tell its result as well.",
    )
    annealing: Annealing | None = field(
        None,
        title="Several tries, the best kept",
        group="More settings",
        description="Repeat with falling temperature, keep the best.",
    )
    swarm: Swarm | None = field(
        None, title="Hand over to others", group="More settings", description="Hand over to peers."
    )

    @model_validator(mode="after")
    def _one_composite(self) -> AgentConfig:
        if self.annealing is not None and self.swarm is not None:
            raise refusal(
                "InvalidValue", "An agent has annealing or swarm, not both.", field="swarm"
            )
        composite = self.annealing is not None or self.swarm is not None
        if self.emit_message and composite:
            raise refusal(
                "InvalidValue",
                "Of several tries, or of what is handed over, nothing is said: a step behind it may.",
                field="emit_message",
            )
        return self
