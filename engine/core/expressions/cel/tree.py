"""What a checked syntax tree mentions: the paths it reads and which of them are guarded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from engine.core.expressions.cel.environment import NOW
from engine.core.expressions.cel.schema import Node

Path: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """One path that an expression reads, such as `("memory", "topic")`.

    `guarded` says that absence is provided for at this place: by `has()`, by `in`, or by an
    optional selection. A path ends where it stops being literal (`memory[input]` is `memory`).
    """

    path: Path
    guarded: bool

    def __str__(self) -> str:
        """The path as an author writes it."""
        text = self.path[0]
        for part in self.path[1:]:
            text += f".{part}" if part.isidentifier() else f"[{part!r}]"
        return text


def kind(node: Node) -> str:
    """Return which of the seven kinds of node this is, such as `call_expr`."""
    return str(node.WhichOneof("kind"))


def children(node: Node) -> Iterator[Node]:
    """Yield the direct sub-expressions."""
    what = kind(node)
    inner: Node = getattr(node, what)
    if what == "select_expr":
        yield inner.operand
    elif what == "call_expr":
        if inner.HasField("target"):
            yield inner.target
        yield from inner.args
    elif what == "list_expr":
        yield from inner.elements
    elif what == "struct_expr":
        for entry in inner.entries:
            if entry.HasField("map_key"):
                yield entry.map_key
            yield entry.value
    elif what == "comprehension_expr":
        yield from (inner.iter_range, inner.accu_init, inner.loop_condition)
        yield from (inner.loop_step, inner.result)


def walk(node: Node) -> Iterator[Node]:
    """Yield `node` and everything below it, parents first."""
    yield node
    for child in children(node):
        yield from walk(child)


def is_call(node: Node, *functions: str) -> bool:
    """Say whether `node` calls one of `functions`."""
    return node.HasField("call_expr") and node.call_expr.function in functions


def text_of(node: Node) -> str | None:
    """Return the text of a literal, None for anything else."""
    if kind(node) == "const_expr" and node.const_expr.WhichOneof("kind") == "string_value":
        return str(node.const_expr.string_value)
    return None


def path_of(node: Node, bound: frozenset[str] = frozenset()) -> tuple[Path, bool] | None:
    """Return the literal path that `node` reads and whether absence is provided for.

    None when it is no path from a name of the scope; `bound` are the variables of loops.
    """
    what = kind(node)
    if what == "ident_expr":
        name = str(node.ident_expr.name).removeprefix(".")
        return None if name in bound or name.startswith("@") else ((name,), False)
    if what == "select_expr":
        selected = node.select_expr
        base = path_of(selected.operand, bound)
        return base and ((*base[0], str(selected.field)), base[1] or bool(selected.test_only))
    if is_call(node, "_[_]", "_?._", "_[?_]"):
        operand, key = node.call_expr.args
        base, field = path_of(operand, bound), text_of(key)
        if base is None or field is None:
            return None
        return (*base[0], field), base[1] or node.call_expr.function != "_[_]"
    return None


def references(root: Node, names: frozenset[str]) -> frozenset[Reference]:
    """Return every path from one of `names` that the tree reads."""
    found: set[Reference] = set()
    _collect(root, frozenset(), frozenset(), names, found)
    return frozenset(found)


def needed(root: Node, names: frozenset[str]) -> frozenset[Path]:
    """Return the paths from one of `names` without which the tree surely has no value.

    Left out is what stands in `has()`, an optional selection, `orValue`, the body of a loop (which
    may run no time), one branch of a choice, or one side of `&&` and `||` (the other may decide).
    """
    return frozenset(path for path in _needed(root) if path[0] in names)


def _needed(node: Node) -> frozenset[Path]:
    path = path_of(node)
    if path is not None:
        return frozenset() if path[1] else frozenset({path[0]})
    if is_call(node, "_?_:_"):
        condition, then, other = map(_needed, node.call_expr.args)
        return condition | _in_both(then, other)
    if is_call(node, "_&&_", "_||_"):
        left, right = map(_needed, node.call_expr.args)
        return _in_both(left, right)
    if kind(node) == "comprehension_expr":
        return _needed(node.comprehension_expr.iter_range)
    if is_call(node, "_?._", "_[?_]") or _asks_only(node):
        return frozenset()
    if is_call(node, "orValue", "or", "optFlatMap", "optMap"):
        return _needed(node.call_expr.target)
    return frozenset().union(*map(_needed, children(node)))


def _in_both(one: frozenset[Path], other: frozenset[Path]) -> frozenset[Path]:
    """Return what both need, whole or in part: `input` for `input.a` and `input.b`."""
    first, second = (
        {path[:size] for path in paths for size in range(1, len(path) + 1)}
        for paths in (one, other)
    )
    return frozenset(first & second)


def _asks_only(node: Node) -> bool:
    """Say whether `node` is a `has()`."""
    return kind(node) == "select_expr" and bool(node.select_expr.test_only)


def _collect(
    node: Node,
    bound: frozenset[str],
    known: frozenset[Path],
    names: frozenset[str],
    found: set[Reference],
) -> None:
    path = path_of(node, bound)
    if path is not None:
        if path[0][0] in names:
            covered = any(path[0][: len(fact)] == fact for fact in known)
            found.add(Reference(path[0], path[1] or covered))
        return
    if kind(node) == "comprehension_expr":
        loop = node.comprehension_expr
        inner = bound | {loop.iter_var, loop.iter_var2, loop.accu_var} - {""}
        for child in (loop.iter_range, loop.accu_init):
            _collect(child, bound, known, names, found)
        for child in (loop.loop_condition, loop.loop_step, loop.result):
            _collect(child, inner, known, names, found)
        return
    for child, facts in _with_facts(node, bound):
        _collect(child, bound, known | facts, names, found)


def _with_facts(node: Node, bound: frozenset[str]) -> Iterator[tuple[Node, frozenset[Path]]]:
    """Yield each child with the paths that exist wherever its value counts.

    Both sides of `&&` and `||` shield each other: an error on one side is dropped when the other
    decides, whatever their order.
    """
    if is_call(node, "_?_:_"):
        condition, then, other = node.call_expr.args
        yield condition, frozenset()
        yield then, facts_if(condition, True, bound)
        yield other, facts_if(condition, False, bound)
    elif is_call(node, "_&&_", "_||_"):
        outcome = node.call_expr.function == "_&&_"
        left, right = node.call_expr.args
        yield left, facts_if(right, outcome, bound)
        yield right, facts_if(left, outcome, bound)
    else:
        for child in children(node):
            yield child, frozenset()


def facts_if(node: Node, outcome: bool, bound: frozenset[str]) -> frozenset[Path]:
    """Return the paths that certainly exist when the condition `node` yields `outcome`."""
    if is_call(node, "!_"):
        return facts_if(node.call_expr.args[0], not outcome, bound)
    if is_call(node, "_&&_", "_||_"):
        left, right = (facts_if(side, outcome, bound) for side in node.call_expr.args)
        decided = outcome == (node.call_expr.function == "_&&_")
        return left | right if decided else left & right
    if not outcome:
        return frozenset()
    if kind(node) == "select_expr" and node.select_expr.test_only:
        path = path_of(node, bound)
        return frozenset() if path is None else frozenset({path[0]})
    if is_call(node, "@in"):
        key, container = node.call_expr.args
        base, field = path_of(container, bound), text_of(key)
        if base is not None and field is not None:
            return frozenset({(*base[0], field)})
    return frozenset()


def uses_now(root: Node) -> bool:
    """Say whether the (rewritten) tree reads the scope's `now`."""
    return any(kind(n) == "ident_expr" and n.ident_expr.name == NOW for n in walk(root))
