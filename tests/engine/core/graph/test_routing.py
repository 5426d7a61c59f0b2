"""Which edges a finished node takes."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.graph.compiled import CompiledEdge, CompiledGraph
from engine.core.graph.routing import Choice, Evaluation, Outcome, choose_edges
from tests.engine.graphs import Edge, Node, compiled
from tests.engine.play import never


def targets(graph: CompiledGraph, choice: Choice) -> list[str]:
    assert choice.error is None
    return [edge.target_id for number in choice.edges if (edge := graph.edges[number])]


def route(graph: CompiledGraph, outcome: Outcome, node: str = "a") -> list[str]:
    return targets(graph, choose_edges(graph, node, outcome, never))


def error(graph: CompiledGraph, outcome: Outcome, node: str = "a") -> str | None:
    choice = choose_edges(graph, node, outcome, never)
    assert choice.edges == ()
    return choice.error


class Answers:
    """Evaluates conditions by their text and remembers which were asked."""

    def __init__(self, **answers: tuple[bool, bool]) -> None:
        self.answers = answers
        self.asked: list[str | None] = []

    def __call__(self, edge: CompiledEdge) -> tuple[bool, bool]:
        self.asked.append(edge.condition)
        return self.answers[edge.condition or ""]


TRUE, FALSE, MISSING = (True, False), (False, False), (False, True)
BILLING = compiled(Edge("a", "billing", when="billing"), Edge("a", "general", when="general"))
AGENT = compiled(
    Edge("a", "b", trigger="agent"), Edge("a", "c", trigger="agent"), Edge("a", "d", when="x")
)


def test_condition_picks_the_edge_with_exactly_that_token() -> None:
    """K24."""
    assert route(BILLING, Outcome(condition="billing")) == ["billing"]
    assert error(BILLING, Outcome(condition="Billing")) == "NoMatchingEdge"


def test_intent_counts_only_without_condition() -> None:
    """K25."""
    assert route(BILLING, Outcome(intent="general")) == ["general"]
    assert route(BILLING, Outcome(condition="billing", intent="general")) == ["billing"]


def test_a_condition_without_match_does_not_fall_through_to_intent() -> None:
    """K26, C11."""
    outcome = Outcome(condition="x", intent="general")
    general = Edge("a", "general", when="general")

    assert route(compiled(general, "a > other"), outcome) == ["other"]
    assert error(compiled(general), outcome) == "NoMatchingEdge"
    assert route(compiled(general, on_no_match="end"), outcome) == []


def test_no_token_routes_on_none() -> None:
    """K27."""
    graph = compiled(Edge("b", "c", when="x"), "b > d")

    assert route(graph, Outcome(), "b") == ["d"]


def test_the_plain_edge_beside_conditional_ones_is_the_else() -> None:
    """K28."""
    graph = compiled("a > c", Edge("a", "b", when="x"), "a > never")

    assert route(graph, Outcome(condition="x")) == ["b"]
    assert route(graph, Outcome()) == ["c"]


def test_priority_goes_before_declaration() -> None:
    """K28."""
    graph = compiled(
        Edge("a", "late", when="x", priority=2),
        Edge("a", "first", when="x", priority=-1),
        Edge("a", "second", when="x", priority=-1),
    )

    assert route(graph, Outcome(condition="x")) == ["first"]


def test_of_two_true_conditions_the_first_is_taken_and_no_more_are_tried() -> None:
    """C11, S24."""
    graph = compiled(
        Edge("a", "b", condition="no"),
        Edge("a", "c", condition="yes"),
        Edge("a", "d", condition="later"),
    )
    answers = Answers(no=FALSE, yes=TRUE)

    choice = choose_edges(graph, "a", Outcome(), answers)

    assert targets(graph, choice) == ["c"]
    assert answers.asked == ["no", "yes"]
    assert choice.evaluations == (Evaluation(0, False, False), Evaluation(1, True, False))


def test_conditions_without_match_fail_or_end() -> None:
    """C11."""
    edge = Edge("a", "b", condition="no")

    choice = choose_edges(compiled(edge), "a", Outcome(), Answers(no=FALSE))
    assert (choice.error, choice.edges) == ("NoMatchingEdge", ())
    assert choice.evaluations == (Evaluation(0, False, False),)
    ended = choose_edges(compiled(edge, on_no_match="end"), "a", Outcome(), Answers(no=FALSE))
    assert ended == Choice(evaluations=choice.evaluations)


def test_a_node_without_edges_ends_its_branch() -> None:
    """C11."""
    assert route(compiled("a > b"), Outcome(condition="x"), "b") == []
    assert route(compiled(Edge("a", "b", on="failed")), Outcome()) == []


def test_a_missing_reference_makes_a_condition_false_and_says_so() -> None:
    """C16."""
    graph = compiled(Edge("a", "b", condition="gone"), Edge("a", "c", condition="odd"), "a > d")

    choice = choose_edges(graph, "a", Outcome(), Answers(gone=MISSING, odd=(True, True)))

    assert targets(graph, choice) == ["d"]
    assert choice.evaluations == (Evaluation(0, False, True), Evaluation(1, False, True))


def test_when_and_conditions_are_tried_in_one_order() -> None:
    """K28."""
    graph = compiled(Edge("a", "b", condition="yes", priority=1), Edge("a", "c", when="x"))

    assert route(graph, Outcome(condition="x")) == ["c"]
    assert targets(graph, choose_edges(graph, "a", Outcome(), Answers(yes=TRUE))) == ["b"]


def test_an_evaluation_error_passes_through() -> None:
    """C16."""

    class ExpressionFailed(Exception):
        pass

    def fails(_: CompiledEdge) -> tuple[bool, bool]:
        raise ExpressionFailed

    with pytest.raises(ExpressionFailed):
        choose_edges(compiled(Edge("a", "b", condition="c")), "a", Outcome(), fails)


def test_only_plain_edges_are_all_taken() -> None:
    """C53."""
    graph = compiled("a > b", Edge("a", "c", priority=-1), "a > d")

    assert route(graph, Outcome(condition="ignored")) == ["c", "b", "d"]


def test_next_wins_over_tokens_and_conditions() -> None:
    """K35."""
    graph = compiled("a > b", Edge("a", "c", when="x"), Edge("a", "d", condition="untried"))

    assert route(graph, Outcome(next=["b"], condition="x", intent="x")) == ["b"]
    assert route(graph, Outcome(next=["d", "b", "d"])) == ["d", "b"]
    assert route(graph, Outcome(next=[], condition="x")) == ["c"]
    assert error(graph, Outcome(next=["b", "zzz"])) == "UndeclaredTarget"
    assert error(graph, Outcome(next=["zzz"]), "b") == "UndeclaredTarget"
    assert choose_edges(graph, "a", Outcome(next=["zzz"]), never).target == "zzz"


def test_next_may_name_the_end_if_an_edge_does() -> None:
    """K35."""
    assert route(compiled("a > b", "a > __end__"), Outcome(next=["__end__"])) == ["__end__"]
    assert error(compiled("a > b"), Outcome(next=["__end__"])) == "UndeclaredTarget"


def test_an_agents_choice_names_an_agent_edge() -> None:
    """V16."""
    assert route(AGENT, Outcome(agent_choice="c")) == ["c"]
    assert error(AGENT, Outcome(agent_choice="zzz")) == "UndeclaredTarget"
    assert error(AGENT, Outcome(agent_choice="d")) == "UndeclaredTarget"
    assert error(compiled("a > b"), Outcome(agent_choice="b")) == "UndeclaredTarget"


def test_agent_edges_without_a_choice() -> None:
    """V16."""
    one = compiled(Edge("a", "b", trigger="agent"), "a > c", Edge("a", "d", when="x"))

    assert route(one, Outcome(condition="x")) == ["b"]
    assert error(AGENT, Outcome()) == "NoTarget"
    assert route(AGENT, Outcome(next=["d"])) == ["d"]


def test_a_router_names_a_token_else_a_target_else_the_else() -> None:
    """C62."""
    edges = (Edge("a", "invoices", when="billing"), Edge("a", "general", condition="untried"))
    graph = compiled(*edges, "a > other")

    assert route(graph, Outcome(route="billing")) == ["invoices"]
    assert route(graph, Outcome(route="general")) == ["general"]
    assert route(graph, Outcome(route="nowhere")) == ["other"]
    assert route(graph, Outcome(route="")) == ["other"]
    assert error(compiled(*edges), Outcome(route="nowhere")) == "UndeclaredTarget"


def test_a_router_with_plain_edges_only_has_no_else() -> None:
    """C62."""
    graph = compiled("a > b", "a > c")

    assert route(graph, Outcome(route="c")) == ["c"]
    assert error(graph, Outcome(route="nowhere")) == "UndeclaredTarget"


def test_on_selects_the_group_first() -> None:
    """I11, C93, C94."""
    graph = compiled(
        "a > done",
        Edge("a", "broken", on="failed"),
        Edge("a", "denied", on="rejected"),
        Edge("a", "late", on="timed_out"),
    )

    assert route(graph, Outcome()) == ["done"]
    assert route(graph, Outcome("failed")) == ["broken"]
    assert route(graph, Outcome("rejected")) == ["denied"]
    assert route(graph, Outcome("timed_out")) == ["late"]


def test_a_group_without_edges_says_so() -> None:
    """C93, C94."""
    graph = compiled("a > done")

    assert graph.group("a", "timed_out") is None
    assert choose_edges(graph, "a", Outcome("rejected"), never) == Choice()


def test_rejection_node_id_is_an_edge_on_rejected() -> None:
    """C94."""
    graph = compiled("a > done", "other > x", nodes=(Node("a", {"rejection_node_id": "x"}),))

    assert route(graph, Outcome("rejected")) == ["x"]
    assert route(graph, Outcome()) == ["done"]


def test_a_synthesizer_runs_when_the_map_has_no_other_edge_to_follow() -> None:
    """C103."""
    nodes = (
        Node("a", {"worker_node_id": "w", "synthesizer_node_id": "synth"}),
        Node("w"),
        Node("synth"),
    )

    assert route(compiled(nodes=nodes), Outcome()) == ["synth"]
    assert route(compiled("a > w", nodes=nodes), Outcome()) == ["synth"]
    assert route(compiled("a > x", nodes=nodes), Outcome()) == ["x"]
    when = compiled(Edge("a", "x", when="x"), nodes=nodes)
    assert route(when, Outcome(condition="x")) == ["x"]
    assert route(when, Outcome()) == ["synth"]


def test_no_match_never_hides_a_failure() -> None:
    """C11, C32."""
    graph = compiled(Edge("a", "b", on="failed", condition="no"), on_no_match="end")

    choice = choose_edges(graph, "a", Outcome("failed"), Answers(no=FALSE))

    assert choice.error == "NoMatchingEdge"


@pytest.mark.parametrize("config", [{"managed_nodes": ["b"]}, {"worker_node_id": "b"}])
def test_edges_to_delegates_are_not_followed(config: dict[str, Any]) -> None:
    """C74: Edges to the nodes of a supervisor and to a map's worker are not followed."""
    graph = compiled("a > b", "a > d", "b > a", nodes=(Node("a", config),))

    assert route(graph, Outcome()) == ["d"]
    assert error(graph, Outcome(next=["b"])) == "UndeclaredTarget"


def test_edges_of_a_swarm_to_its_peers_are_followed() -> None:
    """C133: The entry node's own edges decide, also those that lead to a peer."""
    graph = compiled("a > b", "a > c", nodes=(Node("a", {"swarm": {"peer_nodes": ["b"]}}),))

    assert route(graph, Outcome()) == ["b", "c"]


def test_a_disabled_node_passes_on_without_tokens() -> None:
    edges = (Edge("a", "b", when="x"), Edge("a", "c", condition="yes"), "a > d")
    graph = compiled(*edges, nodes=(Node("a", disabled=True),))
    outcome = Outcome("failed", condition="x", next=["b"])

    assert targets(graph, choose_edges(graph, "a", outcome, Answers(yes=TRUE))) == ["c"]
    assert targets(graph, choose_edges(graph, "a", outcome, Answers(yes=FALSE))) == ["d"]


def all_of(*edges: Edge | str, **fields: Any) -> CompiledGraph:
    """A graph whose node `a` takes every edge that fits."""
    return compiled(*edges, nodes=(Node("a", branching="all"),), **fields)


def test_all_that_match_are_taken_by_priority_and_each_condition_is_tried() -> None:
    graph = all_of(
        Edge("a", "b", condition="yes"),
        Edge("a", "c", condition="no"),
        Edge("a", "d", when="x", priority=-1),
        Edge("a", "e", condition="gone"),
        Edge("a", "f", condition="too"),
        "a > never",
    )
    answers = Answers(yes=TRUE, no=FALSE, gone=MISSING, too=TRUE)

    choice = choose_edges(graph, "a", Outcome(condition="x"), answers)

    assert targets(graph, choice) == ["d", "b", "f"]
    assert answers.asked == ["yes", "no", "gone", "too"]
    assert [evaluation.value for evaluation in choice.evaluations] == [True, False, False, True]


def test_where_none_matches_every_plain_edge_is_taken() -> None:
    graph = all_of(Edge("a", "b", condition="no"), "a > c", "a > d")

    choice = choose_edges(graph, "a", Outcome(), Answers(no=FALSE))

    assert targets(graph, choice) == ["c", "d"]


def test_all_that_match_of_none_is_no_match_or_the_end() -> None:
    edge = Edge("a", "b", when="x")

    assert error(all_of(edge), Outcome()) == "NoMatchingEdge"
    assert route(all_of(edge, on_no_match="end"), Outcome()) == []


def test_all_that_match_are_those_of_their_group() -> None:
    failed = (Edge("a", "b", on="failed", when="x"), Edge("a", "c", on="failed", when="x"))
    graph = all_of(*failed, Edge("a", "d", when="x"))

    assert route(graph, Outcome("failed", condition="x")) == ["b", "c"]
    assert route(graph, Outcome(condition="x")) == ["d"]


def test_an_explicit_choice_goes_before_all_that_match() -> None:
    graph = all_of(Edge("a", "b", when="x"), Edge("a", "c", when="x"), "a > d")

    assert route(graph, Outcome(next=["d"], condition="x")) == ["d"]


def test_a_routers_text_takes_all_of_that_text() -> None:
    graph = all_of(Edge("a", "b", when="x"), Edge("a", "c", when="x"), "a > d", "a > e")

    assert route(graph, Outcome(route="x")) == ["b", "c"]
    assert route(graph, Outcome(route="d")) == ["d"]
    assert route(graph, Outcome(route="nowhere")) == ["d", "e"]


def test_a_synthesizer_runs_where_none_of_all_matches() -> None:
    config = {"worker_node_id": "w", "synthesizer_node_id": "s"}
    nodes = (Node("a", config, branching="all"), Node("w"), Node("s"))
    graph = compiled(Edge("a", "b", when="x"), Edge("a", "c", when="x"), nodes=nodes)

    assert route(graph, Outcome(condition="x")) == ["b", "c"]
    assert route(graph, Outcome()) == ["s"]


def test_a_disabled_node_that_takes_all_passes_on_by_every_plain_edge() -> None:
    edges = (Edge("a", "b", when="x"), "a > c", "a > d")
    graph = compiled(*edges, nodes=(Node("a", disabled=True, branching="all"),))

    assert route(graph, Outcome(condition="x")) == ["c", "d"]
