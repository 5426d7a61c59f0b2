"""The node type `reflection`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from engine.agents.activation import gets_activation
from engine.core.effects import EffectClass
from engine.core.graph.fields import Id, Key
from engine.core.graph.problems import refusal
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig, NodeDefaults, NodeResult, NodeType
from engine.core.node_types.run_views import FACTS
from engine.core.ports import NewFact
from engine.core.state.events import iso
from engine.nodes.reflection.extraction import (
    MAX_FACTS,
    by_agent,
    by_sentences,
    entities_of,
    limited,
    marked,
    remember,
    sources_of,
)

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls

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


class ReflectionNode(NodeType):
    """Learn from a run: turn what it found into facts that later runs can recall.

    Facts are stored once per visit, with tags and entities. Nodes that prompt a model find them
    with a memory query.
    """

    type = "reflection"
    label = "Reflection"
    icon = "bulb"
    category = "Quality"
    words = ("memory", "remember", "learn", "facts", "note")
    effect_class = EffectClass.KEYED
    chooses = False
    defaults = NodeDefaults(
        read_keys=(), config={"extractor": {"type": "rule_based", "min_sentence_length": 15}}
    )
    result_keys = ("{id}_reflection",)
    views = (FACTS,)
    writes_data: ClassVar[bool] = False
    remembers: ClassVar[bool] = True

    Config = ReflectionConfig

    def own_keys(self, node_id: str, config: ReflectionConfig) -> tuple[str, ...]:
        """Return the result key."""
        return (config.result_key or f"{node_id}_reflection",)

    @gets_activation
    async def run(self, ctx: ActivationCalls, config: ReflectionConfig) -> NodeResult:
        """Return what was stored. Raises `NodeError` `MemoryStoreFailed`, `ResultSchemaMismatch`."""
        found = await _extracted(ctx, config)
        entities = await entities_of(ctx, config.entity_keys) if found else ()
        at = await ctx.now()
        ids = await remember(ctx, marked(found, config.tags, entities), at)
        envelope = {
            "extractor_type": config.extractor.type,
            "fact_ids": ids,
            "tags": list(config.tags),
            "reflected_at": iso(at),
        }
        (key,) = self.own_keys(ctx.node.id, config)
        return NodeResult(data={key: envelope}, output=envelope)


async def _extracted(ctx: ActivationCalls, config: ReflectionConfig) -> Sequence[NewFact]:
    """Return the facts of the sources; where they hold nothing, nobody is asked."""
    sources, extractor = sources_of(ctx.view, config.source_keys), config.extractor
    if not sources:
        return ()
    if isinstance(extractor, RuleBased):
        found = by_sentences(sources, extractor.min_sentence_length)
        return await limited(ctx, found, MAX_FACTS)
    most = extractor.max_facts
    found = await by_agent(ctx, extractor.agent_id, sources, most, extractor.instruction)
    return await limited(ctx, found, most)
