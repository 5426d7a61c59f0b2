"""What a pure node type may not ask for, and whether its code plainly does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.core.node_types.rules.names_taken import names_taken

IMPURE: Final = frozenset(
    {
        "apart",
        "call_tool",
        "calls",
        "claim",
        "coming",
        "context",
        "credentials",
        "decisions",
        "edit_schema",
        "egress",
        "emit",
        "emit_message",
        "emit_structured",
        "expand_tools",
        "find_agent",
        "gather",
        "handlers",
        "interrupt",
        "item",
        "journal",
        "look",
        "memory",
        "metadata",
        "node_state",
        "note",
        "noted",
        "now",
        "path",
        "perform",
        "plan",
        "previous",
        "random",
        "reason",
        "recall",
        "record",
        "record_event",
        "recorded",
        "resolve_model",
        "review",
        "reviewed_view",
        "root",
        "run",
        "run_graph",
        "run_node",
        "run_nodes",
        "send",
        "show",
        "skills",
        "sleep",
        "tool_for",
        "was_asked",
        "was_begun",
        "was_sent",
        "workflow_state",
        "workspace_id",
    }
)
"""What a node context has and that of a pure type has not."""


def impure_names(run: Callable[..., Any], position: int = 1) -> set[str]:
    """Return what a function takes from its context, its argument at `position`, that a pure type
    has not: `run(self, ctx, config)` by default.

    Only what its own code says is seen: `ctx.call_tool`, also in functions inside it.
    """
    return set(names_taken(run, position) & IMPURE)
