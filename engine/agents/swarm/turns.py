"""A swarm: an agent answers or hands over to a peer, who may hand over again (rows C130 to C133).

The entry node leads. Each peer runs as its child, writes by its own grant, and says with its
result to whom it hands over; only the entry counts and starts the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from engine.agents.node_answer import Answering, answer, result_of
from engine.agents.refining.early_stop import stopped_output
from engine.agents.swarm.handoff import Handoff, handoff_in, parsed, without_handoff
from engine.core.decide.holds import breach_in
from engine.core.node_types.node_type import NodeResult
from engine.core.state.run_state import output_of_child

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls
    from engine.agents.agent_config import AgentConfig
    from engine.core.node_types.context import NodeContext


@dataclass(slots=True)
class Turn:
    """One answer of the swarm: who gave it, what it is, and to whom it hands over."""

    node: str
    output: Any
    handoff: Handoff | None
    choice: str | None = None


async def take_part(ctx: ActivationCalls, config: AgentConfig, asked: Answering) -> NodeResult:
    """Answer; as a peer tell the entry about a hand-over, as the entry lead the swarm to its end.

    Raises `NodeError`: `UndeclaredTarget` for a hand-over to no peer, `ChildFailed`.
    """
    talk = await answer(ctx, config, asked)
    said = parsed(talk.output)
    handoff = handoff_in(said, asked.peers)
    own = without_handoff(said)
    result = result_of(ctx, config, asked, replace(talk, output=own))
    if handoff is not None and own == {}:
        result.data = talk.wrote
    turn = Turn(ctx.node.id, result.output, handoff, ctx.finish.agent_choice)
    if not ctx.act.handoff:
        assert config.swarm is not None
        return await _lead(ctx, config.swarm.max_handoffs, turn, result)
    ctx.finish.aside = {
        "handoff": None if handoff is None else handoff.to_json(),
        "choice": turn.choice,
    }
    return result


async def _lead(ctx: ActivationCalls, most: int, turn: Turn, own: NodeResult) -> NodeResult:
    """Run the peers, one after the other; the last answer becomes the entry's own."""
    writes = own.data
    before: dict[str, Any] = {}
    stopped_by = None
    count = 0
    while turn.handoff is not None:
        if count == most:
            stopped_by = "limit"
            break
        landing = None if ctx.act.isolated else writes
        writes = writes if ctx.act.isolated else None
        ended = await _hand_over(ctx, turn, before, landing)
        if breach_in(ended) is not None:
            stopped_by = "budget"
            break
        turn = _turn_of(ctx, turn, turn.handoff.peer, ended)
        before = {"previous": turn.output}
        count += 1
    ctx.finish.agent_choice = turn.choice
    output = turn.output if stopped_by is None else stopped_output(turn.output, stopped_by)
    return NodeResult(data=writes, output=output, metadata=own.metadata)


async def _hand_over(
    ctx: NodeContext, turn: Turn, before: dict[str, Any], writes: Mapping[str, Any] | None
) -> dict[str, Any]:
    handoff = turn.handoff
    assert handoff is not None
    told = {"from": turn.node, "reason": handoff.reason, "context": handoff.context}
    row = {"choice": handoff.peer, "reason": handoff.reason, "by": turn.node}
    await ctx.show("decisions", row)
    return await ctx.run_node(
        handoff.peer, item=told, handoff=True, graceful=True, writes=writes or None, **before
    )


def _turn_of(ctx: NodeContext, last: Turn, peer: str, ended: Mapping[str, Any]) -> Turn:
    output = output_of_child(ended)
    aside = ended.get("aside") or {}
    following = aside.get("handoff")
    choice = aside.get("choice") if peer == ctx.node.id else None
    return Turn(
        peer,
        output,
        None if following is None else Handoff.from_json(following),
        choice or last.choice,
    )
