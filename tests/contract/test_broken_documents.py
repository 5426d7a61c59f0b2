"""Row K1: a document whose form is broken is told everything that is wrong with it, at once."""

from __future__ import annotations

from tests.contract.harness import agent, check, doc, fn, output, question, run
from tests.contract.scripts import returns


def places(found: list[dict[str, object]]) -> set[tuple[object, object]]:
    return {(problem["code"], problem["path"]) for problem in found}


def test_unknown_fields_of_the_form_and_of_configs_come_together() -> None:
    """K1: A field too much in a config is named beside one of the document."""
    asker = agent("a", config={"annealing": {"bar": 2}})
    broken = doc([asker, output("o", config={"valu": "1"})], colour="red")

    expected = {
        ("UnknownField", "colour"),
        ("UnknownField", "nodes[0].config.annealing.bar"),
        ("UnknownField", "nodes[1].config.valu"),
    }
    assert places(check(broken).problems) == expected
    assert places(run(broken).problems) == expected


def test_names_and_expressions_are_judged_beside_a_broken_form() -> None:
    """K1: Names that lead nowhere are named although the document cannot be read."""
    broken = doc(
        [fn("a", "nowhere"), question("q", question="{{ topic }}"), output("o")],
        ["__start__ -> a -> q -> zz", ("a", "o", {"condition": "1 +"})],
        limits={"max_iterations": 0},
    )

    assert places(check(broken).problems) == {
        ("InvalidValue", "limits.max_iterations"),
        ("UnknownHandler", "nodes[0].config.handler"),
        ("ExpressionInvalid", "nodes[1].config.question"),
        ("UnknownNode", "edges[2].target"),
        ("ExpressionInvalid", "edges[3].condition"),
    }


def test_what_cannot_be_read_causes_no_further_problems() -> None:
    """K1: A broken part is named once; nothing is said about what only it would explain."""
    broken = doc(
        [fn("a"), output("1b", config={"valu": "1"}), {"id": "c"}, {"type": "output"}],
        [
            "__start__ -> a -> 1b",
            "a -> q",
            ("a", "c", {"when": "x", "condition": "1 +"}),
            ("a", "c", {"condition": "1 +", "x": 1}),
        ],
        agents=[{"id": "x y"}],
    )

    assert places(check(broken, returns(a={})).problems) == {
        ("InvalidId", "agents[0].id"),
        ("InvalidId", "nodes[1].id"),
        ("MissingField", "nodes[2].type"),
        ("MissingField", "nodes[3].id"),
        ("InvalidId", "edges[1].target"),
        ("InvalidValue", "edges[3]"),
        ("UnknownField", "edges[4].x"),
        ("UnknownField", "nodes[1].config.valu"),
        ("ExpressionInvalid", "edges[4].condition"),
    }


def test_a_list_in_place_of_nodes_is_one_problem() -> None:
    """K1: Without any node to read there is nothing further to say."""
    broken = {**doc([fn("a")]), "nodes": "a"}

    assert places(check(broken).problems) == {("InvalidValue", "nodes")}
    assert check({**broken, "graphwright": 2}).codes == ["UnsupportedFormat"]
