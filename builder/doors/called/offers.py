"""Which workflows programs are offered: as tools of the MCP server, as models of `/v1`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from django.db import IntegrityError, transaction

from builder.base.errors import Conflict, InvalidInput
from builder.doors.called.reach import within
from builder.models import ApiToken, Graph, GraphVersion, Membership, Offer
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require

NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,60}")
"""What clients take as the name of a tool; other letters, or more of them, break some."""
RUN_STATUS: Final = "run_status"
"""The tool that the server itself brings."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A workflow that programs may call: its offer, and the version that runs."""

    offer: Offer
    graph: Graph
    version: GraphVersion


def offer_of(graph: Graph) -> Offer:
    """Return how programs find a workflow; one that was never offered is not found."""
    found = Offer.objects.filter(graph=graph).first()
    return found or Offer(graph=graph, workspace_id=graph.workspace_id)


def change(member: Membership, graph: Graph, *, tool_name: str | None, chat: bool) -> Offer:
    """Offer a workflow as the tool `tool_name`, None for none, and as a chat model or not.

    Raises `InvalidInput` for a name that clients do not take, `Conflict` `ToolNameTaken`.
    """
    require(member, Right.EDIT)
    if tool_name is not None and not NAME.fullmatch(tool_name):
        raise InvalidInput("1 to 60 of the letters A-Z, a-z, 0-9, _ and -", path="tool_name")
    if tool_name == RUN_STATUS:
        raise InvalidInput(f"{RUN_STATUS} is a tool of the server itself", path="tool_name")
    try:
        with transaction.atomic():
            Graph.objects.select_for_update().get(pk=graph.pk)
            return _change(member, graph, tool_name, chat)
    except IntegrityError:
        raise Conflict(
            "another workflow of this workspace has this name", code="ToolNameTaken"
        ) from None


def offered(workspace_id: str, token: ApiToken, *, chat: bool = False) -> list[Offered]:
    """Return what a token finds in its workspace: tools, or with `chat` models, by their names."""
    rows = Offer.objects.in_workspace(workspace_id).standing()
    rows = rows.filter(chat=True) if chat else rows.filter(tool_name__isnull=False)
    found = within(rows, token.graphs).select_related("graph")
    order = "graph__slug" if chat else "tool_name"
    offers = {offer.graph_id: offer for offer in found.order_by(order)}
    latest: dict[str, GraphVersion] = {}
    versions = GraphVersion.objects.filter(graph__in=list(offers)).published()
    for version in versions.order_by("number"):
        latest[version.graph_id] = version
    return [
        Offered(offer, offer.graph, latest[graph_id])
        for graph_id, offer in offers.items()
        if graph_id in latest
    ]


def _change(member: Membership, graph: Graph, tool_name: str | None, chat: bool) -> Offer:
    row = offer_of(graph)
    if (row.tool_name, row.chat) == (tool_name, chat):
        return row
    if tool_name is not None:
        gone = Offer.objects.in_workspace(graph.workspace_id).filter(tool_name=tool_name)
        gone.filter(graph__archived_at__isnull=False).update(tool_name=None)
    row.tool_name, row.chat, row.changed_by = tool_name, chat, member.user
    row.save()
    audit.record(
        graph.workspace_id,
        member.user_id,
        "graph.offered" if tool_name or chat else "graph.offer_withdrawn",
        graph.pk,
        tool_name=tool_name,
        chat=chat,
    )
    return row
