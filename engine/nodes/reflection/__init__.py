"""The node type `reflection`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from engine.agents.activation import gets_activation
from engine.core.effects import EffectClass
from engine.core.node_types.node_type import NodeDefaults, NodeResult, NodeType
from engine.core.node_types.run_views import FACTS
from engine.core.ports import NewFact
from engine.core.state.events import iso
from engine.nodes.reflection.config import ReflectionConfig, RuleBased
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
    reads_named = True
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
