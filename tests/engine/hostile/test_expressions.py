"""Expressions that do much with little text: refused before they run."""

from __future__ import annotations

import time
from typing import Any

import pytest

from engine.core.expressions.cel import ExpressionFailed, compile_expression

TEXT = "a" * 100_000
MEMORY: dict[str, Any] = {
    "l": list(range(200)),
    "s": TEXT,
    "t": TEXT[:-1] + "b",
    "commas": "," * 100_000,
    "numbers": list(range(5_000)),
    "same": list(range(5_000)),
    "words": ["x" * 50] * 10_000,
    "orders": [
        {"id": n, "name": f"customer {n}", "items": [{"price": p} for p in range(20)]}
        for n in range(100)
    ],
    "mail": "hello world, money\n- b" * 3_000,
}
TWICE = "memory.l.all(a, memory.l.all(b, {}))"
ONCE = "memory.l.all(a, {} != '')"


@pytest.mark.parametrize(
    "text",
    [
        TWICE.format("!memory.s.contains('aaaaaaaaaaaaaaaab')"),
        TWICE.format("memory.s.indexOf('aaaaaaaaaaab') < 0"),
        TWICE.format("memory.s.lastIndexOf('baaaaaaaaaaa') < 0"),
        TWICE.format("memory.numbers == memory.same"),
        TWICE.format("memory.numbers != [1]"),
        TWICE.format("!('z' in memory.words)"),
        TWICE.format("memory.s < memory.t"),
        TWICE.format("size(memory.s) > 0"),
        TWICE.format("memory.s.startsWith(memory.t)"),
        TWICE.replace("all", "exists").format("memory.s.contains('aaaaaaab')"),
        ONCE.format("memory.commas.split(',')[0]"),
        ONCE.format("memory.s.replace('a', 'b')"),
        "memory.l.map(a, memory.commas.split(','))",
        "memory.l.filter(a, memory.s.replace('a', 'b') == '')",
        "memory.l.all(a, memory.l.all(b, size(memory.s + memory.s) > 0))",
        "memory.l.all(a, memory.s.matches('(a|aa)*[^b]*x.*y'))",
        "memory.s.contains(memory.s.substring(50000) + 'b')",
        " && ".join(["memory.commas.split(',').size() > 1"] * 40),
    ],
)
def test_what_goes_through_too_much_is_refused_before_it_runs(text: str) -> None:
    """`all` of `all` of `contains` on 100 KB held every thread for 38 s."""
    expression = compile_expression(text)
    began = time.thread_time()

    with pytest.raises(ExpressionFailed, match=r"too much|too long|more than 16 MiB"):
        expression.evaluate({"memory": MEMORY})

    assert time.thread_time() - began < 0.25


@pytest.mark.parametrize(
    "text",
    [
        "memory.orders.filter(o, o.items.exists(i, i.price > 10)).map(o, o.name).size() == 100",
        "memory.orders.map(o, o.name + ' ' + string(o.id)).join(', ') != ''",
        "memory.orders.filter(o, o.name.lowerAscii().contains('customer 9')).size() == 11",
        "memory.orders.all(o, o.name in ['a', 'b'] || o.id >= 0)",
        "memory.orders.filter(o, memory.mail.contains(o.name)).size() == 0",
        "memory.l.all(a, memory.numbers[a] >= 0)",
        "memory.l.all(a, !memory.mail.contains('needle'))",
        "memory.mail.contains('money') && !memory.mail.matches('(?i)refund|chargeback')",
        "memory.mail.replace('money', 'gold').size() > 1000",
        "memory.mail.split('\\n').size() == 3001",
        "memory.numbers == memory.same",
        "'x' in memory.words || size(memory.words) > 1",
        "memory.orders.all(a, a.items.all(b, a.id + b.price >= 0))",
    ],
)
def test_ordinary_expressions_are_cheap_and_legal(text: str) -> None:
    """A filter by a nested list, a join, a search for a hundred names in a long mail."""
    began = time.thread_time()

    assert compile_expression(text).evaluate({"memory": MEMORY}) is True

    assert time.thread_time() - began < 0.4
