"""Mistakes of what is called: a method of a node type, or a registered function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any, Final

from engine.core.node_types.context import NodeContext
from engine.core.node_types.node_type import NodeType
from engine.core.node_types.rules.names_taken import names_taken

PUBLIC: Final = frozenset(name for name in dir(NodeContext) if not name.startswith("_"))
"""What a context has for authors of packages."""

AT_HAND: Final = frozenset(
    {
        "attempt",
        "context",
        "item",
        "messages",
        "metadata",
        "node",
        "previous",
        "run_id",
        "view",
    }
)
"""What a function in a process of its own has of its context: all else asks the engine."""

WHOLE: Final = "gets_activation"
"""Marks the methods of built-in types that are given more than `PUBLIC`."""


def function_mistakes(function: Callable[..., Any]) -> Iterator[str]:
    """Yield what is wrong with a registered function, to be read after its name."""
    if not callable(function):
        yield "is no function"
    elif inspect.isasyncgenfunction(function) or inspect.isgeneratorfunction(function):
        yield "yields: return the result instead"
    elif inspect.isfunction(function):
        if not _takes(function, 2):
            yield "must take two arguments: the context, and the node's params (or the candidate)"
        else:
            yield from _unknown_names(function, 0)


def own_process_mistakes(function: Callable[..., Any]) -> Iterator[str]:
    """Yield why a registered function cannot be called in a process of its own."""
    if is_async(function):
        yield "is cpu_bound, and a coroutine: write `def`, it has a process to itself"
    elif "<" in getattr(function, "__qualname__", "<"):
        yield "is cpu_bound, and stands in no module: another process has to find it there"
    elif asked := sorted(names_taken(function, 0) - AT_HAND):
        yield (
            f"is cpu_bound and uses ctx.{', ctx.'.join(asked)}: in its process there is only "
            f"{', '.join(sorted(AT_HAND))}"
        )


def call_mistakes(cls: type[NodeType], name: str, last: str) -> Iterator[str]:
    """Yield what is wrong with a method of (self, ctx, `last`), to be read after its type's name."""
    method = getattr(cls, name)
    if inspect.isasyncgenfunction(inspect.unwrap(method)):
        yield f".{name}() yields: return the result instead"
    elif not is_async(method):
        yield f".{name}() must be a coroutine: write `async def {name}(self, ctx, {last})`"
    elif not _takes(method, 3):
        yield f".{name}() must take (self, ctx, {last}), not {inspect.signature(method)}"
    elif not hasattr(method, WHOLE):
        yield from (f".{name}() {wrong}" for wrong in _unknown_names(method, 1))


def is_async(method: Callable[..., Any]) -> bool:
    """Return whether a function, or what it wraps, is a coroutine function."""
    return any(inspect.iscoroutinefunction(f) for f in (method, inspect.unwrap(method)))


def _takes(function: Callable[..., Any], count: int) -> bool:
    """Return whether a function can be called with so many arguments by position."""
    try:
        inspect.signature(function).bind(*[None] * count)
    except TypeError:
        return False
    return True


def _unknown_names(function: Callable[..., Any], position: int) -> Iterator[str]:
    for name in sorted(names_taken(function, position) - PUBLIC):
        close = get_close_matches(name, PUBLIC, n=1)
        cure = f"did you mean ctx.{close[0]}?" if close else f"it has {', '.join(sorted(PUBLIC))}"
        yield f"uses ctx.{name}, which a context does not have: {cure}"
