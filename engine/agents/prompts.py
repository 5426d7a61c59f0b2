"""What a node asks its agents: an author's prompt, under each agent's ceiling, in the frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.agents.frame import standard_frame
from engine.core.expressions.templates import compile_template
from engine.core.node_types.view import View
from engine.core.values.json import as_text

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls
    from engine.core.node_types.context import NodeContext


def render_prompt(ctx: NodeContext, view: View, prompt: str) -> str:
    """Return a template rendered over what an agent may read. Raises `MissingReference`."""
    scope = {**ctx.scope(), **view.scope()}
    for lane in ("input", "previous"):
        if not view.may_read(lane):
            scope.pop(lane, None)
    return compile_template(prompt).render(scope)


def purpose(view: View) -> str:
    """Return goal and constraints as text, empty where the run has neither."""
    parts = [f"Goal: {view.goal}"] if view.goal else []
    if view.constraints:
        parts.append("Constraints:\n" + "\n".join(f"- {as_text(c)}" for c in view.constraints))
    return "\n\n".join(parts)


def framed(ctx: ActivationCalls, view: View, task: str) -> str:
    """Return a task in the standard frame: with the graph, the node and the readable state."""
    spec = ctx.program.spec
    return standard_frame(
        graph_name=spec.name or spec.id,
        graph_description=spec.description,
        node_id=ctx.node.id,
        prompt=task,
        write_keys=(),
        state=view.readable(),
        targets=(),
        schema=None,
    )
