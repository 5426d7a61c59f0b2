"""Who has to approve what is published of a workflow; only admins say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import transaction

from builder.base.errors import Conflict, InvalidInput
from builder.models import Graph, Group, Membership, Role
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require

MAX_ASKED: Final = 50
DECIDERS: Final = (Role.REVIEWER, Role.OPERATOR, Role.ADMIN)


def set_gate(member: Membership, graph: Graph, asked: Sequence[str] | None) -> Graph:
    """Let publishing need the approval of one of those, or of nobody (None).

    `asked` has `user:<id>`, `group:<name>` and `role:<role>`. Raises `NotAllowed`, `InvalidInput`,
    `Conflict` `PublicationWaits` while something waits for approval under the gate as it is.
    """
    require(member, Right.ADMIN)
    if asked is not None:
        _check(member, asked)
    with transaction.atomic():
        locked = Graph.objects.select_for_update().get(pk=graph.pk)
        entries = None if asked is None else list(dict.fromkeys(asked))
        if locked.publish_gate == entries:
            return locked
        if locked.publications.filter(state="open").exists():
            raise Conflict(
                "a version waits for approval: let it be decided, or withdraw it first",
                code="PublicationWaits",
            )
        locked.publish_gate = entries
        locked.save(update_fields=["publish_gate", "updated_at"])
        audit.record(
            graph.workspace_id, member.user_id, "graph.publish_gate", graph.pk, asks=entries
        )
    return locked


def require_no_gate(graph: Graph) -> None:
    """Raise `Conflict` `PublicationNeedsApproval` where another person has to approve first.

    Called with the graph's row locked.
    """
    if graph.publish_gate is not None:
        raise Conflict(
            "publishing this workflow needs another person's approval: ask for it",
            code="PublicationNeedsApproval",
        )


def _check(member: Membership, asked: Sequence[str]) -> None:
    if not 1 <= len(asked) <= MAX_ASKED:
        raise InvalidInput(f"1 to {MAX_ASKED} people, groups or roles", path="asks")
    for at, entry in enumerate(asked):
        if not _known(member, entry):
            raise InvalidInput(
                "somebody who may decide: a member, a group, or a role of those", path=f"asks[{at}]"
            )


def _known(member: Membership, entry: str) -> bool:
    kind, _, name = entry.partition(":")
    if kind == "user":
        rows = Membership.objects.filter(workspace=member.workspace_id, role__in=DECIDERS)
        return rows.filter(user=name).exists()
    if kind == "group":
        return Group.objects.filter(workspace=member.workspace_id, name=name).exists()
    return kind == "role" and name in DECIDERS
