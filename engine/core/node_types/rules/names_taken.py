"""Which attributes of its context a function's compiled code takes."""

from __future__ import annotations

import dis
import functools
import inspect
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any


def names_taken(function: Callable[..., Any], position: int) -> frozenset[str]:
    """Return what a function's own code takes from its argument at `position`.

    Nothing where the code is not Python's, or gives that name to something else as well.
    """
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or code.co_argcount <= position:
        return frozenset()
    return _of_code(code, code.co_varnames[position])


@functools.lru_cache(maxsize=2048)
def _of_code(code: CodeType, name: str) -> frozenset[str]:
    """Compiled code is read once, however often its node type is registered."""
    return frozenset() if _rebinds(code, name) else frozenset(_taken(code, name))


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
