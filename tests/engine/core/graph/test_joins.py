"""Joins: a join waits for every branch that will really come, and for no other."""

from __future__ import annotations

from random import Random
from typing import ClassVar

import pytest

from engine.core.graph.compiled import CompiledGraph
from engine.core.graph.tokens import TokenBoard
from tests.engine.graphs import Edge, Node, compiled
from tests.engine.play import Player

DIAMOND = ("__start__ > a", "a > b", "a > c", "b > d", "c > d")


def test_diamond_joins_once_after_both_branches() -> None:
    """C53."""
    player = Player(compiled(*DIAMOND))

    assert player.complete("a") == ["b", "c"]
    assert player.complete("b") == []
    assert player.complete("c") == ["d"]
    assert player.complete("d") == []
    assert not player.board.live


def test_a_join_takes_its_tokens_in_the_order_of_arrival() -> None:
    """S7, S8."""
    player = Player(compiled(*DIAMOND))
    player.complete("a")
    player.complete("c")
    player.complete("b")

    (joined,) = player.running["d"]
    assert [token.payload for token in joined.tokens] == ["c", "b"]


def test_behind_start_the_token_carries_the_start() -> None:
    """S7."""
    player = Player(compiled(*DIAMOND))

    (first,) = player.running["a"]
    assert [token.payload for token in first.tokens] == ["start"]


def test_a_branch_not_taken_does_not_block_the_join() -> None:
    """C53, S37."""
    graph = compiled(
        Edge("splitter", "path-a", when="path-a"),
        Edge("splitter", "path-b", when="path-b"),
        "path-a > result",
        "path-b > result",
    )
    player = Player(graph)
    player.complete("splitter", "path-a")
    player.complete("path-a")
    player.complete("result")

    assert player.path == ["splitter", "path-a", "result"]


def test_a_branch_that_ends_early_lets_the_join_go() -> None:
    """C53: The branch c may end or go on to d; d waits until that is known."""
    graph = compiled("a > b", "a > c", "b > d", Edge("c", "d", when="go"), Edge("c", "__end__"))
    player = Player(graph)
    player.complete("a")

    assert player.complete("b") == []
    assert player.complete("c", "stop") == ["d"]


def test_join_any_runs_for_each_arrival() -> None:
    """C53."""
    player = Player(compiled(*DIAMOND, nodes=(Node("d", join="any"),)))
    player.complete("a")

    assert player.complete("b") == ["d"]
    assert player.complete("c") == ["d"]
    assert player.play(Random(0), 10).count("d") == 2


def test_start_counts_as_an_incoming_edge() -> None:
    """K2: b waits for a, because a comes by a second edge beside that from the start."""
    player = Player(compiled("__start__ > a", "__start__ > b", "a > b"))

    assert list(player.running) == ["a"]
    assert player.complete("a") == ["b"]
    (joined,) = player.running["b"]
    assert [token.payload for token in joined.tokens] == ["start", "a"]


def test_several_start_edges_start_all_targets() -> None:
    """K2."""
    player = Player(compiled("__start__ > a", "__start__ > b"))

    assert list(player.running) == ["a", "b"]


def test_a_node_may_lead_to_itself() -> None:
    """K29."""
    graph = compiled(
        "__start__ > n", Edge("n", "n", when="more"), Edge("n", "__end__", when="done")
    )
    player = Player(graph)

    assert player.complete("n", "more") == ["n"]
    assert player.complete("n", "more") == ["n"]
    assert player.complete("n", "done") == []
    assert player.path == ["n", "n", "n"]


def test_a_head_waits_for_all_branches_of_its_loop() -> None:
    """K29: Two branches return to h by their own edges: one round ends when both are back."""
    graph = compiled(
        "__start__ > h",
        Edge("h", "f", when="more"),
        Edge("h", "__end__"),
        "f > x",
        "f > y",
        "x > h",
        "y > h",
    )
    player = Player(graph)
    player.complete("h", "more")
    player.complete("f")

    assert player.complete("x") == []
    assert player.complete("y") == ["h"]


def test_an_inner_head_starts_while_a_sibling_returns_to_the_outer_head() -> None:
    """K29: A sibling that goes back to the outer head starts a new round there, not this one."""
    graph = compiled(
        "__start__ > h",
        Edge("h", "f", when="more"),
        Edge("h", "__end__"),
        "f > inner",
        "f > y",
        "inner > again",
        Edge("again", "inner", when="again"),
        Edge("again", "h"),
        "y > h",
    )
    player = Player(graph)
    player.complete("h", "more")

    assert player.complete("f") == ["y", "inner"]


def test_the_next_round_waits_for_this_one() -> None:
    """A token parked at the outer head does not hold a join inside its loop."""
    graph = compiled(
        "__start__ > h",
        "h > b",
        "h > c",
        "h > back",
        "b > j",
        "c > j",
        "back > h",
        Edge("j", "h", when="more"),
        Edge("j", "__end__"),
    )
    player = Player(graph)
    player.complete("h")
    assert player.complete("back") == []
    assert player.complete("b") == []
    assert player.complete("c") == ["j"]
    assert player.complete("j", "more") == ["h"]
    assert player.forced == []


def test_two_tokens_by_one_edge_the_later_counts() -> None:
    graph = compiled(
        "__start__ > a",
        "a > b",
        "a > c",
        "b > m",
        "c > m",
        "m > j",
        "a > slow",
        "slow > j",
        nodes=(Node("m", join="any"),),
    )
    player = Player(graph)
    player.complete("a")
    player.complete("b")
    player.complete("m")
    player.complete("c")
    player.complete("slow")
    assert "j" not in player.running
    before = [row[0] for row in player.board.to_plain()["tokens"]]

    assert player.complete("m") == ["j"]

    (joined,) = player.running["j"]
    assert [token.payload for token in joined.tokens] == ["slow", "m"]
    assert joined.tokens[1].id > max(before)
    assert list(player.board.live) == [token.id for token in joined.tokens]


def test_two_joins_that_lead_to_each_other_run_in_the_order_of_the_walk() -> None:
    """The arc q → p closes the cycle, so it starts a new round of p instead of holding it."""
    graph = compiled("__start__ > a", "a > p", "a > q", "p > q", "q > p")
    player = Player(graph)

    assert player.complete("a") == ["p"]
    assert player.complete("p") == ["q"]
    assert player.forced == []


class Entangled(CompiledGraph):
    """Joins that hold each other. No drawn graph is known to do that; the board must survive it."""

    HOLDERS: ClassVar = {"p": "q", "q": "p", "r": "q", "s": "a"}

    def reaching(self, node: int) -> int:
        return 1 << self.index[self.HOLDERS[self.nodes[node].id]]


def entangled(*names: str) -> Player:
    edges = [f"{source} > {name}" for name in names for source in ("a", "b")]
    graph = compiled("__start__ > a", "__start__ > b", *edges)
    found = Entangled(graph.nodes, graph.edges, on_no_match="fail")
    player = Player(found)
    player.end("b", found.nodes[found.index["b"]].groups["completed"].plain_indices)
    return player


def test_parked_tokens_that_hold_each_other_are_forced_in_reverse_postorder() -> None:
    """r waits for q too, but holds nobody: running it early would help nobody."""
    player = entangled("p", "q", "r")

    rank, index = player.graph.shape.rank, player.graph.index
    first, other = sorted("pq", key=lambda name: rank[index[name]])
    assert player.forced == [first]
    assert "r" not in player.running
    player.end(first)
    assert other in player.running
    player.end(other)
    assert "r" in player.running
    assert player.forced == [first]


def test_a_join_that_a_moving_token_holds_is_not_forced() -> None:
    """s waits for a, which may take its time; p and q wait for each other only."""
    player = entangled("s", "p", "q")

    assert len(player.forced) == 1
    assert "s" not in player.path + list(player.running)
    player.end("a")
    assert "s" in player.running
    assert "s" not in player.forced


def test_a_token_that_ends_without_edges_frees_the_join() -> None:
    """K31: What `transition_to` does: the branch ends, whatever edges are drawn."""
    player = Player(compiled(*DIAMOND))
    player.complete("a")
    player.complete("b")

    assert player.end("c") == ["d"]


def test_children_of_a_composite_are_no_branches() -> None:
    """C74: Drawn edges to a worker and back neither run it nor make the map wait."""
    graph = compiled(
        "__start__ > mapper",
        "mapper > worker",
        "worker > mapper",
        "mapper > done",
        nodes=(Node("mapper", {"worker_node_id": "worker"}),),
    )
    player = Player(graph)

    assert player.complete("mapper") == ["done"]
    assert player.play(Random(0), 5) == ["mapper", "done"]


def test_take_repeats_what_a_log_says() -> None:
    graph = compiled(*DIAMOND)
    player = Player(graph)
    replayed = TokenBoard(graph)
    replayed.arrive(0, "start")
    assert replayed.take([1]).node == graph.index["a"]
    for name in ("a", "b", "c"):
        (ready,) = player.running[name]
        player.complete(name)
        replayed.finish(replayed.live[ready.tokens[0].id])
        for edge in graph.nodes[graph.index[name]].groups["completed"].plain_indices:
            replayed.arrive(edge, name)
        for released in player.running.values():
            ids = [token.id for token in released[0].tokens]
            if all(replayed.live[number].payload == name for number in ids[-1:]):
                replayed.take(ids)

    assert replayed.release() == []
    assert replayed.to_plain() == player.board.to_plain()


def test_take_refuses_tokens_that_do_not_wait() -> None:
    board = TokenBoard(compiled(*DIAMOND))
    board.arrive(0)
    board.release()

    with pytest.raises(KeyError):
        board.take([1])
    with pytest.raises(KeyError):
        board.take([99])


def test_take_refuses_a_part_of_what_is_parked() -> None:
    board = TokenBoard(compiled(*DIAMOND))
    board.arrive(3)
    board.arrive(4)

    with pytest.raises(KeyError):
        board.take([1])
