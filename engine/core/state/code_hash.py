"""A hash of a function by what it does: the same in every process, folder and Python hash seed.

It goes by the structure of the compiled code. Addresses, paths, line numbers and the order of sets
are left out: they differ between two processes that run the very same text.
"""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any

from engine.core.values.json import digest


def code_hash(function: FunctionType, *more: object) -> str:
    """Return the hash of a function, of those nested in it, and of `more` (JSON values).

    Its docstring does not count. The instructions are those of the running Python: another minor
    version gives another hash.
    """
    code = function.__code__
    consts = code.co_consts
    if function.__doc__ is not None and consts and consts[0] == function.__doc__:
        consts = (None, *consts[1:])
    return digest([*more, _code(code, consts)])


def _code(code: CodeType, consts: tuple[Any, ...]) -> list[Any]:
    return [
        code.co_code.hex(),
        code.co_exceptiontable.hex(),
        list(code.co_names),
        [code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags],
        [_shape(const) for const in consts],
    ]


def _shape(const: object) -> Any:
    """Return a constant as JSON that tells any two of them apart, also `1`, `1.0` and `True`."""
    if isinstance(const, CodeType):
        return ["code", *_code(const, const.co_consts)]
    if isinstance(const, tuple):
        return ["tuple", *map(_shape, const)]
    if isinstance(const, frozenset):
        return ["frozenset", *sorted(digest(_shape(item)) for item in const)]
    return [type(const).__name__, repr(const)]
