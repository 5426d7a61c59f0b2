"""Entry, reach, edges and loops."""

from __future__ import annotations

import pytest

from tests.engine.check.graphs import codes, edge, found, line, node, problems


def test_two_loose_nodes_have_no_entry():
    """C191, S25."""
    assert found({"nodes": [node("a"), node("b")]}) == {("EntryMissing", "edges")}


def test_an_empty_graph_has_no_entry():
    """C191."""
    assert codes({}) == {"EntryMissing"}


def test_the_only_node_nothing_leads_to_is_the_entry():
    """C191."""
    assert codes({"nodes": [node("a"), node("b")], "edges": [edge("b", "a")]}) == set()


def test_nodes_named_in_a_config_are_led_to():
    """C191."""
    config = {"rejection_node_id": "c"}

    assert codes({"nodes": [node("a", "approval", config=config), node("c")]}) == set()


def test_unreachable_nodes():
    """C191."""
    document = line(node("a"), node("b"))
    document["nodes"].append(node("c"))

    assert found(document) == {("UnreachableNode", "nodes[2]")}


@pytest.mark.parametrize(
    "edges",
    [
        [{"when": "x"}, {"when": "x"}, {}],
        [{"condition": "goal == ''"}, {"condition": "goal == ''"}, {}],
        [{"when": "x"}, {}, {}],
        [{"on": "rejected"}],
        [{"on": "timed_out"}],
        [{"trigger": "agent"}],
    ],
)
def test_edges_that_are_never_taken(edges):
    """K28."""
    document = line(node("a"))
    document["nodes"] += [node(f"n{i}") for i in range(len(edges))]
    document["edges"] += [edge("a", f"n{i}", **fields) for i, fields in enumerate(edges)]

    assert codes(document) == {"EdgeNeverTaken"}


def test_the_edge_tried_later_is_the_one_never_taken():
    """K28."""
    document = line(node("a"))
    document["nodes"] += [node("b"), node("c"), node("d")]
    document["edges"] += [
        edge("a", "b", when="x", priority=5),
        edge("a", "c", when="x"),
        edge("a", "d"),
    ]

    assert found(document) == {("EdgeNeverTaken", "edges[1].when")}


def test_parallel_edges_and_groups_are_all_taken():
    """K28."""
    document = line(node("a", "approval"))
    document["nodes"] += [node("b"), node("c"), node("d"), node("e")]
    document["edges"] += [
        edge("a", "b"),
        edge("a", "c"),
        edge("a", "d", on="rejected"),
        edge("a", "e", on="timed_out"),
    ]

    assert codes(document) == set()


def test_conditions_without_an_else():
    """C11."""
    document = line(node("a"), node("b"))
    document["edges"][1]["when"] = "x"

    assert found(document) == {("NoElseEdge", "nodes[0]")}


def test_ending_without_match_needs_no_else():
    """C11."""
    document = line(node("a"), node("b"), defaults={"on_no_match": "end"})
    document["edges"][1]["when"] = "x"

    assert codes(document) == set()


def test_a_loop_that_no_edge_leaves():
    """C192."""
    document = line(node("a"), node("b"))
    document["edges"].append(edge("b", "a"))

    assert found(document) == {("CycleWithoutExit", "nodes[0]")}


@pytest.mark.parametrize("target", ["c", "__end__"])
def test_a_loop_with_a_way_out(target):
    """C192."""
    document = line(node("a"), node("b"))
    document["nodes"].append(node("c"))
    document["edges"] += [edge("b", "a", when="more"), edge("b", target), edge("a", "c")]

    assert codes(document) == set()


def test_a_way_longer_than_the_limit():
    """C13."""
    nodes = [node(f"n{i}") for i in range(6)]

    assert codes(line(*nodes, limits={"max_iterations": 5})) == {"IterationLimitLow"}
    assert codes(line(*nodes, limits={"max_iterations": 6})) == set()


def test_long_graphs_are_walked_without_recursion():
    assert (
        codes(line(*[node(f"n{i}") for i in range(2000)], limits={"max_iterations": 2000})) == set()
    )


def test_a_synthesizer_that_the_edges_pass_by():
    """C103."""
    work = {"worker_node_id": "w", "static_items": [1], "synthesizer_node_id": "s"}
    document = line(node("m", "map", config=work), node("x"))
    document["nodes"] += [node("s"), node("w")]

    assert codes(document) == {"SynthesizerNotReached"}
    for edges in (
        [edge("s", "x")],
        [edge("s", "x"), edge("m", "w")],
        [edge("s", "x"), edge("m", "x", condition="goal == ''")],
    ):
        document["edges"] = [edge("__start__", "m"), *edges]
        assert codes(document) == set(), edges


def test_wires_at_the_worker_of_a_map():
    """C74: the map's own wire to it is drawn in vain; others run it without an item."""
    work = {"worker_node_id": "w", "static_items": [1]}
    document = line(node("m", "map", config=work), node("x"))
    document["nodes"].append(node("w"))
    for more, expected in (
        ([edge("m", "w")], set()),
        ([edge("x", "w")], {("WorkerWired", "edges[2].target")}),
        ([edge("m", "w"), edge("w", "x")], {("WorkerWired", "edges[3].source")}),
        ([edge("x", "w"), edge("w", "__end__")], {("WorkerWired", "edges[2].target")}),
    ):
        both = {**document, "edges": [*document["edges"], *more]}
        assert found(both) == expected, more

    two = {**document, "nodes": [*document["nodes"], node("n", "map", config=work)]}
    two["edges"] = [*document["edges"], edge("x", "n"), edge("n", "w")]
    assert found(two) == set()
    two["edges"].append(edge("x", "w"))
    assert [p.code for p in problems(two) if p.code == "WorkerWired"] == ["WorkerWired"]


def test_a_routers_expression_may_name_any_target():
    """C62."""
    document = line(node("r", "router", config={"expression": "goal"}), node("b"), node("c"))
    document["edges"] = [edge("r", "b", when="x"), edge("r", "b"), edge("r", "c")]
    assert codes(document) == set()

    document["nodes"][0]["config"] = {}
    assert codes(document) == {"EdgeNeverTaken"}


def test_edges_between_a_hub_and_its_nodes_are_no_loop():
    """C74, C192: Edges between a supervisor and the nodes it runs are no loop, and no else."""
    config = {"agent_id": "helper", "managed_nodes": ["a", "b"]}
    nodes = [node("s", "supervisor", config=config), node("a"), node("b"), node("done")]
    spokes = [edge("s", "a"), edge("s", "b"), edge("a", "s"), edge("b", "s")]
    way_on = edge("s", "done", condition="result.output.stopped_by == 'model'")
    start = edge("__start__", "s")

    assert codes({"nodes": nodes[:3], "edges": [start, *spokes]}) == set()
    assert codes({"nodes": nodes, "edges": [start, *spokes, way_on]}) == {"NoElseEdge"}


def test_a_rejection_is_a_way_out_of_a_loop():
    """C192."""
    asks = node("p", "approval", config={"rejection_node_id": "out"})
    edges = [edge("__start__", "a"), edge("a", "p"), edge("p", "a")]

    assert codes({"nodes": [node("a"), asks, node("out")], "edges": edges}) == set()


def test_workers_do_not_count_for_the_limit():
    """C13."""
    config = {"worker_node_id": "w", "static_items": [1]}
    nodes = [node("m", "map", config=config), node("w")]
    limits = {"max_iterations": 1}

    assert codes({"nodes": nodes, "edges": [edge("__start__", "m")], "limits": limits}) == set()


def told(document):
    """Return the problems of a document but for hints."""
    return [problem for problem in problems(document) if problem.severity != "hint"]


def test_a_word_is_never_taken_that_a_router_without_expression_cannot_say():
    """K28."""
    document = line(node("r", "router"), node("a"))
    document["nodes"].append(node("b"))
    document["edges"].append({**edge("r", "b", when="large"), "id": "e"})

    [problem] = told(document)

    assert (problem.code, problem.path) == ("EdgeNeverTaken", "edges[2].when")
    assert (
        problem.say == 'r never says "large": choose If and say when the wire from r to b is taken.'
    )
    assert problem.fixes[0].label == "Delete the wire"
    document["nodes"][0]["config"] = {"expression": "goal"}
    assert codes(document) == set()


def test_wires_whose_condition_is_not_said_yet_are_told_one_by_one():
    """C11."""
    document = line(node("r", "router"), node("a"))
    document["nodes"].append(node("b"))
    document["edges"] += [edge("r", end, condition="") for end in ("a", "b")]

    assert [(p.code, p.say) for p in told(document)] == [
        ("ExpressionInvalid", f"Say when the wire from r to {end} is taken.") for end in ("a", "b")
    ]
