"""Standing in: who is away says, or an admin says for them, who decides in their place meanwhile.

Nobody gets a right by it that the absent person lacks, four eyes hold for both, and it ends by itself
after its last day. Days are those of the workspace's time zone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from builder.base.bells import hub, inbox_topic
from builder.base.errors import Conflict, NotAllowed, NotFound
from builder.models import Membership, StandIn, Workspace
from builder.services.audit import chain as audit
from builder.services.people.away.standing_in_rules import refuse_misfit
from builder.services.permissions import Right, may

MOST: Final = 20
"""Absences of one person that are ahead."""


@dataclass(frozen=True, slots=True)
class Absence:
    """From the first day to the last, both included, and who decides meanwhile: ids of users."""

    absent: str
    to: str
    first_day: date
    last_day: date
    note: str = ""


def standing_in(member: Membership) -> QuerySet[StandIn]:
    """Return the absences of the workspace that are on or ahead, the first one first."""
    today = member.workspace.day_at(timezone.now())
    rows = StandIn.objects.in_workspace(member.workspace_id).filter(last_day__gte=today)
    return rows.select_related("absent", "to", "workspace").order_by("first_day", "pk")


def set_stand_in(member: Membership, absence: Absence) -> StandIn:
    """Set who stands in for the member, or as an admin for anybody.

    Raises `NotAllowed`, `InvalidInput` with the place, `Conflict` `AlreadyAway`, `StandInAway` or
    `TooMany`, `Unprocessable` `StandInRole` or `NothingToDecide`.
    """
    _require_own(member, absence.absent)
    with transaction.atomic():
        workspace = Workspace.objects.select_for_update().get(pk=member.workspace_id)
        refuse_misfit(workspace, absence, None)
        ahead = standing_in(member).filter(absent=absence.absent)
        if ahead.count() >= MOST:
            raise Conflict(f"at most {MOST} absences ahead: end one first", code="TooMany")
        made = StandIn.objects.create(
            workspace=workspace,
            absent_id=absence.absent,
            to_id=absence.to,
            first_day=absence.first_day,
            last_day=absence.last_day,
            note=absence.note,
        )
        _record(member, made, "set")
    return made


def change_stand_in(member: Membership, found: StandIn, absence: Absence) -> StandIn:
    """Change the days, the stand-in or the note. Raises as `set_stand_in` does."""
    _require_own(member, found.absent_id)
    with transaction.atomic():
        workspace = Workspace.objects.select_for_update().get(pk=member.workspace_id)
        row = StandIn.objects.select_for_update().filter(pk=found.pk).first()
        if row is None:
            raise NotFound("nobody stands in there any more")
        refuse_misfit(workspace, absence, row)
        row.to_id, row.note = absence.to, absence.note
        row.first_day, row.last_day = absence.first_day, absence.last_day
        row.save(update_fields=["to", "note", "first_day", "last_day"])
        _record(member, row, "changed")
    return row


def end_stand_in(member: Membership, found: StandIn) -> None:
    """End it at once; one that is gone stays gone. Raises `NotAllowed`."""
    _require_own(member, found.absent_id)
    with transaction.atomic():
        _end(member, StandIn.objects.filter(pk=found.pk))


def end_all_of(member: Membership, user_id: str) -> None:
    """End what a person has to do with, who leaves the workspace; in the caller's transaction."""
    theirs = Q(absent=user_id) | Q(to=user_id)
    today = member.workspace.day_at(timezone.now())
    rows = StandIn.objects.in_workspace(member.workspace_id).filter(theirs, last_day__gte=today)
    _end(member, rows)


def _end(member: Membership, rows: QuerySet[StandIn]) -> None:
    for row in rows.select_for_update():
        _record(member, row, "ended")
        row.delete()


def _require_own(member: Membership, absent: str) -> None:
    if absent != member.user_id and not may(member, Right.ADMIN):
        raise NotAllowed("who is away says so themselves, or an admin does")


def _record(member: Membership, row: StandIn, what: str) -> None:
    audit.record(
        row.workspace_id,
        member.user_id,
        f"standin.{what}",
        row.absent_id,
        to=row.to_id,
        first_day=row.first_day.isoformat(),
        last_day=row.last_day.isoformat(),
        **({"note": row.note} if row.note else {}),
    )
    transaction.on_commit(lambda: hub.ring(inbox_topic(row.workspace_id)))
