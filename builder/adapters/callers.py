"""Which workflows run another as a step of theirs: nodes of saved drafts that name it."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q, QuerySet

from builder.models import Node
from engine.core.node_types.form import hint
from engine.core.node_types.registry import NODE_TYPES


def nodes_that_run(workspace_id: str, slug: str) -> QuerySet[Node]:
    """Return the nodes of other workflows that run the one with this name; archived ones count not."""
    named = Q(pk__in=())
    for type_name, field in _runners():
        named |= Q(data__type=type_name, **{f"data__config__{field}": slug})
    rows = Node.objects.filter(named, graph__workspace=workspace_id, graph__archived_at=None)
    return rows.exclude(graph__slug=slug)


def is_called(workspace_id: str, slug: str) -> bool:
    """Return whether another workflow runs the one with this name."""
    return nodes_that_run(workspace_id, slug).exists()


def _runners() -> Iterator[tuple[str, str]]:
    """Yield node types that run other graphs, with the field that names which."""
    for node_type in NODE_TYPES.all():
        for label, info in node_type.Config.model_fields.items():
            if hint(info, "widget") == "graph":
                yield node_type.type, info.alias or label
