"""Asks for the approval of a version: a run of a built-in workflow of one approval.

So the item stands in the inbox like any other, with its rights, its hold, its record and its mail.
"""

from __future__ import annotations

from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from builder.base.clock import now_ms
from builder.base.errors import Conflict, NotAllowed, NotFound
from builder.models import Graph, GraphVersion, Interrupt, Membership, Publication, Run, Workspace
from builder.services.audit import chain as audit
from builder.services.graphs.graphs import freeze_draft
from builder.services.graphs.proofs import prove
from builder.services.permissions import Right, may, require
from builder.services.runs import mailbox
from builder.services.runs.runs import Start, start_run, version_to_run
from engine.core.graph.document import parse_document
from engine.runtime.mailbox import wishes

SLUG: Final = "publishing"
DAY_MS: Final = 86_400_000
DOCUMENT: Final[dict[str, Any]] = {
    "graphwright": 1,
    "id": SLUG,
    "name": "Publishing",
    "state_schema": {
        "type": "object",
        "properties": {
            "workflow": {"type": "string", "title": "Workflow"},
            "change": {"type": "string", "title": "Version"},
            "note": {"type": "string", "title": "What changed"},
            "asks": {"type": "array", "items": {"type": "string"}},
        },
    },
    "nodes": [
        {
            "id": "publish",
            "type": "approval",
            "label": "Publish a version",
            "human_description": "Somebody other than who asks looks at what changes.",
            "read_keys": ["workflow", "change", "note", "asks"],
            "config": {
                "prompt_message": "Publish {{ memory.workflow }}?",
                "review_keys": ["workflow", "change", "note"],
                "timeout_ms": 30 * DAY_MS,
                "policy": {
                    "eligible": ["=memory.asks"],
                    "four_eyes": ["starter"],
                    "require_reason": "reject",
                },
            },
        },
        {
            "id": "published",
            "type": "output",
            "label": "Publish exactly this version",
            "config": {"value": "'approved'"},
        },
        {
            "id": "left",
            "type": "output",
            "label": "Leave what is live as it is",
            "config": {"value": "'rejected'"},
        },
    ],
    "edges": [
        {"id": "a", "source": "__start__", "target": "publish"},
        {"id": "b", "source": "publish", "target": "published"},
        {"id": "c", "source": "publish", "target": "left", "on": "rejected"},
    ],
}


def ask(
    member: Membership, graph: Graph, *, revision: int, note: str = "", number: int | None = None
) -> Publication:
    """Ask for the approval of the draft at `revision`, or of the older version `number`.

    Raises `Conflict` `NoPublicationGate`, `StaleRevision`, `PublicationWaits`, `AlreadyLive`, and
    `GraphHasErrors`.
    """
    require(member, Right.EDIT)
    version = _wanted(member, graph, revision, number)
    prove(graph, version.document, for_publication=True).runnable()
    try:
        with transaction.atomic():
            locked = Graph.objects.select_for_update().get(pk=graph.pk)
            if locked.publish_gate is None:
                raise Conflict("nobody has to approve this: publish it", code="NoPublicationGate")
            row = Publication.objects.create(
                graph=locked,
                version=version,
                base=GraphVersion.objects.filter(graph=graph).published().first(),
                note=note,
                asked_by=member.user,
                asked_at=now_ms(),
            )
            detail = {"publication": row.pk, "hash": version.hash, "asks": locked.publish_gate}
            audit.record(
                graph.workspace_id, member.user_id, "graph.publication_asked", graph.pk, **detail
            )
    except IntegrityError:
        raise Conflict("a version waits for approval already", code="PublicationWaits") from None
    return open_run(member, row)


def open_run(member: Membership, row: Publication) -> Publication:
    """Start the run that asks for it; once, whatever died before."""
    memory = {
        "workflow": row.graph.name,
        "change": _change(row),
        "note": row.note or "Nothing was said of it.",
        "asks": row.graph.publish_gate or [],
    }
    start = Start(memory=memory, house_key=f"publication:{row.pk}")
    row.run = start_run(member, _system_graph(member.workspace), start)
    Publication.objects.filter(pk=row.pk).update(run=row.run)
    return row


def withdraw(member: Membership, graph: Graph) -> Publication:
    """Take the open request back: who asked, or an admin.

    Raises `NotAllowed`, `NotFound` `PublicationNotFound`, `Conflict` `TooLate`.
    """
    require(member, Right.EDIT)
    row = Publication.objects.filter(graph=graph, state=Publication.State.OPEN).first()
    if row is None:
        raise NotFound("nothing waits for approval", code="PublicationNotFound")
    if row.asked_by_id != member.user_id and not may(member, Right.ADMIN):
        raise NotAllowed("who asked takes it back, or an admin")
    with transaction.atomic():
        decided = Interrupt.objects.filter(run=row.run, kind="approval", status="answered")
        found = Publication.objects.filter(pk=row.pk, state=Publication.State.OPEN)
        gone = {"state": Publication.State.WITHDRAWN, "ended_at": now_ms()}
        if (row.run and decided.exists()) or not found.update(**gone):
            raise Conflict("this is decided already", code="TooLate")
        audit.record(
            row.graph.workspace_id,
            member.user_id,
            "graph.publication_withdrawn",
            row.graph_id,
            publication=row.pk,
        )
        going_on = Run.objects.filter(pk=row.run).exclude(status__in=Run.ENDED)
        wish = wishes.cancel(member.user_id, "withdrawn")
        asked = [mailbox.ask(run.pk, wish) for run in going_on]
    for request in asked:
        mailbox.carry_out(request)
    return Publication.objects.get(pk=row.pk)


def _wanted(member: Membership, graph: Graph, revision: int, number: int | None) -> GraphVersion:
    versions = GraphVersion.objects.filter(graph=graph).published()
    if number is not None:
        if versions.values_list("number", flat=True).first() == number:
            raise Conflict("this version is live already", code="AlreadyLive")
        return version_to_run(graph, number)
    version = freeze_draft(member, graph).version
    if version.revision != revision:
        raise Conflict(
            "the draft has moved on: look at it again",
            code="StaleRevision",
            extra={"revision": version.revision},
        )
    return version


def _change(row: Publication) -> str:
    which = "A new one" if row.version.number is None else f"Version {row.version.number} again"
    return (
        "The first one" if row.base is None else f"{which}, in place of version {row.base.number}"
    )


def _system_graph(workspace: Workspace) -> Graph:
    """Return the workspace's built-in workflow; nobody finds it in a list, edits or starts it."""
    spec, _ = parse_document(DOCUMENT)
    assert spec is not None
    with transaction.atomic():
        Workspace.objects.select_for_update().get(pk=workspace.pk)
        rows = Graph.objects.filter(workspace=workspace, slug=SLUG, header={"built_in": SLUG})
        graph = rows.first() or Graph.objects.create(
            workspace=workspace,
            slug=SLUG,
            name="Publishing",
            header={"built_in": SLUG},
            archived_at=timezone.now(),
        )
        if not graph.versions.filter(hash=spec.hash, is_draft=False).exists():
            last = graph.versions.aggregate(last=Max("number"))["last"] or 0
            GraphVersion.objects.create(
                graph=graph,
                number=last + 1,
                revision=graph.revision,
                document=DOCUMENT,
                hash=spec.hash,
                published_at=timezone.now(),
            )
    return graph
