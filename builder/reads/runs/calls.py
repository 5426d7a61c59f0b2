"""Which calls of models a sum of spending is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from builder.models import RunSpending

NOBODY: Final = "-"
"""As a person, model or agent: runs and calls without one."""


@dataclass(frozen=True, slots=True)
class CallChoice:
    """Days, both included (`2026-11-22`), and what made the calls; what is empty says nothing."""

    first: str = ""
    last: str = ""
    node: str = ""
    model: str = ""
    agent: str = ""
    unpriced: bool = False
    """Only calls of a model without a price."""

    def rows(self) -> QuerySet[RunSpending]:
        """Return the sums of the chosen calls by run."""
        rows = RunSpending.objects.all()
        if self.first:
            rows = rows.filter(day__gte=self.first)
        if self.last:
            rows = rows.filter(day__lte=self.last)
        by = {"node": self.node, "model": self.model, "agent": self.agent}
        said = {name: "" if text == NOBODY else text for name, text in by.items() if text}
        rows = rows.filter(**said)
        return rows.filter(unpriced__gt=0) if self.unpriced else rows


ALL_CALLS: Final = CallChoice()
