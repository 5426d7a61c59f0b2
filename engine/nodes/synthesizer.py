"""The node type `synthesizer`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from engine.agents.activation import gets_activation
from engine.agents.node_answer import FRAME
from engine.agents.pinning import resolve_agent
from engine.agents.prompts import framed, purpose, render_prompt
from engine.core.effects import EffectClass
from engine.core.graph.fields import Id
from engine.core.node_types.form import field
from engine.core.node_types.map_results import concatenated
from engine.core.node_types.node_type import NodeConfig, NodeDefaults, NodeResult, NodeType

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls

TASK = (
    "Merge the results that stand under `previous` into one coherent result. Keep what is said "
    "only once, say nothing twice, and say where they contradict each other."
)


class SynthesizerConfig(NodeConfig):
    """Which agent makes one answer of many, by what prompt."""

    agent_id: Id | None = field(
        None,
        widget="agent",
        title="Agent",
        description="The agent that merges; without one, what arrived becomes one list.",
    )
    prompt: str | None = field(
        None, widget="prompt", min_length=1, description="How to merge; absent: a general task."
    )


class SynthesizerNode(NodeType):
    """Merge what parallel branches or a map delivered into one result.

    It waits for its branches. With an agent the result is the agent's answer, without one a list
    in order; it is the output and is kept in memory as `<id>_synthesis`.
    """

    type = "synthesizer"
    label = "Synthesizer"
    icon = "arrows-join"
    category = "Teams"
    words = ("join", "merge", "combine", "collect", "aggregate", "gather")
    effect_class = EffectClass.LLM
    defaults = NodeDefaults(read_keys=("previous",))
    result_keys = ("{id}_synthesis",)
    prompts = True
    writes_data: ClassVar[bool] = False
    always_reads: ClassVar[tuple[str, ...]] = ("previous",)

    Config = SynthesizerConfig

    def effect_of(self, config: SynthesizerConfig) -> EffectClass:
        """Return `pure` for a node that only joins lists."""
        return EffectClass.LLM if config.agent_id is not None else EffectClass.PURE

    @gets_activation
    async def run(self, ctx: ActivationCalls, config: SynthesizerConfig) -> NodeResult:
        """Return the merged result. Raises `NodeError` `MissingReference`, `UnknownAgent`."""
        if config.agent_id is None:
            return _result(ctx.node.id, concatenated(_received(ctx)))
        agent = await resolve_agent(ctx, config.agent_id)
        view = ctx.view.narrowed(agent.read_ceiling)
        if config.prompt is not None:
            task = render_prompt(ctx, view, config.prompt)
        else:
            task = "\n\n".join(part for part in (purpose(view), TASK) if part)
        talk = await ctx.reason(
            agent.id, framed(ctx, view, task), tools=("-memory_write",), described=FRAME
        )
        return _result(ctx.node.id, talk.output, {"agent_id": config.agent_id})


def _received(ctx: ActivationCalls) -> list[Any]:
    """Return the outputs of the branches that joined, in the order of the edges that lead here."""
    previous = ctx.view.previous
    if len(ctx.act.tokens) < 2:
        return [] if previous is None else [previous]
    sources = [edge.source for edge in ctx.program.spec.edges_to(ctx.node.id)]
    drawn = [name for name in dict.fromkeys(sources) if name in previous]
    return [previous[name] for name in (*drawn, *(n for n in previous if n not in drawn))]


def _result(node_id: str, value: object, metadata: dict[str, str] | None = None) -> NodeResult:
    return NodeResult(output=value, data={f"{node_id}_synthesis": value}, metadata=metadata)
