"""Mistakes of a node type or function that its class or code shows: told when it is registered.

Each function yields what is wrong and what would be right. What only a config shows (`effect_of` and
its like) is asked for in `hooks.py`; what pure types may not do is in `pure_rules.py`.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Final

from engine.core.node_types.context import NodeContext
from engine.core.node_types.node_type import Handle, NodeDefaults, NodeResult, NodeType
from engine.core.node_types.pure_rules import names_taken
from engine.core.node_types.run_views import RunView

PUBLIC: Final = frozenset(name for name in dir(NodeContext) if not name.startswith("_"))
"""What a context has for authors of packages."""

WHOLE: Final = "gets_activation"
"""Marks the methods of built-in types that are given more than `PUBLIC`."""

_LISTS: Final = (
    ("handles", Handle, "Handle(...)"),
    ("words", str, "words that people search for"),
    ("views", RunView, "RunViews such as SCORES"),
    ("result_keys", str, "memory keys"),
    ("always_reads", str, "lanes"),
)
_TEXTS: Final = ("label", "icon", "category", "version")
_FLAGS: Final = ("prompts", "writes_data", "remembers", "chooses")
_PLAIN: Final = (
    "effect_of",
    "verdict_of",
    "granted_reads",
    "target_of",
    "undo_of",
    "message_of",
    "own_keys",
)


def type_mistakes(cls: type[NodeType]) -> Iterator[str]:
    """Yield what is wrong with a node type's class, to be read after its name."""
    yield from _wrong_attributes(cls)
    if cls.run is NodeType.run:
        yield "has no run(): write `async def run(self, ctx, config)`"
    else:
        yield from _call_mistakes(cls, "run", "config")
    if cls.undo is not NodeType.undo:
        yield from _call_mistakes(cls, "undo", "request")
    for name in _PLAIN:
        if _is_async(getattr(cls, name)):
            yield f".{name}() is awaited by nobody: write `def {name}`, without async"


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


@lru_cache(maxsize=1024)
def keys_written(run: Callable[..., Any]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the memory keys that a `run` plainly returns as `data`: in some case, and in each.

    Only what its own `return` statements say in so many words is seen.
    """
    try:
        source = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(run))))
    except (OSError, TypeError, SyntaxError):
        return frozenset(), frozenset()
    found = [frozenset(_keys_of(value)) for value in _returned(source.body)]
    return frozenset().union(*found), found[0].intersection(*found) if found else frozenset()


def _returned(body: Iterable[ast.AST]) -> Iterator[ast.expr | None]:
    """Yield what the outermost function returns; functions inside it return for themselves."""
    waiting = [node for function in body for node in ast.iter_child_nodes(function)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return):
            yield node.value
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _keys_of(value: ast.expr | None) -> Iterator[str]:
    """Yield the keys of `NodeResult(data={...})` and of `{"data": {...}}`."""
    data: ast.expr | None = None
    if isinstance(value, ast.Call):
        data = next((k.value for k in value.keywords if k.arg == "data"), None)
        if not (isinstance(value.func, ast.Name) and value.func.id == NodeResult.__name__):
            data = None
    elif isinstance(value, ast.Dict):
        data = next(
            (v for k, v in zip(value.keys, value.values, strict=True) if _text(k) == "data"), None
        )
    for key in data.keys if isinstance(data, ast.Dict) else ():
        text = _text(key)
        if text is not None:
            yield text


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


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


def _call_mistakes(cls: type[NodeType], name: str, last: str) -> Iterator[str]:
    method = getattr(cls, name)
    if inspect.isasyncgenfunction(inspect.unwrap(method)):
        yield f".{name}() yields: return the result instead"
    elif not _is_async(method):
        yield f".{name}() must be a coroutine: write `async def {name}(self, ctx, {last})`"
    elif not _takes(method, 3):
        yield f".{name}() must take (self, ctx, {last}), not {inspect.signature(method)}"
    elif not hasattr(method, WHOLE):
        yield from (f".{name}() {wrong}" for wrong in _unknown_names(method, 1))


def _is_async(method: Callable[..., Any]) -> bool:
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
