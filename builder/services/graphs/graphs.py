"""Graphs: create, edit together, check, publish, restore, freeze for a run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from builder.base.bells import graph_topic, hub
from builder.base.errors import Conflict, NotAllowed, NotFound
from builder.models import Graph, GraphVersion, Membership, VersionReference
from builder.services.audit import chain as audit
from builder.services.graphs.drafts import (
    HEADER_KEYS,
    DraftChange,
    difference,
    document_of,
    is_empty,
    with_edge_ids,
    write_change,
)
from builder.services.graphs.folders import path_of
from builder.services.graphs.proofs import Document, prove
from builder.services.graphs.publishing.gate import require_no_gate
from builder.services.permissions import Right, may, require
from engine.core.errors import GraphHasErrors
from engine.core.graph.document import GraphSpec, parse_document
from engine.core.values.json import JsonObject, thaw
from engine.core.values.limits import parse_yaml


@dataclass(frozen=True, slots=True)
class Frozen:
    """A draft as a version that never changes; `spec` is its form where it was just parsed."""

    version: GraphVersion
    spec: GraphSpec | None = None


def create_graph(
    member: Membership, *, name: str, description: str = "", tags: Iterable[str] = ()
) -> Graph:
    """Create an empty graph."""
    require(member, Right.EDIT)
    document = {"id": slug_of(name), "name": name, "description": description}
    return _create(member, document, tags=list(tags))


def import_graph(member: Membership, document: Document) -> Graph:
    """Create a graph from a document. Raises `GraphHasErrors` if its form is wrong.

    A taken id gets a number; nothing in the document is executed or fetched.
    """
    require(member, Right.EDIT)
    spec, problems = parse_document(document)
    if spec is None:
        raise GraphHasErrors(problems)
    return _create(member, raw_document(spec, document))


def duplicate_graph(member: Membership, graph: Graph) -> Graph:
    """Create a copy of the draft under a new id."""
    require(member, Right.EDIT)
    document = {**document_of(graph), "name": f"{graph.name} (copy)"}
    return _create(member, document, tags=list(graph.tags), folder=graph.folder)


def rename_graph(
    member: Membership,
    graph: Graph,
    *,
    name: str | None = None,
    description: str | None = None,
    tags: list[str] | None = None,
    folder: str | None = None,
    require_approval: bool | None = None,
) -> Graph:
    """Change what lists show of a graph, and its gate. Only admins take the gate away."""
    require(member, Right.EDIT)
    with transaction.atomic():
        locked = Graph.objects.select_for_update().get(pk=graph.pk)
        if name is not None or description is not None:
            locked.revision += 1
        locked.name = locked.name if name is None else name
        locked.description = locked.description if description is None else description
        locked.tags = locked.tags if tags is None else tags
        locked.folder = locked.folder if folder is None else path_of(folder)
        locked.save(
            update_fields=["name", "description", "tags", "folder", "revision", "updated_at"]
        )
        if require_approval is not None and require_approval != locked.require_approval:
            _set_gate(member, locked, required=require_approval)
    return locked


def promote(member: Membership, graph: Graph, version: GraphVersion) -> GraphVersion:
    """Make an older version live again: as a new version with the same content and editors.

    Raises `Conflict` `AlreadyLive` for the live one, `GraphHasErrors` if what the workspace has
    now does not carry it any more.
    """
    require(member, Right.EDIT)
    spec = prove(graph, version.document).runnable()
    with transaction.atomic():
        require_no_gate(Graph.objects.select_for_update().get(pk=graph.pk))
        if version.number == _last_number(graph):
            raise Conflict("this version is live already", code="AlreadyLive")
        promoted = make_live(member, graph, version, spec)
        detail = {"number": promoted.number, "of": version.number, "hash": promoted.hash}
        audit.record(graph.workspace_id, member.user_id, "graph.promoted", graph.pk, **detail)
    return promoted


def make_live(
    member: Membership, graph: Graph, version: GraphVersion, spec: GraphSpec, *, note: str = ""
) -> GraphVersion:
    """Publish a version's content anew, with its editors; the graph's row is locked by the caller."""
    again = "" if version.number is None else f"Version {version.number} again"
    live = GraphVersion.objects.create(
        graph=graph,
        number=_last_number(graph) + 1,
        revision=version.revision,
        document=version.document,
        hash=version.hash,
        note=note or again,
        editors=version.editors,
        published_at=timezone.now(),
        published_by=member.user,
    )
    _refer(live, spec)
    return live


def _last_number(graph: Graph) -> int:
    return int(graph.versions.aggregate(last=Max("number"))["last"] or 0)


def _set_gate(member: Membership, graph: Graph, *, required: bool) -> None:
    require(member, Right.EDIT if required else Right.ADMIN)
    graph.require_approval = required
    graph.save(update_fields=["require_approval", "updated_at"])
    audit.record(graph.workspace_id, member.user_id, "graph.gate", graph.pk, required=required)


def delete_graph(member: Membership, graph: Graph) -> None:
    """Put a graph away; its runs and versions stay readable.

    One whose publishing needs approval only admins put away: another of its name would have no gate.
    """
    require(member, Right.EDIT)
    with transaction.atomic():
        locked = Graph.objects.select_for_update().get(pk=graph.pk)
        if locked.publish_gate is not None and not may(member, Right.ADMIN):
            raise NotAllowed(
                "publishing it needs approval: an admin deletes it", code="PublicationNeedsApproval"
            )
        Graph.objects.filter(pk=graph.pk, archived_at__isnull=True).update(
            archived_at=timezone.now()
        )
        audit.record(graph.workspace_id, member.user_id, "graph.deleted", graph.pk)


def publish(member: Membership, graph: Graph, *, revision: int, note: str = "") -> GraphVersion:
    """Make the draft at `revision` the live version.

    Raises `Conflict` `StaleRevision` if the draft moved on and `PublicationNeedsApproval` where
    another person has to approve first, `GraphHasErrors` if it has errors.
    """
    require(member, Right.EDIT)
    document, spec = _checked_draft(graph, revision, for_publication=True)
    with transaction.atomic():
        require_no_gate(_lock_at(graph, revision))
        last = _last_number(graph)
        version = GraphVersion.objects.create(
            graph=graph,
            number=last + 1,
            revision=revision,
            document=document,
            hash=spec.hash,
            note=note,
            editors=graph.editors,
            published_at=timezone.now(),
            published_by=member.user,
        )
        _refer(version, spec)
        audit.record(
            graph.workspace_id,
            member.user_id,
            "graph.published",
            graph.pk,
            number=version.number,
            hash=version.hash,
        )
    return version


def freeze_draft(member: Membership, graph: Graph) -> Frozen:
    """Return the version that holds the draft as it is now, for runs of the draft."""
    require(member, Right.RUN)
    revision = Graph.objects.values_list("revision", flat=True).get(pk=graph.pk)
    frozen = graph.versions.filter(is_draft=True, revision=revision).first()
    if frozen is not None:
        return Frozen(frozen)
    document, spec = _checked_draft(graph, revision)
    try:
        with transaction.atomic():
            version = GraphVersion.objects.create(
                graph=graph,
                is_draft=True,
                revision=revision,
                document=document,
                hash=spec.hash,
                editors=graph.editors,
            )
            _refer(version, spec)
    except IntegrityError:
        return Frozen(graph.versions.get(is_draft=True, revision=revision))
    return Frozen(version, spec)


def restore(member: Membership, graph: Graph, version: GraphVersion) -> Graph:
    """Put a version into the draft, as one save that other editors see part by part."""
    require(member, Right.EDIT)
    with transaction.atomic():
        locked = Graph.objects.select_for_update().get(pk=graph.pk)
        change = difference(locked, version.document)
        if not is_empty(change):
            write_change(locked, change, editor=member.user_id)
        audit.record(
            graph.workspace_id, member.user_id, "graph.restored", graph.pk, number=version.number
        )
    frame = {"op": "draft", "graph": graph.pk, "revision": locked.revision, "client": ""}
    hub.send(graph_topic(graph.pk), frame)
    return locked


def slug_of(name: str) -> str:
    """Return an id for a document with this name: a letter first, then letters, digits, `-`."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:100]
    return slug if slug and slug[0].isalpha() else f"graph-{slug}".rstrip("-")


def raw_document(spec: GraphSpec, document: Document) -> JsonObject:
    """Return a parsed document as plain JSON, field by field as it was written."""
    raw: JsonObject = thaw(parse_yaml(document) if isinstance(document, str) else document)
    return {**raw, "id": spec.id}


def _create(
    member: Membership,
    document: Mapping[str, Any],
    *,
    tags: list[str] | None = None,
    folder: str = "",
) -> Graph:
    workspace_id = member.workspace_id
    nodes = tuple(document.get("nodes") or ())
    edges = tuple(with_edge_ids(document.get("edges") or ()))
    for _ in range(5):
        graph = Graph(
            workspace_id=workspace_id,
            slug=_free_slug(workspace_id, str(document["id"])),
            name=str(document.get("name") or document["id"]),
            description=str(document.get("description") or ""),
            tags=tags or [],
            folder=folder,
            revision=0,
            created_by=member.user,
        )
        header = {key: document[key] for key in HEADER_KEYS if document.get(key) is not None}
        try:
            with transaction.atomic():
                graph.save(force_insert=True)
                write_change(
                    graph,
                    DraftChange(0, nodes, (), edges, (), header),
                    editor=member.user_id,
                )
                audit.record(workspace_id, member.user_id, "graph.created", graph.pk)
        except IntegrityError:
            continue
        return graph
    raise Conflict("this id was taken at the same moment: try again", code="SlugTaken")


def _free_slug(workspace_id: str, wanted: str) -> str:
    taken = set(
        Graph.objects.active()
        .filter(workspace=workspace_id, slug__startswith=wanted)
        .values_list("slug", flat=True)
    )
    if wanted not in taken:
        return wanted
    return next(name for n in range(2, len(taken) + 3) if (name := f"{wanted}-{n}") not in taken)


def _checked_draft(
    graph: Graph, revision: int, *, for_publication: bool = False
) -> tuple[JsonObject, GraphSpec]:
    current = Graph.objects.active().filter(pk=graph.pk).first()
    if current is None:
        raise NotFound("no such graph", code="GraphNotFound")
    if current.revision != revision:
        raise _stale(current.revision)
    document = document_of(current)
    return document, prove(current, document, for_publication=for_publication).runnable()


def _lock_at(graph: Graph, revision: int) -> Graph:
    locked = Graph.objects.select_for_update().get(pk=graph.pk)
    if locked.revision != revision:
        raise _stale(locked.revision)
    return locked


def _stale(revision: int) -> Conflict:
    return Conflict(
        "the draft has moved on: look at it again",
        code="StaleRevision",
        extra={"revision": revision},
    )


def _refer(version: GraphVersion, spec: GraphSpec) -> None:
    VersionReference.objects.bulk_create(
        VersionReference(version=version, kind=kind, name=name[:200])
        for kind, name in sorted(references(spec))
    )


def references(spec: GraphSpec) -> set[tuple[str, str]]:
    """Return what the document names: `(kind, name)` of agents, tools and graphs."""
    found: set[tuple[str, str]] = {("tool", tool) for a in spec.agents for tool in a.tools}
    for node in spec.nodes:
        found |= _named_in(node.config)
        if node.budget is not None and node.budget.fallback_agent_id is not None:
            found.add(("agent", node.budget.fallback_agent_id))
    return found


def _named_in(config: Any) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    if isinstance(config, list):
        for item in config:
            found |= _named_in(item)
    if not isinstance(config, dict):
        return found
    for key, value in config.items():
        if key.endswith("agent_id") and isinstance(value, str):
            found.add(("agent", value))
        elif key.endswith("agent_ids") and isinstance(value, list):
            found |= {("agent", name) for name in value if isinstance(name, str)}
        elif key == "tool_id" and isinstance(value, str):
            found.add(("tool", value))
        elif key == "tools" and isinstance(value, list):
            found |= {("tool", name) for name in value if isinstance(name, str)}
        elif key == "subgraph_id" and isinstance(value, str):
            found.add(("graph", value))
        else:
            found |= _named_in(value)
    return found
