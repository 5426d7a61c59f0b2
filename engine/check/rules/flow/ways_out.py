"""The wires that leave one node: those that are never taken, and a choice without an Otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.check.paths.covers import covers_all
from engine.check.paths.proof import Proof
from engine.check.paths.together import overlapping
from engine.check.subject import NodeSubject, Subject
from engine.core.graph.cures import Cure, Edit, wire
from engine.core.graph.document import EdgeSpec
from engine.core.graph.fields import END
from engine.core.graph.problems import Problem
from engine.core.node_types.form import hint
from engine.core.node_types.node_type import ANY_BRANCH

_ALWAYS_POSSIBLE: Final = frozenset({"completed", "failed"})
_LOOKED_AT: Final = 20
"""Wires of a set that are named at most."""


def find(subject: Subject, node: NodeSubject, proof: Proof) -> Iterator[Problem]:
    """Yield problems of the wires that leave a node."""
    edges = [e for e in subject.spec.edges_from(node.id) if e.target not in node.run_children]
    for on in dict.fromkeys(edge.on for edge in edges) if node.spec.branching == "first" else ():
        members = [edge for edge in edges if edge.on == on and edge.trigger is None]
        members.sort(key=lambda edge: (edge.priority, edge.index))
        if any(node.with_widget("expression")):  # its result may name any target
            members = [edge for edge in members if edge.conditional]
        yield from _never_taken(subject, node, members)
    yield from _impossible(subject, node, edges)
    yield from _no_else(proof, node, edges)


def _never_taken(subject: Subject, node: NodeSubject, edges: list[EdgeSpec]) -> Iterator[Problem]:
    """Yield edges of one group, in the order they are tried, that an earlier one always beats."""
    if not any(edge.conditional for edge in edges):
        return
    taken: dict[tuple[str | None, str | None], EdgeSpec] = {}
    companions: dict[int, list[list[EdgeSpec]]] | None = None
    for edge in edges:
        if edge.condition == "":
            continue  # it has to be said yet what it asks for
        first = taken.setdefault((edge.when, edge.condition), edge)
        if first is edge:
            continue
        what = "is the else already" if not edge.conditional else "asks for the same and is tried"
        message = f"Never taken: edges[{first.index}] to {first.target} {what} first. Delete one."
        field = "when" if edge.when is not None else "condition" if edge.condition else "target"
        problem = subject.edge_problem("EdgeNeverTaken", edge, field, message).on(str(first.index))
        take_all = Cure("Take all that fit", (Edit("node", node.id, ("branching",), "all"),))
        if companions is None:
            companions = _companions(edges)
        say = _only_one(subject, first, edge, companions.get(edge.index, ()))
        yield problem.mended(say, take_all)


def _companions(edges: list[EdgeSpec]) -> dict[int, list[list[EdgeSpec]]]:
    """Return for each wire the sets of those that would be taken with it, were all taken that fit."""
    found: dict[int, list[list[EdgeSpec]]] = {}
    for together in overlapping(edges):
        for edge in together:
            found.setdefault(edge.index, []).append(together)
    return found


def _only_one(
    subject: Subject, first: EdgeSpec, second: EdgeSpec, together: Sequence[list[EdgeSpec]]
) -> str:
    """Return what people are told of two wires alike, and what else would start with them."""
    alike = (first.target, second.target)
    beside = dict.fromkeys(
        edge.target
        for found in together[:_LOOKED_AT]
        for edge in found[:_LOOKED_AT]
        if edge.target not in alike
    )
    told = f"Only one of {_end(subject, alike[0])} and {_end(subject, alike[1])} is taken."
    if not beside:
        return told
    names = [_end(subject, target) for target in beside]
    return f"{told} If all that fit are taken, {_listed(names)} may start with them."


def _listed(names: list[str], most: int = 3) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def _end(subject: Subject, target: str) -> str:
    node = subject.by_id.get(target)
    return "End" if node is None else node.label


def _impossible(subject: Subject, node: NodeSubject, edges: list[EdgeSpec]) -> Iterator[Problem]:
    if node.type is None:
        return
    possible = _ALWAYS_POSSIBLE | {handle.on for handle in node.type.handles}
    for edge in edges:
        if edge.on not in possible:
            message = f'Never taken: a node of type "{node.spec.type}" is never {edge.on}.'
            yield subject.edge_problem("EdgeNeverTaken", edge, "on", message)
        elif edge.trigger == "agent" and not node.type.prompts:
            message = f'Never taken: a node of type "{node.spec.type}" has no agent that chooses.'
            yield subject.edge_problem("EdgeNeverTaken", edge, "trigger", message)
        elif edge.when is not None and _is_mute(node):
            message = (
                f'Never taken: without an expression the node never says "{edge.when}":'
                " put a condition on the edge."
            )
            say = f'{node.label} never says "{edge.when}": choose If and say when the wire {subject.between(edge)} is taken.'
            yield subject.edge_problem("EdgeNeverTaken", edge, "when", message).mended(say)


def _is_mute(node: NodeSubject) -> bool:
    """Return whether a node that says what its author names is given nothing to say."""
    if node.type is None or node.config is None:
        return False
    says = [
        name
        for name, f in node.type.Config.model_fields.items()
        if hint(f, "widget") == "expression"
    ]
    free = any(handle.when == ANY_BRANCH for handle in node.type.handles)
    return free and bool(says) and not any(node.with_widget("expression"))


def _no_else(proof: Proof, node: NodeSubject, edges: list[EdgeSpec]) -> Iterator[Problem]:
    subject = proof.subject
    group = [edge for edge in edges if edge.on == "completed"]
    conditional = [edge for edge in group if edge.conditional]
    if not conditional or len(conditional) < len(group):
        return
    if getattr(node.config, "synthesizer_node_id", None) is not None:
        return  # it runs where no condition is met
    if subject.spec.defaults.on_no_match == "fail" and not covers_all(proof, node, conditional):
        message = (
            "Every edge has a condition. If none is met, the run fails with NoMatchingEdge:"
            " draw a wire without condition, or set defaults.on_no_match to end."
        )
        yield node.problem("NoElseEdge", "", message).mended(
            f"Where nothing fits after {node.label}, the run fails.",
            *_otherwise(subject, node, conditional),
        )


def _otherwise(subject: Subject, node: NodeSubject, conditional: list[EdgeSpec]) -> Iterator[Cure]:
    """Yield the wires that could be taken where no condition holds: to the end, and to the last of them."""
    yield Cure("Otherwise end here", (wire(node.id, END),))
    last = subject.by_id.get(conditional[-1].target)
    if last is not None:
        yield Cure(f"Otherwise to {last.label}", (wire(node.id, last.id),))
