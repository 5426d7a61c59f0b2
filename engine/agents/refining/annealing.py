"""Annealing: the same task again with falling temperature, until an answer is good enough.

The best pass is the result (rows C120 to C126). Each pass after the first is shown the answer
before it with its score and feedback.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from engine.agents.conversation import parse_text
from engine.agents.node_answer import Answering, answer, result_of
from engine.agents.pinning import resolve_agent
from engine.agents.refining.early_stop import stopped_output
from engine.core.decide.holds import does_not_fit
from engine.core.errors import BudgetStop
from engine.core.expressions.jsonpath import compile_path
from engine.core.node_types.conversation import Conversation
from engine.core.node_types.node_type import NodeResult
from engine.core.values.json import JsonObject, as_text

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls
    from engine.agents.agent_config import AgentConfig
    from engine.agents.refining.refinement import Annealing

EVALUATION: JsonObject = {
    "type": "object",
    "properties": {
        "score": {"type": "number", "description": "How good the answer is, higher is better."},
        "feedback": {"type": "string", "description": "What would make it better."},
    },
    "required": ["score"],
}
"""What an evaluator must answer with (row C120)."""

SMALLEST = 1e-9
"""Differences of scores below this are rounding."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass: how its conversation ended, and what it is worth."""

    talk: Conversation
    score: float
    feedback: str = ""


async def anneal(ctx: ActivationCalls, config: AgentConfig, asked: Answering) -> NodeResult:
    """Return the best pass, its output with `stopped_by` and the scores of all passes.

    Where the next pass does not fit the budget, the best so far counts (row C42); a first pass
    that does not fit raises `BudgetStop`.
    """
    plan = config.annealing
    assert plan is not None
    passes: list[Pass] = []
    stopped_by = "limit"
    while len(passes) < plan.max_iterations:
        try:
            passes.append(await _pass(ctx, config, asked, passes))
            await ctx.show("scores", _row(plan, passes))
        except BudgetStop as stop:
            if not passes or not does_not_fit(stop):
                raise
            stopped_by = "budget"
            break
        reached = _reached(plan, passes)
        if reached is not None:
            stopped_by = reached
            break
    best = max(passes, key=lambda done: done.score)  # the first of equal ones
    result = result_of(ctx, config, asked, best.talk)
    result.output = stopped_output(result.output, stopped_by, [done.score for done in passes])
    return result


def _row(plan: Annealing, passes: list[Pass]) -> dict[str, Any]:
    """Return what the run view shows of the last pass."""
    last, number = passes[-1], len(passes) - 1
    return {
        "pass": number,
        "temperature": temperature(plan, number),
        "score": last.score,
        "feedback": last.feedback,
        "threshold": plan.threshold,
    }


async def _pass(
    ctx: ActivationCalls, config: AgentConfig, asked: Answering, before: list[Pass]
) -> Pass:
    plan = config.annealing
    assert plan is not None
    shown = replace(asked, prompt=_again(asked.prompt, before[-1])) if before else asked
    heat = temperature(plan, len(before))
    talk = await answer(ctx, config, shown, temperature=heat, first=not before)
    if plan.evaluator_agent_id is None:
        return Pass(talk, score_in(talk.output, plan.score_path))
    return await _evaluated(ctx, plan.evaluator_agent_id, asked, talk)


async def _evaluated(
    ctx: ActivationCalls, evaluator_id: str, asked: Answering, talk: Conversation
) -> Pass:
    evaluator = await resolve_agent(ctx, evaluator_id)
    parts = ["Judge the answer to a task. Give a score, higher is better, and say what to improve."]
    if asked.view.goal:
        parts.append(f"## Goal\n{asked.view.goal}")
    if evaluator.read_ceiling is None:  # the task shows what the answering node may read
        parts.append(f"## Task\n{asked.prompt}")
    parts.append(f"## Answer\n{as_text(talk.output)}")
    judged = await ctx.reason(evaluator_id, "\n\n".join(parts), schema=EVALUATION, recall=False)
    feedback = judged.output.get("feedback")
    return Pass(talk, float(judged.output["score"]), feedback if isinstance(feedback, str) else "")


def score_in(output: object, path: str) -> float:
    """Return the number at `path` of an answer; 0 where there is none (row C121)."""
    value = parse_text(output) if isinstance(output, str) else output
    found: Any = compile_path(path).first(value)
    number = isinstance(found, int | float) and not isinstance(found, bool)
    return float(found) if number else 0.0


def temperature(plan: Annealing, number: int) -> float:
    """Return the temperature of pass `number` (from 0): linear over all passes (row C124)."""
    if plan.max_iterations < 2:
        return float(plan.initial_temperature)
    share = number / (plan.max_iterations - 1)
    span = plan.final_temperature - plan.initial_temperature
    return float(round(plan.initial_temperature + span * share, 6))


def _reached(plan: Annealing, passes: list[Pass]) -> str | None:
    """Return why the last pass ends the search, None if it goes on (rows C122, C125)."""
    score = passes[-1].score
    if score >= plan.threshold:
        return "threshold"
    if len(passes) > 1:
        gain = score - max(done.score for done in passes[:-1])
        if gain + SMALLEST < plan.diminishing_returns_delta:
            return "delta"
    return None


def _again(prompt: str, last: Pass) -> str:
    parts = [prompt, f"## Your last answer\n{as_text(last.talk.output)}", f"Score: {last.score}"]
    if last.feedback:
        parts.append(f"Feedback: {last.feedback}")
    parts.append("Give a better answer.")
    return "\n\n".join(parts)
