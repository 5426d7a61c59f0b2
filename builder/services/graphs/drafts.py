"""The draft of a graph: rows that several people edit, each change checked against the others'.

Every part (node, edge, header key) carries the revision at which it last changed. A save names
the revision it saw; it is refused only if a part that it touches has changed since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from django.db import transaction
from django.db.models import F, Max

from builder.base.bells import graph_topic, hub
from builder.base.errors import Conflict, InvalidInput, NotFound
from builder.base.turns import turns
from builder.models import DeletedPart, Edge, Graph, Membership, Node
from builder.services.graphs.proofs import Proof, prove
from builder.services.people.commenting.following import follow, renamed
from builder.services.permissions import Right, require
from engine.core.graph.document import FORMAT, GraphSpec
from engine.core.values.json import JsonObject
from engine.core.values.limits import MAX_GRAPH_EDGES, MAX_GRAPH_NODES

COLUMNS: Final = frozenset({"graphwright", "id", "name", "description"})
PARTS: Final = frozenset({"nodes", "edges"})
HEADER_KEYS: Final = tuple(name for name in GraphSpec.model_fields if name not in COLUMNS | PARTS)
"""Keys of a document that live in `Graph.header`: all but the graph's columns and its rows."""


class Change(Protocol):
    """One save: what to set and delete, and the `revision` that its author had seen."""

    @property
    def revision(self) -> int: ...
    @property
    def set_nodes(self) -> Sequence[JsonObject]: ...
    @property
    def delete_nodes(self) -> Sequence[str]: ...
    @property
    def set_edges(self) -> Sequence[JsonObject]: ...
    @property
    def delete_edges(self) -> Sequence[str]: ...
    @property
    def set_graph(self) -> Mapping[str, Any]: ...
    @property
    def nodes_before(self) -> Mapping[str, str]: ...
    @property
    def edges_before(self) -> Mapping[str, str]: ...


@dataclass(frozen=True, slots=True)
class DraftChange:
    """A `Change` that is made here; the API's body of a save is another."""

    revision: int
    set_nodes: tuple[JsonObject, ...] = ()
    delete_nodes: tuple[str, ...] = ()
    set_edges: tuple[JsonObject, ...] = ()
    delete_edges: tuple[str, ...] = ()
    set_graph: Mapping[str, Any] = field(default_factory=dict)
    nodes_before: Mapping[str, str] = field(default_factory=dict)
    """In front of which node a new one stands; the others are added at the end."""
    edges_before: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Saved:
    """The draft's revision after a save, what others changed since, and what is proven of it."""

    revision: int
    others: dict[str, Any]
    proof: Proof


def document_of(graph: Graph) -> JsonObject:
    """Return the draft in the form of a document."""
    return {
        "graphwright": FORMAT,
        "id": graph.slug,
        "name": graph.name,
        **({"description": graph.description} if graph.description else {}),
        **{key: graph.header[key] for key in HEADER_KEYS if key in graph.header},
        "nodes": list(graph.nodes.values_list("data", flat=True)),
        "edges": list(graph.edges.values_list("data", flat=True)),
    }


def save_draft(member: Membership, graph_id: str, change: Change, *, client: str = "") -> Saved:
    """Write one save of a draft, tell the other editors, and prove what the draft is now.

    Raises `Conflict` `StaleRevision`, with nothing written, when somebody changed a touched part
    since, and `TooMany` `Busy` with the save written where the person's turn to prove does not
    come.
    """
    asks = is_empty(change)
    require(member, Right.VIEW if asks else Right.EDIT)
    _refuse_repeats(change)
    with transaction.atomic():
        rows = Graph.objects.active().select_for_update()
        graph = rows.filter(pk=graph_id, workspace=member.workspace_id).first()
        if graph is None:
            raise NotFound("no such graph", code="GraphNotFound")
        if change.revision > graph.revision:
            raise InvalidInput("this revision does not exist yet", path="revision")
        others = _merged(graph, change) if change.revision < graph.revision else _of_nobody()
        if not asks:
            write_change(graph, change, editor=member.user_id)
    document = document_of(graph)
    if not asks:
        frame = {"op": "draft", "graph": graph.pk, "revision": graph.revision, "client": client}
        hub.send(graph_topic(graph.pk), frame)
    with turns.taken(member.user_id):
        proof = prove(graph, document, wait=False)
    return Saved(graph.revision, others, proof)


def is_empty(change: Change) -> bool:
    """Return whether a save only asks what others did."""
    given = (change.set_nodes, change.delete_nodes, change.set_edges, change.delete_edges)
    return not any(given) and not change.set_graph


def write_change(graph: Graph, change: Change, *, editor: str) -> None:
    """Write the parts and count the revision; the caller holds the graph's lock."""
    graph.revision += 1
    for key, value in change.set_graph.items():
        graph.header_revisions[key] = graph.revision
        if value is None:
            graph.header.pop(key, None)
        else:
            graph.header[key] = value
    names = renamed(graph, change.set_nodes, change.delete_nodes)
    for model, kind, given, before, gone, most in (
        (Node, "node", change.set_nodes, change.nodes_before, change.delete_nodes, MAX_GRAPH_NODES),
        (Edge, "edge", change.set_edges, change.edges_before, change.delete_edges, MAX_GRAPH_EDGES),
    ):
        added = _write_parts(graph, model, kind, given, before)
        _delete_parts(graph, model, kind, list(gone))
        if added and _rows(graph, kind).count() > most:
            raise InvalidInput(
                f"a graph has at most {MAX_GRAPH_NODES} nodes and {MAX_GRAPH_EDGES} edges"
            )
    follow(graph, names)
    if editor not in graph.editors:
        graph.editors = [*graph.editors, editor]
    graph.save(update_fields=["revision", "header", "header_revisions", "editors", "updated_at"])


def difference(graph: Graph, document: Mapping[str, Any]) -> DraftChange:
    """Return the change that turns the draft into `document`; edges without id are given one."""
    nodes = {str(node["id"]): node for node in document.get("nodes", ())}
    edges = {str(edge["id"]): edge for edge in with_edge_ids(document.get("edges", ()))}
    had_nodes = dict(graph.nodes.values_list("node_id", "data"))
    had_edges = dict(graph.edges.values_list("edge_id", "data"))
    return DraftChange(
        revision=graph.revision,
        set_nodes=tuple(node for key, node in nodes.items() if had_nodes.get(key) != node),
        delete_nodes=tuple(key for key in had_nodes if key not in nodes),
        set_edges=tuple(edge for key, edge in edges.items() if had_edges.get(key) != edge),
        delete_edges=tuple(key for key in had_edges if key not in edges),
        set_graph={
            key: document.get(key)
            for key in HEADER_KEYS
            if document.get(key) != graph.header.get(key)
        },
    )


def with_edge_ids(edges: Iterable[Mapping[str, Any]]) -> list[JsonObject]:
    """Return the edges, each with an id that no other of them has."""
    listed = list(edges)
    taken = {str(edge["id"]) for edge in listed if edge.get("id")}
    free = (name for name in (f"e{n}" for n in range(1, len(listed) * 2 + 2)) if name not in taken)
    return [{**edge, "id": edge.get("id") or next(free)} for edge in listed]


def _refuse_repeats(change: Change) -> None:
    for kind, given, gone in (
        ("nodes", change.set_nodes, change.delete_nodes),
        ("edges", change.set_edges, change.delete_edges),
    ):
        ids = [*(str(part["id"]) for part in given), *gone]
        if len(ids) != len(set(ids)):
            raise InvalidInput(f"a save names each of the {kind} once", path=f"set_{kind}")


def _write_parts(
    graph: Graph,
    model: type[Node] | type[Edge],
    kind: str,
    given: Sequence[JsonObject],
    before: Mapping[str, str],
) -> bool:
    """Set these parts; return whether some were not there before."""
    if not given:
        return False
    name = f"{kind}_id"
    data = {str(part["id"]): part for part in given}
    rows: dict[str, Any] = {
        getattr(row, name): row
        for row in model._default_manager.filter(graph=graph, **{f"{name}__in": list(data)})
    }
    for part_id, row in rows.items():
        row.data, row.revision = data[part_id], graph.revision
    model._default_manager.bulk_update(rows.values(), ["data", "revision"])
    added = {part_id: part for part_id, part in data.items() if part_id not in rows}
    return _add_parts(graph, model, kind, added, before)


def _add_parts(
    graph: Graph,
    model: type[Node] | type[Edge],
    kind: str,
    added: Mapping[str, JsonObject],
    before: Mapping[str, str],
) -> bool:
    if not added:
        return False
    places = _places(graph, model, kind, {part: before.get(part) for part in added})
    rows: list[Any] = [
        model(
            graph=graph,
            data=part,
            revision=graph.revision,
            position=places[part_id],
            **{f"{kind}_id": part_id},
        )
        for part_id, part in added.items()
    ]
    model._default_manager.bulk_create(rows)
    DeletedPart.objects.filter(graph=graph, kind=kind, part_id__in=list(added)).delete()
    return True


def _places(
    graph: Graph, model: type[Node] | type[Edge], kind: str, before: Mapping[str, str | None]
) -> dict[str, int]:
    """Make room for new parts, and return where each stands: in front of another, or at the end."""
    name = f"{kind}_id"
    rows = model._default_manager.filter(graph=graph)
    named = rows.filter(**{f"{name}__in": {part for part in before.values() if part}})
    places: dict[str, int] = {}
    for anchor, position in named.order_by("position").values_list(name, "position"):
        first = position + len(places)
        fits = [part for part, behind in before.items() if behind == anchor]
        rows.filter(position__gte=first).update(position=F("position") + len(fits))
        places |= {part: place for place, part in enumerate(fits, first)}
    last = rows.aggregate(last=Max("position"))["last"]
    rest = [part for part in before if part not in places]
    return places | {
        part: place for place, part in enumerate(rest, 0 if last is None else last + 1)
    }


def _delete_parts(graph: Graph, model: type[Node] | type[Edge], kind: str, gone: list[str]) -> None:
    if not gone:
        return
    name = f"{kind}_id__in"
    rows = model._default_manager.filter(graph=graph, **{name: gone})
    known = set(rows.values_list(f"{kind}_id", flat=True))
    rows.delete()
    DeletedPart.objects.bulk_create(
        DeletedPart(graph=graph, kind=kind, part_id=part_id, revision=graph.revision)
        for part_id in sorted(known)
    )


def _merged(graph: Graph, change: Change) -> dict[str, Any]:
    """Return what others did beside this change. Raises `Conflict` where both did the same part."""
    others = _others(graph, change)
    if conflicts := _conflicts(graph, change):
        raise Conflict(
            "what you changed was changed by someone else since",
            code="StaleRevision",
            extra={"revision": graph.revision, "conflicts": conflicts, "others": others},
        )
    return others


def _of_nobody() -> dict[str, Any]:
    return {"nodes": [], "edges": [], "deleted_nodes": [], "deleted_edges": [], "graph": {}}


def _conflicts(graph: Graph, change: Change) -> list[dict[str, Any]]:
    found = [
        *_part_conflicts(graph, "node", change.set_nodes, change.delete_nodes, change.revision),
        *_part_conflicts(graph, "edge", change.set_edges, change.delete_edges, change.revision),
    ]
    for key, value in change.set_graph.items():
        newer = graph.header_revisions.get(key, 0) > change.revision
        if newer and graph.header.get(key) != value:
            found.append({"kind": "graph", "id": key, "theirs": graph.header.get(key)})
    return found


def _part_conflicts(
    graph: Graph, kind: str, given: Iterable[JsonObject], gone: Iterable[str], seen: int
) -> list[dict[str, Any]]:
    mine = {str(part["id"]): part for part in given}
    touched = [*mine, *gone]
    changed = [
        {"kind": kind, "id": part_id, "theirs": data}
        for part_id, data in _changed(graph, kind, seen)
        .filter(**{f"{kind}_id__in": touched})
        .values_list(f"{kind}_id", "data")
        if mine.get(part_id) != data
    ]
    deleted = graph.deleted_parts.filter(kind=kind, revision__gt=seen, part_id__in=list(mine))
    return changed + [
        {"kind": kind, "id": part_id, "theirs": None}
        for part_id in deleted.values_list("part_id", flat=True)
    ]


def _others(graph: Graph, change: Change) -> dict[str, Any]:
    seen = change.revision
    my_nodes = [str(node["id"]) for node in change.set_nodes] + list(change.delete_nodes)
    my_edges = [str(edge["id"]) for edge in change.set_edges] + list(change.delete_edges)
    nodes = _changed(graph, "node", seen).exclude(node_id__in=my_nodes)
    edges = _changed(graph, "edge", seen).exclude(edge_id__in=my_edges)
    gone = graph.deleted_parts.filter(revision__gt=seen)
    gone_nodes = gone.filter(kind="node").exclude(part_id__in=my_nodes)
    gone_edges = gone.filter(kind="edge").exclude(part_id__in=my_edges)
    return {
        "nodes": list(nodes.values_list("data", flat=True)),
        "edges": list(edges.values_list("data", flat=True)),
        "deleted_nodes": list(gone_nodes.values_list("part_id", flat=True)),
        "deleted_edges": list(gone_edges.values_list("part_id", flat=True)),
        "graph": {
            key: graph.header.get(key)
            for key, revision in graph.header_revisions.items()
            if revision > seen and key not in change.set_graph
        },
    }


def _changed(graph: Graph, kind: str, seen: int) -> Any:
    return _rows(graph, kind).filter(revision__gt=seen)


def _rows(graph: Graph, kind: str) -> Any:
    return graph.nodes if kind == "node" else graph.edges
