"""Mistakes of a node type that its class shows: told when it is registered, with what is right.

What only a config shows (`effect_of` and its like) is asked for in `hooks.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.node_types.node_type import Handle, NodeDefaults, NodeType
from engine.core.node_types.rules.call_mistakes import call_mistakes, is_async
from engine.core.node_types.run_views import RunView

_LISTS: Final = (
    ("handles", Handle, "Handle(...)"),
    ("words", str, "words that people search for"),
    ("views", RunView, "RunViews such as SCORES"),
    ("result_keys", str, "memory keys"),
    ("always_reads", str, "lanes"),
)
_TEXTS: Final = ("label", "icon", "category", "version")
_FLAGS: Final = ("prompts", "writes_data", "remembers", "chooses", "foretold", "reads_named")
_PLAIN: Final = (
    "effect_of",
    "verdict_of",
    "granted_reads",
    "target_of",
    "undo_of",
    "message_of",
    "risk_of",
    "own_keys",
)


def type_mistakes(cls: type[NodeType]) -> Iterator[str]:
    """Yield what is wrong with a node type's class, to be read after its name."""
    yield from _wrong_attributes(cls)
    if cls.run is NodeType.run:
        yield "has no run(): write `async def run(self, ctx, config)`"
    else:
        yield from call_mistakes(cls, "run", "config")
    if cls.undo is not NodeType.undo:
        yield from call_mistakes(cls, "undo", "request")
    for name in _PLAIN:
        if is_async(getattr(cls, name)):
            yield f".{name}() is awaited by nobody: write `def {name}`, without async"


def _wrong_attributes(cls: type[NodeType]) -> Iterator[str]:
    for name in _TEXTS:
        if not isinstance(getattr(cls, name, ""), str):
            yield f".{name} must be text, not {getattr(cls, name)!r}"
    for name in _FLAGS:
        if not isinstance(getattr(cls, name), bool):
            yield f".{name} must be True or False, not {getattr(cls, name)!r}"
    for name, kind, what in _LISTS:
        value = getattr(cls, name)
        if not isinstance(value, tuple | list) or not all(isinstance(v, kind) for v in value):
            yield f".{name} must be a tuple of {what}, not {value!r}"
    if not isinstance(cls.defaults, NodeDefaults):
        yield f".defaults must be NodeDefaults(...), not {cls.defaults!r}"
