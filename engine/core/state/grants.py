"""Grants of reading: what a list of read keys lets through, and which key would let through more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from engine.core.errors import NodeError
from engine.core.expressions.cel import MissingReference
from engine.core.node_types.view import ALWAYS, LANES

if TYPE_CHECKING:
    from engine.core.state.program import NodePlan

_APART: Final = frozenset({"input", "outputs"})
"""Lanes of which a node is let read one part and no other."""


def covers(keys: Iterable[str], path: tuple[str, ...]) -> bool:
    """Return whether read keys let a reference such as `("memory", "notes", "a")` see something."""
    if not path or path[0] in ALWAYS:
        return True
    if path[0] not in ("memory", *LANES):
        return True
    if len(path) == 1 and path[0] in ("memory", "outputs"):
        return path[0] == "memory" or any(key.partition(".")[0] == "outputs" for key in keys)
    if path[0] == "memory":
        wanted = path[1:]
        if wanted[0].startswith("_"):
            return False
        return any(key == "*" or meet(tuple(key.split(".")), wanted) for key in keys)
    return any(meet(tuple(key.split(".")), path) for key in keys)


def read_key(path: tuple[str, ...]) -> str | None:
    """Return the narrowest read key that lets a reference through, None where none can.

    `level` of memory, `input.cv` of the start, `outputs.x`. A start field whose name has a dot is no
    key of its own.
    """
    parts = path[1:2] if path[0] == "memory" else path[: 2 if path[0] in _APART else 1]
    if not parts or parts[0].startswith("_"):
        return None
    return parts[0] if parts[0] == "input" and "." in parts[-1] else ".".join(parts)


def with_cure(plan: NodePlan, error: NodeError) -> NodeError:
    """Return the error, saying which read key lacks where that is why a reference is missing."""
    if not isinstance(error, MissingReference) or not error.path:
        return error
    key = read_key(error.path)
    if key is None or covers((*plan.read_keys, *plan.memory_reads), error.path):
        return error
    message = f'this node may not read "{key}": add "{key}" to its read keys'
    return MissingReference(message, reference=error.reference, path=error.path)


def meet(key: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Return whether one is a part of the other, so that something of the path is visible."""
    return all(a == b for a, b in zip(key, path, strict=False))
