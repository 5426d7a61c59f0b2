"""What problems say to people who draw, and what mends them."""

from __future__ import annotations

from tests.engine.check.graphs import line, node, problems


def cures(document, code):
    """Return the labels and edits of the first problem with this code."""
    problem = next(p for p in problems(document) if p.code == code)
    return problem.say, {cure.label: [e.to_json() for e in cure.edits] for cure in problem.fixes}


def test_a_graph_without_a_start_offers_its_first_nodes():
    two = {**line(node("a", label="Ask"), node("b")), "edges": []}

    say, fixes = cures(two, "EntryMissing")

    assert say == "Nothing is wired to Start: say where a run begins."
    assert list(fixes) == ["Start at Ask", "Start at b"]
    edge = {"source": "__start__", "target": "a"}
    wire = {"op": "set", "part": "edge", "id": "", "path": [], "value": edge}
    assert fixes["Start at Ask"] == [wire]


def test_what_may_not_be_read_is_allowed_by_one_edit():
    say, fixes = cures(
        line(node("a", "output", label="Ask", read_keys=[], config={"value": "input.cv"})),
        "UnreadableKey",
    )

    assert say == "Ask may not read input yet."
    add = {"op": "add", "part": "node", "id": "a", "path": ["read_keys"], "value": "input"}
    assert fixes == {"Allow reading input": [add]}
