"""Wires and nodes that are drawn, moved and taken away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from engine.check.cures.places import edge_at, edge_of, node_of
from engine.check.paths import ways
from engine.check.paths.cycles import cycles
from engine.check.paths.reach import reach
from engine.check.paths.together import starts_together
from engine.check.subject import NodeSubject, Subject
from engine.core.graph.cures import Cure, Edit, wire
from engine.core.graph.document import EdgeSpec
from engine.core.graph.fields import END
from engine.core.graph.problems import Problem

_DONE: Final = "memory.done == true"
"""When a loop is left, until its author says it better."""


def reach_or_delete(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield a wire from where a run stops, and the removal of the node."""
    node = node_of(subject, problem)
    if node is None:
        return
    reached = reach(ways.successors(subject), ways.entries(subject))
    after = reach(ways.successors(subject), [node.id])  # a wire from there would make a loop
    stops = (n for n in subject.nodes if not subject.spec.edges_from(n.id))
    ends = [n for n in stops if n.id in reached and n.id not in after]
    if ends:
        yield Cure(f"Wire from {ends[-1].label}", (wire(ends[-1].id, node.id),))
    yield Cure(f"Delete {node.label}", (Edit("node", node.id, ()),))


def behind_one(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield one node behind which both go on, or the removal of a wire that is never taken."""
    second = edge_of(subject, problem)
    if second is None:
        return
    first = edge_at(subject, problem.about[0]) if problem.about else None
    gone = Edit("edge", second.id or "", ())
    if first is None or not first.id or first.target == second.target:
        yield Cure("Delete the wire", (gone,))
        return
    target = subject.by_id.get(first.target)
    if target is None or second.target == END or subject.world.node_type("router") is None:
        return
    both = _new(subject, "router", "Both", target)
    moved = Edit("edge", first.id, ("target",), both.id)
    edits = (both, moved, gone, wire(both.id, first.target), wire(both.id, second.target))
    yield Cure("Put both behind one node", edits)


def way_out(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield a wire out of a loop, taken once a field says that it is done."""
    node = node_of(subject, problem)
    if node is None:
        return
    out = _plain_out(subject, node) if problem.code == "LoopForks" else None
    if out is not None and out.id:
        yield Cure("Add a way out", (Edit("edge", out.id, ("condition",), _DONE),))
    elif problem.code == "CycleWithoutExit":
        last = _leaves_best(subject, node)
        edge = {"source": last.id, "target": END, "condition": _DONE}
        yield Cure("Add a way out", (Edit("edge", "", (), edge),))


def _plain_out(subject: Subject, node: NodeSubject) -> EdgeSpec | None:
    """Return the wire that leaves a loop beside one that goes round, where neither asks anything."""
    inside = _loop_of(subject, node)
    for together in starts_together(subject, node):
        out = next((edge for edge in together if edge.target not in inside), None)
        if out is not None and not out.conditional:
            return out
    return None


def _leaves_best(subject: Subject, node: NodeSubject) -> NodeSubject:
    """Return the last node of a loop that can say it is done, else the last one."""
    loop = sorted(_loop_of(subject, node), key=lambda name: subject.by_id[name].index)
    nodes = [subject.by_id[name] for name in loop] or [node]
    able = [n for n in nodes if n.type is not None and n.type.writes_data]
    return (able or nodes)[-1]


def _loop_of(subject: Subject, node: NodeSubject) -> set[str]:
    return next((set(g) for g in cycles(ways.moves(subject)) if node.id in g), set())


def to_synthesizer(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the wire to the node that puts the results together."""
    node = node_of(subject, problem)
    target = subject.by_id.get(getattr(node and node.config, "synthesizer_node_id", None) or "")
    if node is not None and target is not None:
        yield Cure(f"Wire to {target.label}", (wire(node.id, target.id),))


def router_after(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield a router that goes where the agent's answer says."""
    node = node_of(subject, problem)
    if node is None or subject.world.node_type("router") is None:
        return
    chosen = [e for e in subject.spec.edges_from(node.id) if e.trigger == "agent"]
    if not all(edge.id for edge in chosen):
        return
    router = _new(subject, "router", "Choose", node, after=True, config={"expression": "previous"})
    moved = [
        edit
        for edge in chosen
        for edit in (
            Edit("edge", edge.id or "", ("source",), router.id),
            Edit("edge", edge.id or "", ("trigger",), None),
            Edit("edge", edge.id or "", ("when",), edge.target),
        )
    ]
    yield Cure("Put a router after it", (router, *moved, wire(node.id, router.id)))


def approval_before(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield an approval on every wire to a dangerous step."""
    node = node_of(subject, problem)
    if node is None or subject.world.node_type("approval") is None:
        return
    into = subject.spec.edges_to(node.id)
    if not into or not all(edge.id for edge in into):
        return
    approval = _new(subject, "approval", f"Approve {node.label}", node)
    moved = [Edit("edge", edge.id or "", ("target",), approval.id) for edge in into]
    yield Cure("Put an approval before it", (approval, *moved, wire(approval.id, node.id)))


def _new(
    subject: Subject,
    type_: str,
    label: str,
    near: NodeSubject,
    *,
    after: bool = False,
    config: dict[str, Any] | None = None,
) -> Edit:
    """Return the edit that adds a node beside another one, with the defaults of its type."""
    known = subject.world.node_type(type_)
    assert known is not None
    node: dict[str, Any] = {
        "id": _free(subject, type_),
        "type": type_,
        "label": label,
        "read_keys": list(known.defaults.read_keys),
        "config": {**known.defaults.config, **(config or {})},
    }
    place = near.spec.position
    if place is not None:
        node["position"] = {"x": place.x + (300 if after else 0), "y": place.y}
    return Edit("node", node["id"], (), node)


def _free(subject: Subject, name: str) -> str:
    taken = {*subject.by_id, *subject.spec.agents_by_id}
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found
