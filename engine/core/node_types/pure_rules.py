"""What a pure node type may not ask for, and whether its code plainly does."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, Final

IMPURE: Final = frozenset(
    {
        "call_tool",
        "calls",
        "claim",
        "context",
        "credentials",
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
        "show",
        "skills",
        "sleep",
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
    return names_taken(run, position) & IMPURE


def names_taken(function: Callable[..., Any], position: int) -> set[str]:
    """Return what a function's own code takes from its argument at `position`.

    Nothing where the code is not Python's, or gives that name to something else as well.
    """
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or code.co_argcount <= position:
        return set()
    name = code.co_varnames[position]
    return set() if _rebinds(code, name) else set(_taken(code, name))


def _rebinds(code: CodeType, name: str) -> bool:
    return any(
        step.opname.startswith(("STORE_FAST", "STORE_DEREF"))
        and (step.argval == name or (isinstance(step.argval, tuple) and name in step.argval))
        for step in dis.get_instructions(code)
    )


def _taken(code: CodeType, context: str) -> Iterator[str]:
    """Yield the attributes that code loads from the variable of this name."""
    loaded = False
    for step in dis.get_instructions(code):
        if loaded and step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            yield str(step.argval)
        if step.opname not in ("EXTENDED_ARG", "CACHE", "PRECALL"):
            loaded = step.opname.startswith(("LOAD_FAST", "LOAD_DEREF")) and (
                step.argval == context
                or (isinstance(step.argval, tuple) and step.argval[-1:] == (context,))
            )
    for inner in code.co_consts:
        if isinstance(inner, CodeType) and context in inner.co_freevars:
            yield from _taken(inner, context)
