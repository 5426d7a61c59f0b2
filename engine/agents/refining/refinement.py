"""How an agent's answer may be refined: by repetition, or by peers."""

from __future__ import annotations

from typing import Literal

from engine.core.graph.fields import Id
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
