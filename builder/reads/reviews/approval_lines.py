"""Approvals that closed as lines of CSV: how each was decided, and what of it was changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from builder.models import Interrupt, Membership, Run
from builder.reads import event_log as log
from builder.reads.csv_lines import csv_lines
from builder.reads.figures import people
from builder.reads.reviews.approvals import Span, edited, words
from builder.reads.reviews.item_lines import READ_AT_ONCE, called_of
from engine.core.state.events import iso

HEAD: Final = (
    "workflow",
    "node",
    "run",
    "outcome",
    "edited",
    "opened",
    "closed",
    "seconds",
    "decided_by",
    "decided_by_id",
    "comment",
    "changes",
    "decided_for",
    "decided_for_id",
    "workflow_name",
    "step",
    "asked",
    "run_title",
    "amount_before",
    "amount_after",
    "currency",
)


def as_csv(span: Span, member: Membership) -> Iterator[str]:
    """Yield every approval that closed in the stretch as a line of CSV: who decided, and what of it
    they changed (`amount: 77.08 -> 12.50`), then what people call all that.
    """
    return csv_lines(HEAD, _lines(span.closed(), member))


def _lines(rows: Sequence[Interrupt], member: Membership) -> Iterator[list[Any]]:
    changed = edited(rows)
    for first in range(0, len(rows), READ_AT_ONCE):
        part = rows[first : first + READ_AT_ONCE]
        found = Run.objects.filter(pk__in={row.run for row in part})
        slugs = dict(found.values_list("pk", "graph_slug"))
        carried = log.data_at((row.run, row.resolved_seq) for row in part)
        absent = [said.get("stands_for") for said in carried.values()]
        names = people([*(row.decided_by for row in part), *absent])
        called = called_of(part, member)
        for row in part:
            said = carried.get((row.run, row.resolved_seq or 0), {})
            closed = row.decided_at or row.opened_at
            yield [
                slugs.get(row.run, ""),
                row.node,
                row.run,
                row.outcome,
                int(row.pk in changed),
                iso(row.opened_at),
                iso(closed),
                (closed - row.opened_at) // 1000,
                names.get(row.decided_by or "", row.decided_by or ""),
                row.decided_by or "",
                str(said.get("comment") or ""),
                _changes(said),
                names.get(said.get("stands_for") or "", said.get("stands_for") or ""),
                said.get("stands_for") or "",
                *called[row.pk],
            ]


def _changes(said: Mapping[str, Any]) -> str:
    """Return what a decision changed, in words; of a log from before that was kept the new values."""
    found = said.get("changes")
    if isinstance(found, list):
        return "; ".join(
            f"{one['key']}: {words(one.get('before'))} -> {words(one.get('after'))}"
            for one in found
        )
    edits = said.get("edits") or {}
    return "; ".join(f"{key}: -> {words(value)}" for key, value in edits.items())
