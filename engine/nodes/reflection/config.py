"""What the node type `reflection` may be told."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from engine.core.graph.fields import Id, Key
from engine.core.graph.problems import refusal
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig

Tag = Annotated[str, Field(min_length=1, max_length=128)]


class RuleBased(NodeConfig):
    """Every sentence that is long enough is a fact; no model is involved."""

    type: Literal["rule_based"] = field(title="Kind", description="By sentences.")
    min_sentence_length: int = field(
        15, ge=1, le=10_000, description="Shorter sentences are left out; in characters."
    )


class ByAgent(NodeConfig):
    """An agent distils the facts."""

    type: Literal["llm"] = field(title="Kind", description="By an agent.")
    agent_id: Id = field(widget="agent", description="The agent that extracts.")
    max_facts: int = field(10, ge=1, le=50, description="Most facts that are kept.")
    instruction: str | None = field(
        None, min_length=1, description="Replaces the built-in instruction."
    )


class ReflectionConfig(NodeConfig):
    """What of memory is read for facts, by whom, and under which tags they are kept."""

    source_keys: tuple[Key, ...] = field(
        widget="keys",
        hints={"reads": "must"},
        description="The memory keys that facts are made of; the node must be able to read them.",
    )
    extractor: RuleBased | ByAgent = field(
        discriminator="type", description="How facts are found in the sources."
    )
    tags: tuple[Tag, ...] = field(
        (),
        max_length=50,
        hints={
            "warn_empty": (
                "UntaggedFacts",
                "Facts without tags are found by no tag query: add a tag, such as the topic.",
            )
        },
        group="Finding again",
        description="Put on every fact, such as `lesson` or `graph:support`.",
    )
    entity_keys: tuple[Key, ...] = field(
        (),
        widget="keys",
        hints={"reads": "may"},
        group="Finding again",
        description="Memory keys whose texts name what the facts are about.",
    )
    result_key: Key | None = field(
        None,
        widget="key",
        group="Result",
        description="Where the outcome is written; absent: `<id>_reflection`.",
    )

    @model_validator(mode="after")
    def _has_sources(self) -> ReflectionConfig:
        if not self.source_keys:
            raise refusal(
                "MissingField", '"source_keys" needs at least one key.', field="source_keys"
            )
        return self
