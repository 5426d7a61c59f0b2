"""What people do about why runs fail: somebody looks after it, it is left alone, it is mended."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

from django.db import transaction

from builder.base.bells import hub, runs_topic
from builder.base.clock import DAY_MS, now_ms
from builder.base.errors import InvalidInput, NotFound
from builder.models import FailureCause, Membership
from builder.models.prepared import Prepared
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require

State = Literal["open", "muted", "resolved"]
LONGEST_MUTE_MS: Final = 366 * DAY_MS
TOLD_AT_ONCE: Final = 100
REOPENED: Final = Prepared(
    lambda: FailureCause.objects.filter(reopened_by__isnull=False).values_list("pk")[:1]
)
"""Whether there is any: each second, mostly not."""


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of a cause. `until`: how long it is muted, in milliseconds since the epoch."""

    state: State | None = None
    until: int | None = None
    assignee: str | None = None
    """The id of a member, `""` for nobody, None to leave it."""


def change_cause(member: Membership, cause: FailureCause, change: Change) -> FailureCause:
    """Write who looks after a cause and how it stands.

    Raises `InvalidInput` for a time that is over or too far away, `NotFound` for nobody of the
    workspace.
    """
    require(member, Right.RUN)
    with transaction.atomic():
        row = FailureCause.objects.select_for_update().get(pk=cause.pk)
        _tell(row)
        if change.assignee is not None and change.assignee != (row.assignee_id or ""):
            _assign(member, row, change.assignee)
        if change.state is not None:
            _set_state(member, row, change)
        row.save(update_fields=["assignee", "state", "muted_until", "resolved_at", "reopened_by"])
        transaction.on_commit(partial(hub.ring, runs_topic(row.workspace_id)))
    return row


def tell_reopened() -> int:
    """Enter into the audit log which causes runs have opened again; return how many."""
    if not REOPENED.tuples():
        return 0
    with transaction.atomic():
        rows = FailureCause.objects.select_for_update().filter(reopened_by__isnull=False)
        found = list(rows.order_by("workspace", "pk")[:TOLD_AT_ONCE])
        for row in found:
            _tell(row)
            row.save(update_fields=["reopened_by"])
    return len(found)


def _tell(row: FailureCause) -> None:
    """Let the audit log tell which run has opened a cause again, if one has since it was looked at."""
    if row.reopened_by is None:
        return
    detail = {**_about(row), "run": row.reopened_by}
    audit.record(row.workspace_id, None, "cause.reopened", row.pk, **detail)
    row.reopened_by = None  # `resolved_at` stays: since then it has come back


def _assign(member: Membership, row: FailureCause, to: str) -> None:
    if to and not Membership.objects.filter(workspace=row.workspace_id, user=to).exists():
        raise NotFound("no such member")
    row.assignee_id = to or None
    _record(member, row, "assigned", to=to or None)


def _set_state(member: Membership, row: FailureCause, change: Change) -> None:
    now = now_ms()
    row.muted_until = row.resolved_at = None
    if change.state == "muted":
        if change.until is None or not now < change.until <= now + LONGEST_MUTE_MS:
            raise InvalidInput("a moment in the future, within a year", path="until")
        row.muted_until = change.until
        _record(member, row, "muted", until=change.until)
    elif change.state == "resolved":
        row.resolved_at = now
        _record(member, row, "resolved")
    elif row.state != "open":
        _record(member, row, "reopened")
    row.state = change.state or row.state


def _record(member: Membership, row: FailureCause, action: str, **detail: Any) -> None:
    told = {**_about(row), **detail}
    audit.record(row.workspace_id, member.user_id, f"cause.{action}", row.pk, **told)


def _about(row: FailureCause) -> dict[str, Any]:
    return {"graph": row.graph_slug, "node": row.node, "code": row.code, "runs": row.count}
