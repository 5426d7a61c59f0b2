"""Wires at the worker of a map, which belongs to the map's own work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.check.subject import NodeSubject, Subject
from engine.core.graph.cures import Cure, Edit
from engine.core.graph.problems import Problem

CODE: Final = "WorkerWired"


def find(subject: Subject, node: NodeSubject) -> Iterator[Problem]:
    """Yield wires by which a map's worker runs without an item, else those that it never follows."""
    worker = subject.by_id.get(str(getattr(node.config, "worker_node_id", None)))
    if worker is None or worker.id == node.id:
        return
    among = {each.id for each in subject.nodes if worker.id in each.run_children} | {worker.id}
    led = [e for e in subject.spec.edges if e.target == worker.id and e.source not in among]
    once_more = (
        f"{node.label} runs {worker.label} once for each item; by this wire it runs once more,"
        " as a step of its own and without an item: delete the wire."
    )
    for edge in led:
        delete = Cure("Delete the wire", (Edit("edge", edge.id or "", ()),))
        yield subject.edge_problem(CODE, edge, "target", once_more).mended(once_more, delete)
    if led:
        return
    not_taken = (
        f"{node.label} runs {worker.label} once for each item, and this wire is not taken then:"
        f" let it begin at {node.label}, which goes on when all items are done."
    )
    for edge in subject.spec.edges_from(worker.id):
        begin = Cure(f"Begin at {node.label}", (Edit("edge", edge.id or "", ("source",), node.id),))
        yield subject.edge_problem(CODE, edge, "source", not_taken).mended(not_taken, begin)
