"""Templates: text around expressions."""

from __future__ import annotations

import time
from typing import Any

import pytest

from engine.core.expressions.cel import ExpressionFailed, ExpressionInvalid, MissingReference
from engine.core.expressions.template_trees import render_tree, tree_templates
from engine.core.expressions.templates import compile_template

SCOPE = {
    "memory": {"name": "Ann", "n": 1, "list": [1, {"b": 2}], "big": "x" * 3_000_000},
    "input": {"rawInput": "hi", "t": 1},
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("", ""),
        ("Hi {{ memory.name }}, {{memory.list}}!", 'Hi Ann, [1,{"b":2}]!'),
        ("{{ input }}.", '{"rawInput":"hi","t":1}.'),
        ("a }} b { c", "a }} b { c"),
        ("{{ {'a': {'b': 1}} }}.", '{"a":{"b":1}}.'),
        ("{{{'a': 1}}}.", '{"a":1}.'),
        ("{{ '}}' }}{{ \"{{\" }}.", "}}{{."),
        ("{{ 'it\\'s }}' }}.", "it's }}."),
        ("{{ '''a'}}b''' }}.", "a'}}b."),
        ("{{ r'\\d}}' }}.", "\\d}}."),
        ("{{ true }}{{ null }}{{ 1.5 }}", "truenull1.5"),
        ("{{ has(memory.nope) ? memory.nope : '-' }}!", "-!"),
    ],
)
def test_text_as_it_is_and_other_values_as_json(text: str, expected: str) -> None:
    """V24, S9, K40."""
    assert compile_template(text).render(SCOPE) == expected


def test_a_missing_reference_fails() -> None:
    """V24."""
    with pytest.raises(MissingReference):
        compile_template("a {{ memory.nope }}").render(SCOPE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ memory.n }}", 1),
        ("  {{ memory.list }}\n", [1, {"b": 2}]),
        ("{{ memory.n }}{{ memory.n }}", "11"),
        ("n: {{ memory.n }}", "n: 1"),
        ("5", "5"),
        ("{{ null }}", None),
    ],
)
def test_one_lone_expression_keeps_its_type(text: str, expected: Any) -> None:
    """S18."""
    assert compile_template(text).render_value(SCOPE) == expected


def test_a_tree_is_rendered_text_by_text() -> None:
    """S18."""
    tree = {"{{ k }}": "{{ memory.n }}", "l": ["{{ memory.name }}!", 3, None], "b": True}

    assert render_tree(tree, SCOPE) == {"{{ k }}": 1, "l": ["Ann!", 3, None], "b": True}
    assert list(tree_templates(tree)) == [
        ("{{ k }}", "{{ memory.n }}"),
        ("l[0]", "{{ memory.name }}!"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a\nb {{ field }}", 2, 6),
        ("{{ 1 +\n  nope }}", 2, 3),
        ("ab {{ memory.a", 1, 4),
        ("ab {{ 'x }}", 1, 7),
        ("{{ }}", 1, 1),
        ("x {{ 1 } }}", 1, 3),
    ],
)
def test_an_error_has_its_place_in_the_template(text: str, line: int, column: int) -> None:
    """V28."""
    with pytest.raises(ExpressionInvalid) as caught:
        compile_template(text)

    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_bare_name_is_invalid_and_a_memory_key_is_proposed() -> None:
    """V28."""
    with pytest.raises(ExpressionInvalid, match=r"memory\.field"):
        compile_template("{{ field }}")


def test_references_of_all_expressions_are_known() -> None:
    """V28."""
    found = compile_template("{{ memory.a }} {{ has(outputs.b) ? outputs.b : 1 }}").references

    assert {(str(each), each.guarded) for each in found} == {
        ("memory.a", False),
        ("outputs.b", True),
    }


def test_a_rendered_text_has_a_limit() -> None:
    with pytest.raises(ExpressionFailed, match="longer"):
        compile_template("{{ memory.big }}{{ memory.big }}").render(SCOPE)


def test_a_template_has_so_many_expressions():
    """V24: Thousands of expressions in one template are refused before they hold the interpreter."""
    before = time.process_time()

    with pytest.raises(ExpressionInvalid, match="this text may name 400 values") as caught:
        compile_template("\n".join(f"{{{{{n}}}}}" for n in range(6000)))

    assert caught.value.line == 401
    assert time.process_time() - before < 2
    assert compile_template("{{ goal }}" * 400).render({"goal": "a"}) == "a" * 400
