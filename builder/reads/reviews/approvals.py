"""How people decide in one workspace: what is open, how long it took, what became of it.

Times are milliseconds since the epoch, durations milliseconds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from django.db.models import Count, Exists, Min, OuterRef, Q, Subquery

from builder.models import Asked, Interrupt, Membership, Run
from builder.models.ledger.views import OVERDUE_MS
from builder.reads import event_log as log
from builder.reads.figures import people

APPROVAL: Final = "approval"
ANYONE: Final = "anyone"
"""Whom an approval asks that names nobody: whoever may decide by role."""
MAX_DECIDED: Final = 20_000
"""Approvals of a period that are looked at, the latest first."""
READ_AT_ONCE: Final = 500
MAX_WORDS: Final = 200
"""Letters of a changed value that a line of CSV holds."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time of one workspace; `graph` narrows to one workflow's id."""

    workspace_id: str
    since: int
    until: int
    graph: str = ""

    def before(self) -> Span:
        """Return as long a stretch that ends where this begins."""
        return Span(self.workspace_id, 2 * self.since - self.until, self.since, self.graph)

    def rows(self) -> Any:
        """Return the approvals of the workspace, of whatever time."""
        rows = Interrupt.objects.in_workspace(self.workspace_id).filter(kind=APPROVAL)
        if not self.graph:
            return rows
        return rows.filter(run__in=Subquery(Run.objects.filter(graph=self.graph).values("pk")))

    def closed(self) -> list[Interrupt]:
        """Return the approvals that were decided or expired in this stretch, the latest first."""
        rows = self.rows().filter(status__in=("answered", "expired"))
        within = rows.filter(decided_at__gte=self.since, decided_at__lt=self.until)
        return list(within.order_by("-decided_at")[:MAX_DECIDED])


@dataclass(slots=True)
class Tally:
    """What became of some approvals, and how long people took."""

    approved: int = 0
    edited: int = 0
    rejected: int = 0
    expired: int = 0
    took: list[int] = field(default_factory=list)

    def add(self, row: Interrupt, edited: bool) -> None:
        """Count one that is closed."""
        if row.status == "expired":
            self.expired += 1
            return
        self.rejected += row.outcome == "rejected"
        self.approved += row.outcome == "approved"
        self.edited += row.outcome == "approved" and edited
        self.took.append(max(0, (row.decided_at or row.opened_at) - row.opened_at))

    @property
    def decided(self) -> int:
        """How many people decided."""
        return len(self.took)

    def share(self, part: int) -> float | None:
        """Return `part` of what people decided, None without any."""
        return round(part / self.decided, 4) if self.decided else None

    @property
    def expiry_rate(self) -> float | None:
        """Expired of all that closed, None without any."""
        closed = self.decided + self.expired
        return round(self.expired / closed, 4) if closed else None

    def at(self, share: float) -> int | None:
        """Return the time to decide that `share` of them did not exceed, None without any."""
        ordered = sorted(self.took)
        place = -(-len(ordered) * round(share * 100) // 100) - 1
        return ordered[max(0, place)] if ordered else None


def tally(span: Span) -> Tally:
    """Return what became of the approvals that closed in the stretch."""
    return _tally(span.closed())


def _tally(rows: Iterable[Interrupt]) -> Tally:
    found = list(rows)
    changed, out = edited(found), Tally()
    for row in found:
        out.add(row, row.pk in changed)
    return out


def edited(chosen: Iterable[Interrupt]) -> set[str]:
    """Return the ids of those whose content an approver changed."""
    rows = list(chosen)
    found = {row.pk for row in rows if row.edited_seq is not None}
    said = [row for row in rows if row.outcome == "approved" and row.pk not in found]
    for first in range(0, len(said), READ_AT_ONCE):
        part = said[first : first + READ_AT_ONCE]
        carried = log.data_at((row.run, row.resolved_seq) for row in part)
        found |= {
            row.pk for row in part if carried.get((row.run, row.resolved_seq or 0), {}).get("edits")
        }
    return found


def standing(span: Span, now: int) -> dict[str, Any]:
    """Return what is open now: how many, how many of them overdue, since when the oldest."""
    late = Count("pk", filter=is_late(now))
    found: dict[str, Any] = (
        span.rows().open().aggregate(open=Count("pk"), overdue=late, oldest=Min("opened_at"))
    )
    return found


def is_late(now: int) -> Q:
    """Return what overdue items have in common at `now` (ms)."""
    late = Q(expires_at__lt=now + OVERDUE_MS) | Q(reminded_at__isnull=False)
    return late | Q(escalated_seq__isnull=False)


def named(who: str) -> Q:
    """Return what items have in common that name `group:x`, `role:y`, `user:z`, or `anyone`."""
    asked = Asked.objects.filter(interrupt=OuterRef("pk"))
    mine = asked if who == ANYONE else asked.filter(principal=who)
    return ~Q(Exists(mine)) if who == ANYONE else Q(Exists(mine))


def by_asked(span: Span, now: int) -> list[dict[str, Any]]:
    """Return a line for everybody whom approvals ask: `group:x`, `role:y`, `user:z` or `anyone`.

    The most asked first. An approval that asks several counts in the line of each.
    """
    closed = span.closed()
    waiting = list(span.rows().open())
    asked = _asked([row.pk for row in (*closed, *waiting)])
    changed = edited(closed)
    lines: dict[str, tuple[Tally, dict[str, int]]] = defaultdict(
        lambda: (Tally(), {"open": 0, "overdue": 0})
    )
    for row in closed:
        for who in asked.get(row.pk, [ANYONE]):
            lines[who][0].add(row, row.pk in changed)
    for row in waiting:
        for who in asked.get(row.pk, [ANYONE]):
            now_open = lines[who][1]
            now_open["open"] += 1
            now_open["overdue"] += _is_late(row, now)
    names = _names([who.split(":", 1)[1] for who in lines if who.startswith("user:")], span)
    out = [
        {
            "asked": who,
            "name": names.get(who.removeprefix("user:"), who.split(":", 1)[-1]),
            "tally": found,
            **now_open,
        }
        for who, (found, now_open) in lines.items()
    ]
    return sorted(out, key=lambda line: (-line["tally"].decided - line["open"], line["asked"]))


def _names(asked: Collection[str], span: Span) -> dict[str, str]:
    """Return id or mail address → name of people who are asked; by an address members alone are found."""
    names = people(asked)
    by_mail = {one.lower(): one for one in asked if one not in names and "@" in one}
    if by_mail:
        members = Membership.objects.in_workspace(span.workspace_id).select_related("user")
        for member in members.filter(user__email__in=by_mail):
            names[by_mail[member.user.email]] = str(member.user)
    return names


def _is_late(row: Interrupt, now: int) -> bool:
    soon = row.expires_at is not None and row.expires_at < now + OVERDUE_MS
    return soon or row.reminded_at is not None or row.escalated_seq is not None


def _asked(ids: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for first in range(0, len(ids), READ_AT_ONCE):
        rows = Asked.objects.filter(interrupt__in=ids[first : first + READ_AT_ONCE])
        for interrupt, principal in rows.order_by("pk").values_list("interrupt", "principal"):
            found[interrupt].append(principal)
    return found


def words(value: Any) -> str:
    """Return a value as a line of CSV holds it."""
    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    return text if len(text) <= MAX_WORDS else f"{text[:MAX_WORDS]}..."
