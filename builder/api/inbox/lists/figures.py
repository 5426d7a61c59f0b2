"""Which items a figure of the dashboards counts: every number opens exactly its rows."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import Field

from builder.api.http.wire import Body, Moment
from builder.base.clock import now_ms
from builder.models.querysets import InterruptQuerySet
from builder.reads.reviews.approvals import MAX_DECIDED, edited, is_late, named

OUTCOMES: Final = ("decided", "approved", "edited", "rejected", "expired")


class FigureBody(Body):
    """Items by when they opened and closed, what became of them, and whom the question names."""

    opened_until: Moment | None = None
    closed_since: Moment | None = None
    closed_until: Moment | None = None
    outcome: Literal["", "decided", "approved", "edited", "rejected", "expired"] = ""
    named: Annotated[str, Field(max_length=200)] = ""
    late: Literal["", "true"] = ""

    def among(self, rows: InterruptQuerySet) -> InterruptQuerySet:
        """Return those of the rows."""
        times = {
            "opened_at__lt": self.opened_until,
            "decided_at__gte": self.closed_since,
            "decided_at__lt": self.closed_until,
        }
        rows = rows.filter(**{name: _ms(at) for name, at in times.items() if at is not None})
        if self.outcome:
            rows = _with_outcome(rows, self.outcome)
        if self.late:
            rows = rows.filter(is_late(now_ms()))
        return rows.filter(named(self.named)) if self.named else rows


FIGURES: Final = tuple(FigureBody.model_fields)


def _with_outcome(rows: InterruptQuerySet, outcome: str) -> InterruptQuerySet:
    if outcome == "expired":
        return rows.filter(status="expired")
    rows = rows.filter(status="answered")
    if outcome == "decided":
        return rows
    if outcome == "edited":
        latest = rows.filter(outcome="approved").order_by("-decided_at")[:MAX_DECIDED]
        return rows.filter(pk__in=edited(latest))
    return rows.filter(outcome=outcome)


def _ms(at: Any) -> int:
    return int(at.timestamp() * 1000)
