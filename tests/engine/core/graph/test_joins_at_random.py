"""Joins over random graphs: as their structure says, without a stall, the same again."""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random

import pytest

from engine.core.graph.compiled import CompiledGraph, compile_graph
from tests.engine.graphs import Edge, Node, compiled
from tests.engine.play import Player, held
from tests.engine.structured import Builder, Interpreter, Maker

EXAMPLES = int(os.environ.get("JOIN_EXAMPLES", "1000"))
"""How many random programs are played; set it higher for a long search."""


@pytest.mark.parametrize("first_seed", range(4))
def test_random_programs_run_as_their_structure_says(first_seed: int) -> None:
    """C53: At every step the board lets exactly those nodes run that the interpreter lets run.

    So nothing waits for a person that need not, nothing runs early, nothing deadlocks, and every
    node is visited as often; small programs come first.
    """
    seeds = range(first_seed, EXAMPLES, 4)
    for seed in seeds:
        largest = 3 + 27 * seed // EXAMPLES
        _play_against_interpreter(seed, largest)


def _play_against_interpreter(seed: int, largest: int) -> None:
    random = Random(seed)
    program = Maker(random).program(random.randint(1, largest))
    player = Player(compile_graph(Builder().graph(program)))
    interpreter = Interpreter(program, random)
    for _ in range(300):
        assert sorted(interpreter.enabled) == sorted(player.running), (seed, program, player.path)
        if not player.running:
            break
        name = random.choice(sorted(player.running))
        token = interpreter.complete(name)
        player.complete(name, token, held(token))
    assert {name: player.path.count(name) for name in set(player.path)} == interpreter.visits
    assert player.forced == []
    assert bool(player.running) == bool(player.board.live)


def _random_graph(random: Random) -> CompiledGraph:
    names = [f"n{number}" for number in range(random.randint(1, 9))]
    ways = ["first", "all"]
    edges = [Edge("__start__", random.choice(names)) for _ in range(random.randint(1, 2))]
    for _ in range(random.randint(0, 3 * len(names))):
        token = random.choice([None, "x", "y"])
        edges.append(Edge(random.choice(names), random.choice(names), when=token))
    nodes = tuple(
        Node(name, join=random.choice(["all", "all", "any"]), branching=random.choice(ways))
        for name in names
    )
    return compiled(*edges, nodes=nodes, on_no_match="end")


@pytest.mark.parametrize("first_seed", range(4))
def test_unstructured_graphs_never_stall_and_are_deterministic(first_seed: int) -> None:
    for seed in range(first_seed, EXAMPLES, 4):
        graph = _random_graph(Random(seed))
        paths = []
        for _ in range(2):
            player, random = Player(graph), Random(seed)
            for _ in range(60):
                assert bool(player.running) == bool(player.board.live), seed
                if not player.running or len(player.board.live) > 200:
                    break
                name = random.choice(sorted(player.running))
                player.complete(name, random.choice([None, "x", "y"]))
            paths.append((player.path, player.forced))
        assert paths[0] == paths[1]


@pytest.mark.parametrize("first_seed", range(4))
def test_where_wires_exclude_each_other_all_and_first_are_the_same(first_seed: int) -> None:
    """Each node has one edge a token and at most one Otherwise: no two can fit."""
    for seed in range(first_seed, EXAMPLES, 4):
        paths = []
        for branching in ("first", "all"):
            player = Player(_exclusive_graph(Random(seed), branching))
            paths.append(player.play(Random(seed), 60, _tokens(Random(seed))))
        assert paths[0] == paths[1], seed


def _tokens(random: Random) -> Callable[[str], str]:
    return lambda _name: random.choice("xyz")


def _exclusive_graph(random: Random, branching: str) -> CompiledGraph:
    names = [f"n{number}" for number in range(random.randint(2, 9))]
    edges = [Edge("__start__", names[0])]
    for name in names:
        tokens = random.sample([None, "x", "y"], random.randint(0, 3))
        edges += [Edge(name, random.choice(names), when=token) for token in tokens]
    nodes = tuple(Node(name, branching=branching) for name in names)
    return compiled(*edges, nodes=nodes, on_no_match="end")
