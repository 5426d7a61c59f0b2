"""What uses the models of providers: the default, agents, workflows as live or as drafted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from builder.models import Agent, Graph, GraphVersion, Membership, Node

User = dict[str, str]
"""`{kind: default|agent|workflow, id, name}`."""


def users_of(member: Membership, provider: str) -> list[User]:
    """Return what uses a provider's models: the default, then agents, then workflows by name."""
    return users_by_provider(member).get(provider, [])


def users_by_provider(member: Membership) -> Mapping[str, list[User]]:
    """Return that for every provider of the workspace at once."""
    workspace = member.workspace
    users: dict[str, list[User]] = defaultdict(list)
    default = _provider(workspace.all_settings["default_model"])
    users[default].append(
        {"kind": "default", "id": "default_model", "name": "the workspace's default model"}
    )
    for agent in Agent.objects.filter(workspace=workspace):
        users[_provider(agent.model)].append(
            {"kind": "agent", "id": agent.slug, "name": agent.name or agent.slug}
        )
    graphs = Graph.objects.filter(workspace=workspace, archived_at__isnull=True)
    using: dict[str, set[str]] = defaultdict(set)
    for graph, model in (*_live(graphs), *_drafted(graphs)):
        using[graph].add(_provider(model))
    for key, name in graphs.filter(pk__in=using).values_list("pk", "name").order_by("name", "pk"):
        for provider in using[key]:
            users[provider].append({"kind": "workflow", "id": key, "name": name})
    return users


def _provider(model: object) -> str:
    return str(model or "").partition("/")[0]


def _live(graphs: QuerySet[Graph]) -> Iterator[tuple[str, str]]:
    newest = GraphVersion.objects.published().filter(graph=OuterRef("graph")).values("number")
    versions = GraphVersion.objects.filter(graph__in=graphs, number=Subquery(newest[:1]))
    for version in versions.iterator():
        for model in _models_in(version.document):
            yield version.graph_id, model


def _drafted(graphs: QuerySet[Graph]) -> Iterator[tuple[str, str]]:
    for key, header in graphs.values_list("pk", "header").iterator():
        for model in _models_in(header):
            yield key, model
    nodes = Node.objects.filter(graph__in=graphs, data__config__model__isnull=False)
    for key, model in nodes.values_list("graph", "data__config__model").iterator():
        yield key, str(model or "")


def _models_in(document: Any) -> Iterator[str]:
    for agent in document.get("agents") or ():
        yield str(agent.get("model") or "")
    for node in document.get("nodes") or ():
        yield str((node.get("config") or {}).get("model") or "")
