"""Agents as a run uses them: resolved once at first use, pinned in the log, the same to its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.core.errors import NodeError
from engine.core.graph.call_asks import CallAsk
from engine.core.values.json import FrozenDict, freeze, thaw

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls
    from engine.core.decide.transition import Transition
    from engine.core.graph.document import AgentSpec


@dataclass(frozen=True, slots=True)
class ResolvedAgent:
    """An agent's definition as pinned for one run. None in the ceilings is no limit."""

    id: str | None
    model: str
    system_prompt: str = ""
    temperature: float | None = None
    max_output_tokens: int = 2048
    tools: tuple[str, ...] = ()
    read_ceiling: tuple[str, ...] | None = None
    write_ceiling: tuple[str, ...] | None = None
    ask: Mapping[str, CallAsk] = field(default_factory=dict)


DEFAULT_MODEL = "local/default"


async def resolve_agent(
    ctx: ActivationCalls, agent_id: str | None, model: str | None = None
) -> ResolvedAgent:
    """Return the agent this run uses under `agent_id`, pinning it at first use.

    The workspace's agent wins over the document's of the same id. None is a nameless agent on the
    workspace's default model. Raises `NodeError` `UnknownAgent`.
    """
    if agent_id is None:
        return ResolvedAgent(None, model or DEFAULT_MODEL)
    state = ctx.run
    pinned = state.agents.get(agent_id)
    if pinned is None:
        spec = await ctx.find_agent(agent_id)
        if spec is None:
            spec = state.program.spec.agents_by_id.get(agent_id)
        if spec is None:
            raise NodeError("UnknownAgent", f"no agent {agent_id!r} in the graph or workspace")
        pinned = freeze(definition_of(spec))
        definition = pinned

        def pin(tx: Transition) -> None:
            if agent_id not in tx.state.agents:
                tx.emit("AgentPinned", None, {"agent_id": agent_id, "definition": definition})

        await ctx.record(pin)
    return _resolved(agent_id, pinned, model)


def definition_of(spec: AgentSpec) -> dict[str, Any]:
    """Return what a run pins of an agent: all but its id, and rules of asking where it has some."""
    absent = {"id"} if spec.ask else {"id", "ask"}
    return spec.model_dump(mode="json", exclude=absent)


def _resolved(agent_id: str, pinned: FrozenDict, model: str | None) -> ResolvedAgent:
    ceiling = pinned.get("permissions") or {}
    asks: Mapping[str, Any] = pinned.get("ask") or {}
    reads, writes = ceiling.get("read_keys"), ceiling.get("write_keys")
    return ResolvedAgent(
        id=agent_id,
        model=model or pinned["model"],
        system_prompt=pinned["system_prompt"],
        temperature=pinned["temperature"],
        max_output_tokens=pinned["max_output_tokens"],
        tools=tuple(pinned["tools"]),
        read_ceiling=None if reads is None else tuple(reads),
        write_ceiling=None if writes is None else tuple(writes),
        ask={name: CallAsk.model_validate(thaw(rule)) for name, rule in asks.items()},
    )
