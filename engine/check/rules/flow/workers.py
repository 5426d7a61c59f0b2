"""Wires at the worker of a map, which belongs to the map's own work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.check.subject import NodeSubject, Subject
from engine.core.graph.cures import Cure, Edit
from engine.core.graph.problems import Problem

CODE: Final = "WorkerWired"


def find(subject: Subject) -> Iterator[Problem]:
    """Yield the problems of each map's worker, once where several maps have the same."""
    mapped: dict[str, NodeSubject] = {}
    for node in subject.nodes:
        mapped.setdefault(str(getattr(node.config, "worker_node_id", None)), node)
    for name, node in mapped.items():
        worker = subject.by_id.get(name)
        if worker is not None and worker.id != node.id:
            yield from _wired(subject, node, worker)


def _wired(subject: Subject, node: NodeSubject, worker: NodeSubject) -> Iterator[Problem]:
    """Yield wires by which a map's worker runs without an item, else those that it never follows."""
    led = [
        edge
        for edge in subject.spec.edges_to(worker.id)
        if edge.source != worker.id and not _runs(subject, edge.source, worker.id)
    ]
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


def _runs(subject: Subject, name: str, worker: str) -> bool:
    """Return whether a node runs the worker itself: its wire there is drawn in vain."""
    source = subject.by_id.get(name)
    return source is not None and worker in source.run_children
