"""A supervisor: a model picks which of its nodes works next, until the work is done (C70 to C77).

What the model is told, what it may answer, and what is kept of each delegation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from engine.agents.pinning import resolve_agent
from engine.agents.swarm.peers import about, handed_section
from engine.core.decide.holds import breach_in, does_not_fit
from engine.core.errors import BudgetStop, NodeError
from engine.core.expressions.cel import MissingReference, compile_expression, truthy
from engine.core.expressions.jsonpath import compile_path
from engine.core.node_types.node_type import NodeResult
from engine.core.node_types.view import View
from engine.core.state.lanes import expression_scope
from engine.core.state.run_state import output_of_child
from engine.core.values.json import JsonObject, as_text, digest, freeze

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls
    from engine.nodes.supervisor import SupervisorConfig

DONE = "__done__"

_RULES = (
    "You supervise nodes of a workflow. Decide which one works next, by its id in `next_node`, or "
    f"`{DONE}` once the goal is reached. You do none of the work yourself."
)


@dataclass(slots=True)
class Progress:
    """What has been delegated so far, and what came of it."""

    history: list[dict[str, Any]] = field(default_factory=list)
    outputs: dict[str, Any] = field(default_factory=dict)
    before: dict[str, Any] = field(default_factory=dict)
    """What the next child gets as `previous`; nothing for the first one."""

    def result(self, stopped_by: str) -> NodeResult:
        """Return the supervisor's result (row C75)."""
        return NodeResult(
            output=freeze(
                {
                    "stopped_by": stopped_by,
                    "iterations": len(self.history),
                    "history": self.history,
                }
            )
        )


async def supervise(ctx: ActivationCalls, config: SupervisorConfig) -> NodeResult:
    """Delegate until the model or the condition says done, the limit is reached or money ends.

    Raises `NodeError`: `UndeclaredTarget`, `ChildFailed`, `ExpressionFailed`; `BudgetStop` where
    not even the first delegation fits (rows C41, C42).
    """
    agent = await resolve_agent(ctx, config.agent_id)
    progress = Progress()
    while True:
        view = (await ctx.look()).narrowed(agent.read_ceiling)
        if is_complete(config.completion_condition, expression_scope(view, ctx.act.started_at)):
            return progress.result("condition")
        if len(progress.history) >= config.max_iterations:
            return progress.result("limit")
        try:
            finished = await _delegate(ctx, config, view, progress)
        except BudgetStop as stop:
            if not progress.outputs or not does_not_fit(stop):
                raise
            return progress.result("budget")
        if finished:
            return progress.result("model")


async def _delegate(
    ctx: ActivationCalls, config: SupervisorConfig, view: View, progress: Progress
) -> bool:
    """Ask who is next and run it; return whether the model said that all is done."""
    chosen, reasoning = await _route(ctx, config, view, progress)
    done = chosen == DONE
    await ctx.show("decisions", {"choice": None if done else chosen, "reason": reasoning})
    if done:
        return True
    number = len(progress.history) + 1
    progress.history.append({"iteration": number, "node": chosen, "reasoning": reasoning})
    ended = await ctx.run_node(chosen, graceful=True, **progress.before)
    breach = breach_in(ended)
    if breach is not None:
        raise breach
    output = output_of_child(ended)
    progress.outputs[chosen] = output
    progress.before = {"previous": output}
    return False


def is_complete(condition: str | None, scope: Mapping[str, Any]) -> bool:
    """Return whether the completion condition holds over a view (rows C16, C73).

    Text that starts with `$` is JSONPath, true if a match is true; anything else is CEL. Raises
    `NodeError` `ExpressionFailed` for any failure but a missing reference.
    """
    if condition is None:
        return False
    if condition.startswith("$"):
        return any(truthy(match) for match in compile_path(condition).all(scope))
    try:
        return truthy(compile_expression(condition).evaluate(scope))
    except MissingReference:
        return False


async def _route(
    ctx: ActivationCalls, config: SupervisorConfig, view: View, progress: Progress
) -> tuple[str, str]:
    """Return whom the model wants next and why. Raises `NodeError` `UndeclaredTarget`."""
    choices = tuple(dict.fromkeys((*config.managed_nodes, DONE)))

    def check(value: object) -> None:
        chosen = value.get("next_node") if isinstance(value, Mapping) else None
        if chosen not in choices:
            raise NodeError(
                "UndeclaredTarget", f"next_node {chosen!r} is none of {', '.join(choices)}"
            )

    try:
        talk = await ctx.reason(
            config.agent_id,
            routing_prompt(ctx, config.managed_nodes, view, progress),
            schema=routing_schema(choices),
            tools=[],
            described=FRAME,
            check=check,
        )
    except NodeError as error:
        if error.code != "ResultSchemaMismatch":
            raise
        raise NodeError("UndeclaredTarget", f"the answer names no node: {error.message}") from error
    reasoning = talk.output.get("reasoning")
    return talk.output["next_node"], "" if reasoning is None else as_text(reasoning)


def routing_schema(choices: Sequence[str]) -> JsonObject:
    """Return the schema of a routing answer."""
    return freeze(  # type: ignore[no-any-return]
        {
            "type": "object",
            "properties": {
                "reasoning": {"type": "string", "description": "Why, in a sentence."},
                "next_node": {"type": "string", "enum": list(choices)},
            },
            "required": ["next_node"],
        }
    )


def routing_prompt(
    ctx: ActivationCalls, managed: Sequence[str], view: View, progress: Progress
) -> str:
    """Return what the routing model is asked (row C76)."""
    spec = ctx.program.spec
    parts = [_RULES, f"Workflow: {spec.name or spec.id}\nNode: {ctx.node.id}"]
    if view.goal:
        parts.append(f"## Goal\n{view.goal}")
    if view.constraints:
        parts.append("## Constraints\n" + "\n".join(f"- {as_text(c)}" for c in view.constraints))
    parts.append(handed_section(ctx))
    readable = view.readable()
    if readable:
        parts.append(f"## State\n{_json(readable)}")
    parts.append(
        "## Nodes\n" + "\n".join(_line(node_id, about(spec, node_id)) for node_id in managed)
    )
    if progress.history:
        done = [
            f"{h['iteration']}. {_line(h['node'], h['reasoning'])[2:]}" for h in progress.history
        ]
        parts.append("## Done so far\n" + "\n".join(done))
    if progress.outputs:
        parts.append(f"## Their latest outputs\n{_json(progress.outputs)}")
    return "\n\n".join(part for part in parts if part)


FRAME = {
    "frame": "supervisor-1",
    "frame_hash": digest([_RULES, routing_prompt.__code__.co_code.hex()])[:16],
}
"""Recorded with every routing call."""


def _line(name: str, text: str) -> str:
    return f"- {name}: {text}" if text else f"- {name}"


def _json(value: object) -> str:
    return f"```json\n{orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()}\n```"
