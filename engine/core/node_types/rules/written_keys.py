"""The memory keys that a node type's code plainly writes."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from engine.core.node_types.node_type import NodeResult


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
