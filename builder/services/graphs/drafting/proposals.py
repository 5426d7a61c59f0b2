"""What becomes of a draft: it is stopped, taken in part or whole, or dismissed."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from builder.base.errors import NotAllowed
from builder.models import DraftProposal, Membership, Run, RunRequest
from builder.services.audit import chain as audit
from builder.services.permissions import Right, may, require
from builder.services.runs import mailbox
from engine.core.budgets.money import usd
from engine.runtime.mailbox import wishes


def stop(member: Membership, proposal: DraftProposal) -> None:
    """End the run that writes a draft; one that is there stays."""
    _refuse_others(member, proposal)
    asked = _ask_to_stop(member, proposal)
    if asked is not None:
        mailbox.carry_out(asked)


def close(member: Membership, proposal: DraftProposal, *, taken: int) -> DraftProposal:
    """Note that its person took so many parts of a draft, or dismissed it with none."""
    _refuse_others(member, proposal)
    with transaction.atomic():
        locked = DraftProposal.objects.select_for_update().get(pk=proposal.pk)
        if locked.closed_at is not None:
            return locked
        asked = _ask_to_stop(member, locked)
        locked.closed_at, locked.taken = timezone.now(), taken
        locked.save(update_fields=["closed_at", "taken"])
        spent = Run.objects.filter(pk=locked.run).values_list("spent_pico", flat=True).first()
        audit.record(
            locked.workspace_id,
            member.user_id,
            "draft.taken" if taken else "draft.dismissed",
            locked.run,
            parts=taken,
            **({} if locked.graph_id is None else {"graph": locked.graph_id}),
            spent_usd=usd(spent or 0),
        )
    if asked is not None:
        mailbox.carry_out(asked)
    return locked


def _ask_to_stop(member: Membership, proposal: DraftProposal) -> RunRequest | None:
    run = Run.objects.filter(pk=proposal.run).exclude(status__in=Run.ENDED).first()
    return None if run is None else mailbox.ask(run.pk, wishes.cancel(member.user_id, "stopped"))


def _refuse_others(member: Membership, proposal: DraftProposal) -> None:
    require(member, Right.EDIT)
    if proposal.by_id != member.user_id and not may(member, Right.ADMIN):
        raise NotAllowed("this draft is somebody else's")
