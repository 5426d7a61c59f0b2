"""Changes to a checked tree before it becomes a program, and what such a tree may not contain."""

from __future__ import annotations

from engine.core.expressions.cel.environment import NOW, RANGE
from engine.core.expressions.cel.failures import ExpressionInvalid
from engine.core.expressions.cel.functions import MAX_ELEMENTS, TOO_MANY
from engine.core.expressions.cel.patterns import check_pattern
from engine.core.expressions.cel.schema import Expr, Node
from engine.core.expressions.cel.tree import children, is_call, kind, text_of, walk

MAX_NESTED_LOOPS = 4
"""Loops inside the body of a loop; `estimate` costs twice as much with each."""


def refuse_unsupported(root: Node) -> None:
    """Raise `ExpressionInvalid` for what is legal in the language but not offered here."""
    for node in walk(root):
        if kind(node) == "struct_expr" and node.struct_expr.message_name:
            raise ExpressionInvalid(f"{node.struct_expr.message_name!r} cannot be constructed")
        if is_call(node, "matches"):
            pattern = text_of(node.call_expr.args[-1])
            if pattern is None:
                raise ExpressionInvalid("the pattern of matches() must be a literal text")
            check_pattern(pattern)
    if _loop_depth(root) > MAX_NESTED_LOOPS:
        raise ExpressionInvalid(f"loops are nested deeper than {MAX_NESTED_LOOPS}")


def _loop_depth(node: Node) -> int:
    if kind(node) != "comprehension_expr":
        return max(map(_loop_depth, children(node)), default=0)
    loop = node.comprehension_expr
    outer = max(_loop_depth(loop.iter_range), _loop_depth(loop.accu_init))
    inner = max(_loop_depth(loop.loop_step), _loop_depth(loop.result))
    return max(outer, inner + 1)


def prepare(checked: Node) -> None:
    """Change the tree in place: `now()` reads the scope, long lists are refused in loops."""
    fresh = max((node.id for node in walk(checked.expr)), default=0)
    for node in list(walk(checked.expr)):
        if is_call(node, "now"):
            fresh += 2
            text = Expr(id=fresh, ident_expr={"name": NOW})
            node.CopyFrom(Expr(id=fresh - 1, call_expr={"function": "timestamp", "args": [text]}))
        elif kind(node) == "comprehension_expr" and node.comprehension_expr.accu_init.HasField(
            "list_expr"
        ):
            fresh = _bound_range(node.comprehension_expr, fresh)


def _bound_range(loop: Node, fresh: int) -> int:
    """Replace the range of `map` or `filter` by itself or, when it is too long, a refusal.

    A loop over nothing binds the range to a name, so that it is evaluated once. Returns the last
    node id used.
    """

    def name() -> Node:
        return Expr(ident_expr={"name": RANGE})

    def call(function: str, *args: Node) -> Node:
        return Expr(call_expr={"function": function, "args": list(args)})

    bounded = Expr(
        comprehension_expr={
            "iter_var": "#unused",
            "iter_range": Expr(list_expr={}),
            "accu_var": RANGE,
            "accu_init": loop.iter_range,
            "loop_condition": Expr(const_expr={"bool_value": False}),
            "loop_step": name(),
            "result": call(
                "_?_:_",
                call("_>_", call("size", name()), Expr(const_expr={"int64_value": MAX_ELEMENTS})),
                call(TOO_MANY, call("size", name())),
                name(),
            ),
        }
    )
    for node in walk(bounded):
        if node.id == 0:
            fresh += 1
            node.id = fresh
    loop.iter_range.CopyFrom(bounded)
    return fresh


def index_instead_of_select(checked: Node) -> None:
    """Change every `a.b` into `a['b']` in place.

    Same values, but the library's error then tells a part of null from a part of a text.
    """
    fresh = max((node.id for node in walk(checked.expr)), default=0)
    for node in reversed(list(walk(checked.expr))):
        if kind(node) != "select_expr" or node.select_expr.test_only:
            continue
        operand, field = node.select_expr.operand, node.select_expr.field
        fresh += 2
        key = Expr(id=fresh, const_expr={"string_value": field})
        replaced = Expr(id=fresh - 1, call_expr={"function": "_[_]", "args": [operand, key]})
        node.CopyFrom(replaced)
