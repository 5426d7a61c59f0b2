"""Which wires of a node that takes all that fit may be taken in one go."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest

from engine.check.paths.together import overlapping
from engine.core.expressions.cel import MissingReference, compile_expression, truthy
from engine.core.graph.document import EdgeSpec


def wires(*given: str | None, token: bool = False) -> list[EdgeSpec]:
    kind = "when" if token else "condition"
    return [EdgeSpec(source="a", target=f"n{i}", **{kind: v}) for i, v in enumerate(given)]


def sets(edges: list[EdgeSpec]) -> set[frozenset[str]]:
    """Return the ends of what may be taken at once."""
    return {frozenset(edge.target for edge in found) for found in overlapping(edges)}


@pytest.mark.parametrize(
    ("conditions", "together"),
    [
        (["memory.l == 'a'", "memory.l == 'b'", "memory.l == 'c'"], []),
        (["memory.l == 'a'", "memory.l == 'a'"], ["n0 n1"]),
        (["memory.l == 'a'", "memory.l in ['a', 'b']", "memory.l == 'b'"], ["n0 n1", "n1 n2"]),
        (["memory.l == 'a'", "memory.l == 'b'", "memory.n > 1"], ["n0 n2", "n1 n2"]),
        (["memory.l == 'a'", "memory.m == 'b'"], ["n0 n1"]),
        (["memory.l == 'a' && memory.n > 1", "memory.l == 'b' && memory.n > 2"], []),
        (["memory.n > 1", "memory.n > 2"], ["n0 n1"]),
        (["memory.n == 1", "memory.n == 1.0"], ["n0 n1"]),
        (["this is no condition", "memory.l == 'b'"], ["n0 n1"]),
        ([None, None, "memory.l == 'b'"], ["n0 n1"]),
        ([None, "memory.l == 'b'"], []),
    ],
)
def test_conditions_that_may_hold_at_once(conditions, together):
    assert sets(wires(*conditions)) == {frozenset(names.split()) for names in together}


def test_other_tokens_exclude_each_other():
    assert sets(wires("pass", "fail", token=True)) == set()
    assert sets(wires("pass", "pass", token=True)) == {frozenset({"n0", "n1"})}
    assert len(overlapping([*wires("pass", token=True), *wires("goal == ''")])) == 1


PARTS = [f"memory.{k} {op}" for k in "lm" for op in ("== 'a'", "== 'b'", "in ['a', 'c']", "!= 'a'")]


@pytest.mark.parametrize("seed", range(40))
def test_what_is_in_no_common_set_never_holds_at_once(seed):
    """Random conditions over all values of two fields: what is told apart is apart."""
    random = Random(seed)
    texts = [random.choice(["&&", "||"]).join(random.sample(PARTS, 2)) for _ in range(4)]
    edges = wires(*texts, random.choice(PARTS))
    apart = {
        (one.target, other.target)
        for one, other in combinations(edges, 2)
        if not any(one in found and other in found for found in overlapping(edges))
    }

    for level, kind in product(["a", "b", "c", 1, None], repeat=2):
        holding = [edge.target for edge in edges if _holds(edge, {"l": level, "m": kind})]
        assert not apart & set(combinations(holding, 2)), texts


def _holds(edge: EdgeSpec, memory: dict[str, object]) -> bool:
    try:
        return truthy(compile_expression(edge.condition or "").evaluate({"memory": memory}))
    except MissingReference:
        return False


def test_very_many_wires_are_one_set():
    """What would take too long is told carefully: all of them may be taken at once."""
    fields = [f"memory.l == 'v{i}'" for i in range(200)]
    others = [f"memory.n > {i}" for i in range(150)]

    assert len(overlapping(wires(*fields))) == 0
    assert [len(found) for found in overlapping(wires(*fields, *others))] == [350]
