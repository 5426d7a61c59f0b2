"""Compiling: entry, implied edges, joins, order, loops and reachability; and what it costs."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time

from engine.core.graph.compiled import END, CompiledGraph, compile_graph
from engine.core.graph.tokens import TokenBoard
from tests.engine.graphs import Edge, Graph, Node, compiled
from tests.engine.play import Player


def ids(graph: CompiledGraph, bits: int) -> set[str]:
    return {node.id for node in graph.nodes if bits >> node.index & 1}


def joins(graph: CompiledGraph) -> set[str]:
    return {node.id for node in graph.nodes if node.is_join}


def cpu_ms(work: Callable[[], object]) -> float:
    """Return the processor time of the best of three tries, in milliseconds."""
    times = []
    for _ in range(3):
        begun = process_time()
        work()
        times.append(process_time() - begun)
    return 1000 * min(times)


def test_drawn_start_edges_are_the_entry() -> None:
    """K2, C191."""
    graph = compiled("a > b", "__start__ > b", "__start__ > a")

    assert graph.entry == ("b", "a")
    assert graph.start_edges == (1, 2)


def test_the_only_node_nothing_leads_to_is_the_entry() -> None:
    """C191."""
    graph = compiled(
        "mapper > b", nodes=(Node("worker"), Node("mapper", {"worker_node_id": "worker"}))
    )

    assert graph.entry == ("mapper",)
    assert graph.start_edges == (1,)


def test_every_config_that_leads_to_a_node_counts() -> None:
    """C191."""
    config = {
        "managed_nodes": ["m"],
        "swarm": {"peer_nodes": ["p"]},
        "synthesizer_node_id": "s",
        "rejection_node_id": "r",
    }
    nodes = (Node("m"), Node("p"), Node("s"), Node("r"), Node("hub", config))

    assert compiled(nodes=nodes).entry == ("hub",)


def test_two_loose_nodes_are_no_entry() -> None:
    """C191, S25."""
    graph = compiled(nodes=(Node("a"), Node("b")))

    assert graph.entry == ()
    assert TokenBoard(graph).release() == []


def test_a_drawn_rejection_edge_stands_alone() -> None:
    """C94, S25."""
    graph = compiled(
        Edge("a", "x", on="rejected"), "a > y", nodes=(Node("a", {"rejection_node_id": "x"}),)
    )

    assert [edge.index for edge in graph.edges if edge and not edge.drawn] == [2]
    assert graph.entry == ("a",)


def test_a_synthesizer_that_cannot_come_moves_nothing() -> None:
    """C103."""
    nodes = (Node("a", {"synthesizer_node_id": "s"}),)

    assert joins(compiled("__start__ > a", "a > x", "x > s", nodes=nodes)) == set()
    assert joins(compiled("__start__ > a", Edge("a", "x", when="x"), "x > s", nodes=nodes)) == {"s"}


def test_edges_of_unknown_nodes_move_nothing() -> None:
    graph = compile_graph(
        Graph([Node("a")], [Edge("a", "zzz"), Edge("zzz", "a"), Edge("a", "__end__")])
    )

    assert graph.edges[:2] == [None, None]
    assert graph.targets[2] == END


def test_joins_have_several_edges_that_can_bring_a_token() -> None:
    """C53."""
    graph = compiled(
        "__start__ > a",
        "a > b",
        "__start__ > b",
        "a > c",
        Edge("b", "c", on="failed"),
        "a > d",
        "b > d",
        "a > e",
        "unreached > e",
        nodes=(Node("d", join="any"),),
    )

    assert joins(graph) == {"b", "c"}
    assert graph.has_joins
    assert not compiled("a > b", "a > c").has_joins


def test_agent_edges_and_rejection_edges_make_joins() -> None:
    """C53."""
    graph = compiled(
        "__start__ > a",
        Edge("a", "b", trigger="agent"),
        Edge("a", "c", trigger="agent"),
        "b > c",
        "b > d",
        nodes=(Node("c", {"rejection_node_id": "d"}),),
    )

    assert joins(graph) == {"c", "d"}


def test_order_loops_and_dominators() -> None:
    graph = compiled("__start__ > a", "a > h", "h > x", "x > y", "y > h", "x > h", "h > z")
    shape, index = graph.shape, graph.index

    named = [graph.nodes[n].id for n in shape.order[1:]]
    assert named == ["a", "h", "z", "x", "y"]
    assert ids(graph, graph.loop(index["h"])) == {"h", "x", "y"}
    assert graph.loop(index["x"]) == 0
    assert shape.dominates(index["h"], index["y"])
    assert not shape.dominates(index["y"], index["h"])
    assert shape.components[index["h"]] == shape.components[index["y"]]
    assert shape.components[index["z"]] != shape.components[index["y"]]


def test_dominators_and_loops_agree_with_their_definitions() -> None:
    for seed in range(150):
        random = Random(seed)
        size = random.randint(1, 9)
        edges = [
            Edge(f"n{random.randrange(size)}", f"n{random.randrange(size)}")
            for _ in range(2 * size)
        ]
        graph = compiled(Edge("__start__", "n0"), *edges)
        shape = graph.shape
        seen = _reach(graph, shape.root, without=-1)
        for upper in range(len(graph.nodes)):
            around = _reach(graph, shape.root, without=upper)
            for node in range(len(graph.nodes)):
                expected = node in seen and (node == upper or node not in around)
                assert shape.dominates(upper, node) == expected, (seed, upper, node)
        for tail, head in shape.returning:
            if shape.dominates(head, tail):
                body = {n for n in seen if tail in _reach(graph, n, without=head)} | {head, tail}
                assert all(graph.loop(head) >> n & 1 for n in body)


def _reach(graph: CompiledGraph, start: int, without: int) -> set[int]:
    if start == without:
        return set()
    found, todo = {start}, [start]
    while todo:
        for target in graph.successors[todo.pop()]:
            if target != without and target not in found:
                found.add(target)
                todo.append(target)
    return found


def test_reaching_leaves_out_edges_that_restart() -> None:
    """Both x and y return to h; from either no way leads to the other within this round."""
    graph = compiled("__start__ > h", "h > x", "h > y", "x > h", "y > h", "y > x")

    assert ids(graph, graph.reaching(graph.index["x"])) == {"h", "y"}
    assert ids(graph, graph.reaching(graph.index["h"])) == set()


def test_reaching_goes_around_loops_that_do_not_hold_the_join() -> None:
    graph = compiled("__start__ > h", "h > x", "x > h", "h > j", "__start__ > j")

    assert ids(graph, graph.reaching(graph.index["j"])) == {"h", "x"}


def chain(size: int) -> Graph:
    return Graph(
        [Node(f"n{i}") for i in range(size)], [Edge(f"n{i}", f"n{i + 1}") for i in range(size - 1)]
    )


def test_a_chain_of_1000_compiles_at_once() -> None:
    assert cpu_ms(lambda: compile_graph(chain(1000))) < 30


def test_the_largest_graph_compiles_and_analyses_within_a_second() -> None:
    """2,000 nodes and 5,000 edges, tangled: nearly every node is a join inside loops."""
    random = Random(3)
    spec = chain(2000)
    spec.edges.insert(0, Edge("__start__", "n0"))
    spec.edges += [
        Edge(f"n{random.randrange(2000)}", f"n{random.randrange(2000)}") for _ in range(3000)
    ]

    begun = process_time()
    graph = compile_graph(spec)
    compiled_after = process_time() - begun
    graph.reaching(1000)
    graph.spared(1000)

    assert compiled_after < 1
    assert process_time() - begun < 1.5


def test_a_fan_in_of_1000_branches_is_not_quadratic() -> None:
    names = [f"n{i}" for i in range(1000)]
    graph = compiled(*[f"a > {name}" for name in names], *[f"{name} > z" for name in names])

    def work() -> None:
        player = Player(graph)
        player.complete("a")
        for name in names[:-1]:
            assert player.complete(name) == []
        assert player.complete(names[-1]) == ["z"]
        assert len(player.running["z"][0].tokens) == 1000

    work()
    assert cpu_ms(work) < 50
