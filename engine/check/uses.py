"""What the fields of a node read: the narrowest keys that let them, and the keys that none needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.check.access import RESERVED, covers, root
from engine.check.fields import FieldValue
from engine.check.subject import NodeSubject
from engine.core.expressions.cel import ExpressionInvalid, Reference, compile_expression
from engine.core.expressions.jsonpath import compile_path
from engine.core.expressions.templates import compile_template
from engine.core.values.effort import COMPILED, charge

_TEMPLATES: Final = frozenset({"prompt", "template"})
Path = tuple[str, ...]


def named_paths(node: NodeSubject) -> list[Path] | None:
    """Return every path that a field of the node reads, in order.

    None where that is not all it reads: its code may look at more, or a field cannot be read yet.
    """
    if node.type is None or node.config is None or not node.type.reads_named:
        return None
    found: dict[Path, None] = {}
    try:
        for value in node.fields:
            if value.widget == "prompt" and not value.value:
                return None  # without a prompt of its own it is told all that it may read
            found.update(dict.fromkeys(_of_field(value)))
        if node.spec.memory_query is not None:
            found.update(dict.fromkeys(_of_template(node.spec.memory_query.text)))
    except ExpressionInvalid:
        return None
    return list(found)


def wanted_keys(node: NodeSubject) -> tuple[str, ...] | None:
    """Return the narrowest read keys that the fields of a node need; None where that is not known.

    What the node may read anyway, or by naming it, needs none.
    """
    paths = named_paths(node)
    if paths is None:
        return None
    free = (*node.granted("read"), *getattr(node.type, "always_reads", ()), *node.given)
    return narrow_keys([path for path in paths if not (free and covers(free, path))])


def narrow_keys(paths: list[Path]) -> tuple[str, ...]:
    """Return the narrowest read keys that let all paths be read: `level`, `input.cv`, `outputs.x`."""
    keys = dict.fromkeys(key for path in paths if (key := _key(path)) is not None)
    return tuple(k for k in keys if not any(o != k and k.startswith(f"{o}.") for o in keys))


def idle_keys(node: NodeSubject) -> tuple[str, ...]:
    """Return the read keys of the node that no field uses; none where its code may use them."""
    paths = named_paths(node)
    if paths is None:
        return ()
    keys = dict.fromkeys(node.spec.read_keys or ())
    return tuple(key for key in keys if not any(_lets(key, path) for path in paths))


def _lets(key: str, path: Path) -> bool:
    """Return whether a path is read by this key."""
    if path[0] == "memory" and len(path) == 1:
        return root(key) not in RESERVED
    return path[0] in {"memory", *RESERVED} and covers((key,), path)


def _key(path: Path) -> str | None:
    """Return the narrowest key for a path; None where nothing needs one."""
    if path[0] == "memory":
        return path[1] if len(path) > 1 else "*"
    if path[0] not in ("input", "outputs", "previous", "metadata", "context"):
        return None
    return ".".join(path[:2] if path[0] in ("input", "outputs") else path[:1])


def _of_field(found: FieldValue) -> Iterator[Path]:
    """Yield the paths that the texts of a field name."""
    if found.value is None:
        return
    prefix = found.hint("expression-prefix")
    for _place, text in found.texts():
        if found.widget in _TEMPLATES:
            yield from _of_template(text)
        elif found.widget == "jsonpath" or (text.startswith("$") and found.hint("also-jsonpath")):
            if found.hint("over-view"):
                charge(COMPILED)
                yield compile_path(text).names or ("memory",)
        elif found.widget == "expression":
            yield from _of_expression(text)
        elif prefix and text.startswith(prefix):
            yield from _of_expression(text.removeprefix(prefix))
        elif found.hint("reads"):
            parts = tuple(text.split("."))
            yield parts if parts[0] in RESERVED else ("memory", *parts)


def _of_template(text: str) -> Iterator[Path]:
    charge(COMPILED * (1 + text.count("{{")))
    yield from _paths(compile_template(text).references)


def _of_expression(text: str) -> Iterator[Path]:
    charge(COMPILED)
    yield from _paths(compile_expression(text).references)


def _paths(references: frozenset[Reference]) -> Iterator[Path]:
    yield from sorted({reference.path for reference in references})
