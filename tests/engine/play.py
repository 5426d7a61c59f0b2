"""Plays a compiled graph on a token board, step by step, without an engine around it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.core.graph.compiled import CompiledEdge, CompiledGraph
from engine.core.graph.routing import Evaluate, Outcome, choose_edges
from engine.core.graph.tokens import Ready, TokenBoard


def never(edge: CompiledEdge) -> tuple[bool, bool]:
    """Evaluate no condition: the graph has none."""
    raise AssertionError(f"edge {edge.index} has a condition that must not be tried")


def held(token: str | None) -> Evaluate:
    """Evaluate conditions by their text: those hold that the token names, with commas."""
    names = set((token or "").split(","))
    return lambda edge: (edge.condition in names, False)


class Player:
    """Runs nodes when told. `running` has by node id what the board released and nobody ended."""

    def __init__(self, graph: CompiledGraph) -> None:
        self.graph = graph
        self.board = TokenBoard(graph)
        self.running: dict[str, list[Ready]] = {}
        self.path: list[str] = []
        self.forced: list[str] = []
        for edge in graph.start_edges:
            self.board.arrive(edge, "start")
        self.release()

    def release(self) -> list[str]:
        """Take what the board releases; return the node ids in that order."""
        names = []
        for ready in self.board.release():
            name = self.graph.nodes[ready.node].id
            names.append(name)
            self.running.setdefault(name, []).append(ready)
            if ready.forced:
                self.forced.append(name)
        return names

    def complete(
        self, name: str, token: str | None = None, evaluate: Evaluate = never
    ) -> list[str]:
        """End one activation of `name` with the routing token; return what runs because of it."""
        choice = choose_edges(self.graph, name, Outcome(condition=token), evaluate)
        assert choice.error is None
        return self.end(name, choice.edges)

    def end(self, name: str, edges: tuple[int, ...] = ()) -> list[str]:
        """End one activation of `name`, its tokens going on by `edges`."""
        activations = self.running[name]
        ready = activations.pop(0)
        if not activations:
            del self.running[name]
        self.path.append(name)
        for taken in ready.tokens:
            self.board.finish(taken)
        for edge in edges:
            self.board.arrive(edge, name)
        return self.release()

    def play(
        self, random: Random, steps: int, token: Callable[[str], str | None] = lambda _: None
    ) -> list[str]:
        """Complete running nodes in a random order until none is left; return the path."""
        for _ in range(steps):
            if not self.running:
                break
            name = random.choice(sorted(self.running))
            self.complete(name, token(name))
        return self.path
