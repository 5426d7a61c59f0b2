"""What names the groups of a workspace: workflows, open items, gates, alerts, firms' groups, invitations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from builder.models import (
    AlertRule,
    Graph,
    GraphVersion,
    IdentityProvider,
    Interrupt,
    Invitation,
    Node,
    Run,
)

Kind = Literal["workflow", "item", "gate", "alert", "provider", "invitation"]
PREFIX: Final = "group:"
FIXED: Final[frozenset[str]] = frozenset({"workflow", "item"})
"""Where a name cannot be exchanged: what was published stays, and so does what somebody was asked."""
NOT_FOR_ALL: Final[frozenset[str]] = frozenset({"provider", "invitation"})
"""What only admins see elsewhere, too."""


@dataclass(frozen=True, slots=True, order=True)
class Use:
    """One thing that names a group; `name` is what people call it, `id` is empty where it has no page."""

    kind: Kind
    name: str
    id: str = ""


def uses_of(workspace_id: str) -> Mapping[str, Sequence[Use]]:
    """Return group name → what names it: workflows first, each once, by name."""
    found: dict[str, set[Use]] = defaultdict(set)
    for name, use in (*_workflows(workspace_id), *_items(workspace_id), *_settings(workspace_id)):
        found[name].add(use)
    order = ("workflow", "item", "gate", "alert", "provider", "invitation")
    return {
        name: sorted(uses, key=lambda use: (order.index(use.kind), use))
        for name, uses in found.items()
    }


def _workflows(workspace_id: str) -> Iterator[tuple[str, Use]]:
    """Yield those of drafts, of what is live, and of versions that runs are still under way with."""
    graphs = Graph.objects.active().filter(workspace=workspace_id)
    names = dict(graphs.values_list("pk", "name"))
    for graph, found in _documents(graphs):
        for name in groups_in(found):
            yield name, Use("workflow", names[graph], graph)


def _documents(graphs: QuerySet[Graph]) -> Iterator[tuple[str, Any]]:
    yield from graphs.values_list("pk", "header").iterator()
    yield from Node.objects.filter(graph__in=graphs).values_list("graph", "data").iterator()
    newest = GraphVersion.objects.published().filter(graph=OuterRef("graph")).values("number")
    going = Run.objects.exclude(status__in=Run.ENDED).filter(graph__in=graphs)
    used = Q(number=Subquery(newest[:1])) | Q(pk__in=going.values("version"))
    versions = GraphVersion.objects.filter(used, graph__in=graphs)
    yield from versions.values_list("graph", "document").iterator()


def groups_in(value: Any) -> Iterator[str]:
    """Yield the names of all `group:x` anywhere in a document."""
    ahead = [value]
    while ahead:
        one = ahead.pop()
        if isinstance(one, Mapping):
            ahead.extend(one.values())
        elif isinstance(one, list):
            ahead.extend(one)
        elif isinstance(one, str) and one.startswith(PREFIX):
            yield one.removeprefix(PREFIX)


def _items(workspace_id: str) -> Iterator[tuple[str, Use]]:
    rows = Interrupt.objects.filter(
        workspace=workspace_id,
        status=Interrupt.Status.OPEN,
        asked__principal__startswith=PREFIX,
    )
    for key, principal, node, title in rows.values_list(
        "pk", "asked__principal", "node", "card__title"
    ):
        yield principal.removeprefix(PREFIX), Use("item", title or node, key)


def _settings(workspace_id: str) -> Iterator[tuple[str, Use]]:
    gated = Graph.objects.active().filter(workspace=workspace_id, publish_gate__isnull=False)
    for key, title, gate in gated.values_list("pk", "name", "publish_gate"):
        for name in groups_in(gate):
            yield name, Use("gate", title, key)
    for what, to in AlertRule.objects.filter(workspace=workspace_id).values_list("what", "to"):
        for name in groups_in(to):
            yield name, Use("alert", what)
    for title, rows in IdentityProvider.objects.filter(workspace=workspace_id).values_list(
        "name", "group_map"
    ):
        for name in {name for row in rows for name in row["groups"]}:
            yield name, Use("provider", title)
    open_ones = Invitation.objects.filter(workspace=workspace_id).open(timezone.now())
    for email, groups in open_ones.values_list("email", "groups"):
        for name in groups:
            yield name.strip(), Use("invitation", email)
