"""Publishes what was approved: exactly that version, once, whatever dies meanwhile.

The decision stands in the log of the run; what follows from it is one transaction that begins by
closing the request. The thread that sends held decisions looks here too.
"""

from __future__ import annotations

import logging
from typing import Any, Final

from django.db import transaction

from builder.base.clock import now_ms
from builder.base.errors import ServiceError
from builder.models import Graph, GraphVersion, Interrupt, Membership, Publication, Run
from builder.models.prepared import Prepared
from builder.reads import event_log as log
from builder.services.audit.chain import record
from builder.services.graphs.graphs import make_live
from builder.services.graphs.proofs import prove
from builder.services.graphs.publishing.asking import open_run
from builder.services.permissions import Right, may
from engine.core.errors import GraphHasErrors

State = Publication.State
ENDED: Final = ("answered", "expired", "cancelled")
GRACE_MS: Final = 5_000
"""After so long, a request without a run is one whose process died before it started it."""
OPEN: Final = Prepared(
    lambda: Publication.objects.filter(state=State.OPEN).select_related("graph", "version", "base")
)
logger = logging.getLogger("graphwright.publishing")


def settle_due() -> int:
    """Do what follows from decisions about publications; return how many were closed."""
    return sum(_settled(row) for row in OPEN.all())


def _settled(row: Publication) -> bool:
    member = Membership.objects.filter(
        user=row.asked_by_id, workspace=row.graph.workspace_id
    ).first()
    if not row.run:
        if now_ms() < row.asked_at + GRACE_MS:
            return False
        if member is None:
            return _close(row, State.REFUSED, detail="who asked is not a member any more")
        open_run(member, row)
        return False
    item = Interrupt.objects.filter(run=row.run, kind="approval", status__in=ENDED).first()
    if item is None:
        over = Run.objects.filter(pk=row.run, status__in=Run.ENDED).exists()
        return over and _close(row, State.EXPIRED, detail="the run that asked for it ended")
    if item.status != "answered":
        return _close(row, State.EXPIRED, detail="nobody decided in time")
    if item.outcome != "approved":
        said = log.data_at([(item.run, item.resolved_seq)]).get((item.run, item.resolved_seq or 0))
        why = str((said or {}).get("comment") or "")
        return _close(row, State.REJECTED, decided_by=item.decided_by or "", detail=why)
    return _publish(row, member, item.decided_by or "")


def _publish(row: Publication, member: Membership | None, approver: str) -> bool:
    refused = _why_not(row, member)
    if refused is not None or member is None:
        return _close(row, State.REFUSED, decided_by=approver, detail=refused or "")
    try:
        spec = prove(row.graph, row.version.document, for_publication=True).runnable()
    except (GraphHasErrors, ServiceError) as error:
        return _close(row, State.REFUSED, decided_by=approver, detail=str(error))
    with transaction.atomic():
        graph = Graph.objects.select_for_update().get(pk=row.graph_id)
        live = GraphVersion.objects.filter(graph=graph).published().first()
        if (live and live.pk) != row.base_id:
            return _close(row, State.OVERTAKEN, detail="another version was published meanwhile")
        if not _close(row, State.PUBLISHED, decided_by=approver):
            return False
        version = make_live(member, graph, row.version, spec, note=row.note)
        Publication.objects.filter(pk=row.pk).update(published=version)
        record(
            graph.workspace_id,
            member.user_id,
            "graph.published",
            graph.pk,
            number=version.number,
            hash=version.hash,
            approved_by=approver,
            publication=row.pk,
        )
    return True


def _why_not(row: Publication, member: Membership | None) -> str | None:
    if member is None or not may(member, Right.EDIT):
        return "who asked may not publish any more"
    return None if row.graph.archived_at is None else "the workflow is gone"


def _close(row: Publication, state: str, **fields: Any) -> bool:
    """Close it; return whether it still was open."""
    found = Publication.objects.filter(pk=row.pk, state=State.OPEN)
    if not found.update(state=state, ended_at=now_ms(), **fields):
        return False
    logger.info("publication %s: %s", row.pk, state)
    return True
