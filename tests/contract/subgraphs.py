"""Nodes, replies and functions that tests of several graphs share."""

from __future__ import annotations

from typing import Any

from tests.contract.harness import (
    fn,
)


def used(tokens: int, text: str = "ok") -> dict[str, Any]:
    """Return a reply that uses so many tokens."""
    return {"text": text, "usage": {"input_tokens": tokens, "output_tokens": 0}}


def seen(views: list[Any], **result: Any) -> Any:
    """Return a handler that keeps what it sees."""

    def look(ctx: Any, params: Any) -> Any:
        view = ctx.view
        views.append(
            {
                "goal": view.goal,
                "memory": dict(view.memory),
                "input": view.input,
                "context": dict(view.context),
                "metadata": dict(view.metadata),
                "shared": ctx.workflow_state.get("k"),
                "state": ctx.node_state.get("k"),
            }
        )
        return result

    return look


LOOK = fn("look", reads=["*", "input", "context", "metadata"])


INPUTS = {
    "inputs": {
        "type": "object",
        "properties": {
            "topic": {"type": "string", "minLength": 3},
            "depth": {"type": "integer", "default": 2},
        },
        "required": ["topic"],
    },
    "outputs": ["summary"],
}
