"""Where a run starts, what it can never reach, and where it can stop short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.check.paths import ways
from engine.check.paths.cycles import cycles, longest
from engine.check.paths.proof import Proof
from engine.check.paths.reach import Successors, leaves, reach
from engine.check.rules.flow import ways_out, workers
from engine.check.rules.flow.rounds import loop_forks
from engine.check.subject import NodeSubject, Subject
from engine.core.graph.cures import Cure, wire
from engine.core.graph.fields import END, START
from engine.core.graph.problems import Problem

OFFERED: Final = 3
"""Nodes that are offered as the first."""


def find(subject: Subject) -> Iterator[Problem]:
    """Yield problems of entry, reach, edges, loops and limits."""
    entries = ways.entries(subject)
    leads, moves = ways.successors(subject), ways.moves(subject)
    if not entries:
        yield _no_entry(subject)
    else:
        reached = reach(leads, entries)
        for node in subject.nodes:
            if node.id not in reached:
                message = "No wire leads here from the start: draw one, or delete the node."
                yield node.problem("UnreachableNode", "", message).mended(
                    f"Nothing leads to {node.label}: draw a wire to it, or delete it."
                )
        yield from _limit(subject, longest(moves, entries))
    yield from _start_edges(subject)
    proof = Proof(subject)
    for node in subject.nodes:
        yield from ways_out.find(subject, node, proof)
        yield from _rejection(subject, node)
        yield from _synthesizer(subject, node)
    yield from workers.find(subject)
    yield from _closed_loops(subject, moves)
    yield from loop_forks(subject, moves)


def _no_entry(subject: Subject) -> Problem:
    if not subject.nodes:
        return Problem.of("EntryMissing", "edges", "The graph has no nodes: add one.")
    message = f"It is not clear where a run starts: draw a wire from {START} to the first node."
    led_to = {edge.target for edge in subject.spec.edges if edge.source != edge.target}
    first = [node for node in subject.nodes if node.id not in led_to] or subject.nodes
    cures = (Cure(f"Start at {node.label}", (wire(START, node.id),)) for node in first[:OFFERED])
    return Problem.of("EntryMissing", "edges", message).mended(
        "Nothing is wired to Start: say where a run begins.", *cures
    )


def _limit(subject: Subject, length: int) -> Iterator[Problem]:
    limit = subject.spec.limits.max_iterations
    if length > limit:
        message = (
            f"A way through the graph has {length} nodes, but max_iterations is {limit}:"
            " such a run fails with IterationLimit. Raise the limit."
        )
        problem = Problem.of("IterationLimitLow", "limits.max_iterations", message).on(str(length))
        yield problem.mended(
            f"A way through the workflow has {length} steps, and a run ends after {limit}: allow more."
        )


def _rejection(subject: Subject, node: NodeSubject) -> Iterator[Problem]:
    """Yield drawn ways out of a rejection that contradict the one in the config."""
    target = getattr(node.config, "rejection_node_id", None)
    for edge in subject.spec.edges_from(node.id, "rejected") if target is not None else ():
        if edge.target != target:
            message = (
                f'A rejection already leads to "{target}" (rejection_node_id): '
                "remove this edge, or clear the field."
            )
            say = (
                f"A rejection at {node.label} already leads to {subject.label(str(target))},"
                " as its settings say: delete this wire, or empty the setting."
            )
            yield subject.edge_problem("InvalidValue", edge, "target", message).mended(say)


def _start_edges(subject: Subject) -> Iterator[Problem]:
    """Yield what edges of the start say in vain: all of them are taken (row K2)."""
    message = (
        f"Every edge from {START} is taken, whatever it asks for:"
        " lead it to a router, and put this on the router's edges."
    )
    say = (
        "Every wire from Start is taken, whatever it asks for: lead it to a router,"
        " and ask at the wires of the router."
    )
    for edge in subject.spec.edges_from(START):
        for field in ("when", "condition", "trigger"):
            if getattr(edge, field) is not None:
                yield subject.edge_problem("InvalidValue", edge, field, message).mended(say)
        if edge.on != "completed":
            yield subject.edge_problem("InvalidValue", edge, "on", message).mended(say)


def _synthesizer(subject: Subject, node: NodeSubject) -> Iterator[Problem]:
    target = getattr(node.config, "synthesizer_node_id", None)
    if target is None:
        return
    edges = [
        edge
        for edge in subject.spec.edges_from(node.id, "completed")
        if edge.target not in node.run_children
    ]
    if any(not edge.conditional for edge in edges) and target not in {e.target for e in edges}:
        message = (
            f'The node\'s edges lead elsewhere, so "{target}" does not run next:'
            " draw a wire to it, or delete the others."
        )
        problem = node.problem("SynthesizerNotReached", "config.synthesizer_node_id", message)
        yield problem.mended(
            f"The wires of {node.label} lead elsewhere, so {subject.label(target)} does not run"
            " next: draw a wire to it, or delete the others."
        )


def _closed_loops(subject: Subject, moves: Successors) -> Iterator[Problem]:
    for group in cycles(moves):
        to_end = any(e.target == END for name in group for e in subject.spec.edges_from(name))
        if not to_end and not leaves(moves, group):
            nodes = sorted((subject.by_id[name] for name in group), key=lambda node: node.index)
            names = ", ".join(node.id for node in nodes)
            message = f"No wire leaves the loop of {names}: it runs until max_iterations."
            yield nodes[0].problem("CycleWithoutExit", "", message).mended(_endless(nodes))


def _endless(nodes: Sequence[NodeSubject]) -> str:
    *others, last = [node.label for node in nodes]
    between = f"{', '.join(others)} and {last}" if others else last
    return f"No wire leaves the loop of {between}: a run goes round until its limit ends it."
