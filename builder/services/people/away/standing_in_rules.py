"""What an absence and its stand-in have to be like: each refusal names the place and what mends it."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from django.utils import timezone

from builder.base.errors import Conflict, InvalidInput, Unprocessable
from builder.models import Membership, StandIn, Workspace
from engine.core.people.eligibility import ANSWERING_ROLES, DECIDING_ROLES

if TYPE_CHECKING:
    from builder.services.people.away.standing_in import Absence

LONGEST_DAYS: Final = 366


def refuse_misfit(workspace: Workspace, absence: Absence, before: StandIn | None) -> None:
    """Raise where the absence cannot be set; `before` is what it changes."""
    absent = _member(workspace, absence.absent, "absent")
    if absence.to == absence.absent:
        raise InvalidInput("nobody stands in for themselves: choose somebody else", path="to")
    stand_in = _member(workspace, absence.to, "to")
    _check_roles(absent, stand_in)
    _check_days(workspace, absence, before)
    _check_others(workspace, absence, before, str(absent.user), str(stand_in.user))


def _member(workspace: Workspace, user_id: str, path: str) -> Membership:
    rows = Membership.objects.select_related("user").filter(workspace=workspace)
    found = rows.filter(user=user_id, user__is_active=True).first()
    if found is None:
        raise InvalidInput("choose a member of this workspace", path=path)
    return found


def _check_roles(absent: Membership, stand_in: Membership) -> None:
    """Refuse whose role may not do what the absent person's may: no absence gives a role."""
    if absent.role not in ANSWERING_ROLES:
        message = f"{absent.user} only looks on: nothing waits for them, so nobody need stand in"
        raise Unprocessable(message, code="NothingToDecide")
    needed = DECIDING_ROLES if absent.role in DECIDING_ROLES else ANSWERING_ROLES
    if stand_in.role not in needed:
        message = (
            f"{stand_in.user} is {stand_in.role} here and may not decide: choose a reviewer,"
            " operator or admin, or have their role changed first"
        )
        raise Unprocessable(message, code="StandInRole")


def _check_days(workspace: Workspace, absence: Absence, before: StandIn | None) -> None:
    first, last = absence.first_day, absence.last_day
    today = workspace.day_at(timezone.now())
    now = f"it is {shown(today)} ({workspace.zone})"
    if first < today and (before is None or first != before.first_day):
        raise InvalidInput(f"choose today or later: {now}", path="first_day")
    if last < first:
        raise InvalidInput(f"choose the first day, {shown(first)}, or later", path="last_day")
    if last < today:
        raise InvalidInput(f"choose today or later: {now}", path="last_day")
    if last - first >= timedelta(days=LONGEST_DAYS):
        raise InvalidInput(f"choose at most {LONGEST_DAYS} days in all", path="last_day")


def _check_others(
    workspace: Workspace, absence: Absence, before: StandIn | None, absent: str, stand_in: str
) -> None:
    rows = StandIn.objects.in_workspace(workspace.pk).select_related("to", "absent")
    rows = rows.filter(first_day__lte=absence.last_day, last_day__gte=absence.first_day)
    others = rows if before is None else rows.exclude(pk=before.pk)
    mine = others.filter(absent=absence.absent).first()
    if mine is not None:
        raise Conflict(
            f"{absent} is away {_days(mine)} already and {mine.to} stands in:"
            " change that one, or choose other days",
            code="AlreadyAway",
        )
    theirs = others.filter(absent=absence.to).first()
    if theirs is not None:
        raise Conflict(
            f"{stand_in} is away too, {_days(theirs)}, and nobody stands in for a stand-in:"
            " choose somebody else, or other days",
            code="StandInAway",
        )


def _days(row: StandIn) -> str:
    return f"from {shown(row.first_day)} to {shown(row.last_day)}"


def shown(day: date) -> str:
    """Return a day as people write it: `3 March 2026`."""
    return f"{day.day} {day:%B %Y}"
