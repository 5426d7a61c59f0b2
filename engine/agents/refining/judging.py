"""Asking an agent how good something is: a score from 0 to 1, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.core.values.json import JsonObject, as_text

if TYPE_CHECKING:
    from engine.core.node_types.context import NodeContext

JUDGEMENT: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "score": {
            "type": "number",
            "minimum": 0,
            "maximum": 1,
            "description": "0 is useless, 1 could not be better",
        },
        "reasoning": {"type": "string", "description": "why, in a sentence or two"},
    },
    "required": ["score"],
}

_TASK = "Judge the value below. Answer with a score from 0 to 1 and your reasoning."


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an evaluator said."""

    score: float
    reasoning: str


async def judge(ctx: NodeContext, agent_id: str, value: object, criteria: str | None) -> Judgement:
    """Return what the agent thinks of `value`. Raises `NodeError` `ResultSchemaMismatch`."""
    talk = await ctx.reason(
        agent_id, judging_prompt(ctx.view.goal, value, criteria), schema=JUDGEMENT, recall=False
    )
    said = talk.output
    return Judgement(float(said["score"]), str(said.get("reasoning") or ""))


def judging_prompt(goal: str, value: object, criteria: str | None) -> str:
    """Return the request of an evaluation."""
    parts = [_TASK]
    if goal:
        parts.append(f"## Goal\n{goal}")
    if criteria:
        parts.append(f"## Criteria\n{criteria}")
    parts.append(f"## Value\n{as_text(value)}")
    return "\n\n".join(parts)
