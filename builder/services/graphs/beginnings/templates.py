"""Graphs from templates: the graph itself, and what it runs as subgraphs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from builder.library.templates import Template
from builder.models import Graph, GraphVersion, Membership
from builder.services.graphs.graphs import import_graph, publish
from builder.services.permissions import Right, require
from engine.core.graph.document import parse_document
from engine.core.values.json import JsonObject, thaw


def create_from_template(member: Membership, template: Template) -> Graph:
    """Create a graph from a template; the graphs that it runs come along, published.

    One that is there already is used if it takes and gives the same; else a copy gets an id of its
    own. Raises what `import_graph` and `publish` raise.
    """
    require(member, Right.EDIT)
    ids = {str(child["id"]): _child(member, child) for child in template.children}
    return import_graph(member, _pointing_to(template.document, ids))


def _child(member: Membership, document: JsonObject) -> str:
    """Return the id of a published graph that does what the document does."""
    slug = str(document["id"])
    live = GraphVersion.objects.filter(
        graph__workspace=member.workspace_id,
        graph__slug=slug,
        graph__archived_at__isnull=True,
    ).published()
    known = live.first()
    if known is not None and _interface(known.document) == _interface(document):
        return slug
    made = import_graph(member, document)
    publish(member, made, revision=made.revision, note="Came with a template.")
    return made.slug


def _interface(document: Mapping[str, Any]) -> Any:
    spec, _problems = parse_document(document)
    return None if spec is None else spec.interface


def _pointing_to(document: JsonObject, ids: Mapping[str, str]) -> JsonObject:
    """Return the document with its subgraphs under the ids that they have in the workspace."""
    made: dict[str, Any] = thaw(document)
    for node in made["nodes"]:
        config = node.get("config") or {}
        if "subgraph_id" in config:
            config["subgraph_id"] = ids.get(config["subgraph_id"], config["subgraph_id"])
    return made
