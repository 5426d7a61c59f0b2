"""The success rate of runs: one definition, for lists and boards alike."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Count, Q

from builder.models.runs.failures import was_rejected

PUBLISHED: Final = ~Q(version__is_draft=True)
"""Runs of a published version: no tests of a draft."""
COMPLETED: Final = Q(status="completed") & PUBLISHED
"""Runs that count as a success."""
NEEDS: Final = ("completed", "failed", "timeout")
"""The ends that say whether a workflow works."""


def counted() -> Q:
    """Return which runs count: those of a published version that completed, failed or timed out.

    Left out are tests of a draft, what is not over, what somebody cancelled, and what a person
    rejected at an approval: that is a decision. An approval that nobody decided in time failed. Runs
    that other runs started count like all others.
    """
    return Q(status__in=NEEDS) & PUBLISHED & ~was_rejected()


def success_rate(completed: int, of: int) -> float | None:
    """Return the share of `COMPLETED` of `counted`, from 0 to 1; None where nothing counts."""
    return round(completed / of, 4) if of else None


def success_among(runs: Any) -> float | None:
    """Return the success rate of the runs that a query finds."""
    found = runs.aggregate(
        completed=Count("pk", filter=COMPLETED), of=Count("pk", filter=counted())
    )
    return success_rate(found["completed"], found["of"])
