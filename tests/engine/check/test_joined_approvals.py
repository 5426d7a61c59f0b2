"""A join that waits for an approval guards what is behind it, and only then."""

from __future__ import annotations

import os
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from engine.check import examine
from engine.core.graph.compiled import CompiledEdge, CompiledGraph, compile_graph
from engine.core.graph.document import GraphSpec
from engine.core.graph.tokens import Ready, TokenBoard
from tests.engine.check.graphs import edge, node, spec, world

POST = node("post", "http_request", config={"method": "POST"})
EXAMPLES = int(os.environ.get("JOIN_EXAMPLES", "1000"))


def is_guarded(nodes: Sequence[dict[str, Any]], edges: Sequence[dict[str, Any]]) -> bool:
    """Return whether `post` is proven to run behind an approval only."""
    document = spec({"nodes": [*nodes, POST], "edges": list(edges)})
    [danger] = [d for d in examine(document, world()).dangers if d.node == "post"]
    return danger.way is None


def joined(*more: dict[str, Any], **ok: Any) -> tuple[list[Any], list[Any]]:
    """Return nodes and edges of an approval and a delay side by side, both before `post`."""
    nodes = [node("ok", "approval", **ok), node("b", "delay")]
    edges = [edge("__start__", "ok"), edge("__start__", "b"), edge("ok", "post"), edge("b", "post")]
    return nodes, [*edges, *more]


def test_a_join_of_an_approval_and_another_branch_is_guarded() -> None:
    """C192: The join waits for the approval in every case, so no unguarded way is told."""
    assert is_guarded(*joined())


def test_steps_between_fork_approval_and_join_change_nothing() -> None:
    """C192: The branch may be longer, and the join may lie before the step."""
    nodes = [
        node("f", "delay"),
        node("a", "delay"),
        node("ok", "approval"),
        node("c", "delay"),
        node("b"),
        node("j"),
    ]
    ends = ["__start__ f", "f a", "f b", "a ok", "ok c", "c j", "b j", "j post"]
    assert is_guarded(nodes, [edge(*pair.split()) for pair in ends])


@pytest.mark.parametrize(
    ("nodes", "edges"),
    [
        joined(edge("ok", "__end__", on="rejected")),
        joined(edge("ok", "__end__", on="timed_out")),
        joined(edge("ok", "b", on="failed")),
        joined(config={"rejection_node_id": "b"}),
        joined(disabled=True),
        joined(edge("post", "post")),
    ],
    ids=["rejected", "timed out", "failed", "config", "disabled", "loop"],
)
def test_an_approval_that_may_not_come_to_the_join_guards_nothing(
    nodes: list[Any], edges: list[Any]
) -> None:
    """C192: After a rejection the join runs with the other branch alone."""
    assert not is_guarded(nodes, edges)


def test_a_fork_that_may_choose_guards_nothing() -> None:
    """C192: A function's `next` may leave the approval out; a router and conditions choose."""
    edges = [edge("__start__", "f"), edge("f", "ok"), edge("f", "b"), edge("ok", "post")]
    nodes = [node("ok", "approval"), node("b", "delay")]
    assert not is_guarded([node("f"), *nodes], [*edges, edge("b", "post")])
    assert is_guarded([node("f", "delay"), *nodes], [*edges, edge("b", "post")])
    edges[1] = edge("f", "ok", when="x")
    assert not is_guarded([node("f", "delay"), *nodes], [*edges, edge("b", "post")])


def test_a_node_that_runs_for_each_arrival_waits_for_nobody() -> None:
    """C192: `join: any` runs before the approval is answered."""
    nodes, edges = joined()
    nodes.append(node("j", "delay", join="any"))
    edges = [{**e, "target": "j"} if e["target"] == "post" else e for e in edges]
    assert not is_guarded(nodes, [*edges, edge("j", "post")])


class Played:
    """Plays a graph by every liberty that its nodes have; tokens know whether they are approved."""

    def __init__(self, document: GraphSpec, random: Random) -> None:
        self.graph: CompiledGraph = compile_graph(document)
        self.board = TokenBoard(self.graph)
        self.random = random
        self.types = {node.id: node.type for node in document.nodes}
        self.running: list[Ready] = []
        self.unapproved: set[str] = set()
        for start in self.graph.start_edges:
            self.board.arrive(start, False)
        self._release()

    def _release(self) -> None:
        for ready in self.board.release():
            self.running.append(ready)
            if not any(token.payload for token in ready.tokens):
                self.unapproved.add(self.graph.nodes[ready.node].id)

    def play(self, steps: int = 60) -> set[str]:
        """Return the nodes that ran though none of their tokens had passed an approval."""
        for _ in range(steps):
            if not self.running or len(self.board.live) > 50:
                break
            ready = self.running.pop(self.random.randrange(len(self.running)))
            taken = self._choice(ready.node)
            if taken is None:
                break  # it failed, or was rejected, and no way is drawn for it: the run ends
            name = self.graph.nodes[ready.node].id
            passed = any(token.payload for token in ready.tokens)
            for token in ready.tokens:
                self.board.finish(token)
            for one in taken:
                approved = self.types[name] == "approval" and one.on == "completed"
                self.board.arrive(one.index, passed or approved)
            self._release()
        return self.unapproved

    def _choice(self, place: int) -> list[CompiledEdge] | None:
        out = [e for e in self.graph.edges if e is not None and e.source == place]
        type_ = self.types[self.graph.nodes[place].id]
        ways = ["completed"] * 4 + ["failed"] + ["rejected"] * (type_ == "approval")
        on = self.random.choice(ways)
        group = [e for e in out if e.on == on]
        if on != "completed":
            return group or None
        drawn = [e for e in group if e.when is not None]
        if drawn and self.graph.nodes[place].takes_all:
            held = self.random.sample(drawn, self.random.randint(0, len(drawn)))
            return held or [e for e in group if e.when is None] or None
        if drawn:
            return [self.random.choice(group)]
        if type_ == "function" and group and self.random.random() < 0.5:
            return self.random.sample(group, self.random.randint(0, len(group)))
        return group


def random_document(random: Random) -> dict[str, Any]:
    """Return a graph of approvals, delays and functions; edges mostly lead forwards."""
    names = [f"n{number}" for number in range(random.randint(3, 7))]
    kinds = [random.choice(["approval", "delay", "delay", "function"]) for _ in names]
    nodes = [
        node(
            name,
            kind,
            join=random.choice(["all"] * 5 + ["any"]),
            branching=random.choice(["first", "all"]),
        )
        for name, kind in zip(names, kinds, strict=True)
    ]
    edges = [edge("__start__", name) for name in random.sample(names[:3], random.randint(1, 2))]
    for _ in range(random.randint(len(names), 2 * len(names))):
        a, b = random.sample(range(len(names)), 2)
        if random.random() < 0.93:
            a, b = min(a, b), max(a, b)
        more: dict[str, Any] = {}
        if random.random() < 0.1:
            more = {"when": "x"}
        elif random.random() < 0.1:
            more = {"on": "rejected" if kinds[a] == "approval" else "failed"}
        edges.append(edge(names[a], names[b], **more))
    edges += [edge(name, "post") for name in random.sample(names, 2)]
    return {"nodes": [*nodes, POST], "edges": edges}


@pytest.mark.parametrize("first_seed", range(2))
def test_what_is_proven_no_play_refutes(first_seed: int) -> None:
    """C192: In random graphs a step that is said to be guarded never runs without an approval."""
    proven = by_join = 0
    for seed in range(first_seed, EXAMPLES, 2):
        random = Random(seed)
        document = spec(random_document(random))
        found = [d for d in examine(document, world()).dangers if d.node == "post"]
        if not found or found[0].way is not None:
            continue
        proven += 1
        by_join += compile_graph(document).nodes[-1].is_join
        for _ in range(40):
            assert "post" not in Played(document, random).play(), seed
    assert proven > EXAMPLES // 50
    assert by_join > EXAMPLES // 200


def test_the_player_finds_what_is_not_guarded() -> None:
    """The player itself: it runs a join without the approval once that may be rejected."""
    nodes, edges = joined(edge("ok", "__end__", on="rejected"))
    document = spec({"nodes": [*nodes, POST], "edges": edges})
    runs = [Played(document, Random(seed)).play() for seed in range(60)]

    assert any("post" in names for names in runs)
