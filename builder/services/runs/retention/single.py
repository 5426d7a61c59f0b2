"""What people do with one old run: keep it whatever its age, let it go again, delete its archive."""

from __future__ import annotations

from django.db import transaction

from builder.base.clock import now_ms
from builder.base.errors import Conflict, NotFound
from builder.models import KeptRun, Membership, Run, RunArchive
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require
from builder.services.runs.retention.pruning import delete


def keep(member: Membership, run: Run) -> None:
    """Keep a run: it is neither archived nor deleted by age. One that is kept stays so."""
    require(member, Right.RUN)
    with transaction.atomic():
        lock(run)
        _row, made = KeptRun.objects.get_or_create(
            run=run.pk, defaults={"by": member.user, "at": now_ms()}
        )
        if made:
            audit.record(run.workspace_id, member.user_id, "run.kept", run.pk)


def let_go(member: Membership, run: Run) -> None:
    """Let the rules count for a run again."""
    require(member, Right.RUN)
    with transaction.atomic():
        if KeptRun.objects.filter(pk=run.pk).delete()[0]:
            audit.record(run.workspace_id, member.user_id, "run.let_go", run.pk)


def delete_archived(member: Membership, run: Run) -> None:
    """Delete an archived run for good, with all that is left of it but the audit log and spending.

    Raises `Conflict` `RunNotArchived`, `RunKept`, `RunHasChildren` where another run was started by it.
    """
    require(member, Right.ADMIN)
    with transaction.atomic():
        lock(run)
        if not RunArchive.objects.filter(pk=run.pk, gone_at=None).exists():
            raise Conflict("only an archived run can be deleted", code="RunNotArchived")
        if KeptRun.objects.filter(pk=run.pk).exists():
            raise Conflict("somebody keeps this run: let it go first", code="RunKept")
        if Run.objects.filter(parent_run=run.pk).exists():
            raise Conflict("delete the runs that it started first", code="RunHasChildren")
        delete([run.pk], now_ms())
        said = {"workflow": run.graph_slug}
        audit.record(run.workspace_id, member.user_id, "run.deleted", run.pk, **said)


def lock(run: Run) -> None:
    """Hold the run's row to the end of the transaction: who archives or deletes it waits."""
    if Run.objects.select_for_update(of=("self",)).filter(pk=run.pk).first() is None:
        raise NotFound("this run is gone", code="RunNotFound")
