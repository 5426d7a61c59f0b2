"""What people said of an approval that needs several, and in whose place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from builder.models import Decision
from engine.core.people.quorum import Fills


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """One decision of an approval that needs several."""

    by: str
    decision: str
    at: int
    comment: str | None
    fills: Fills
    stands_for: str | None = None


def recorded(one: Decision, data: Mapping[str, Any]) -> RecordedDecision:
    """Return a decision with what its event carries."""
    return RecordedDecision(
        one.decided_by,
        one.decision,
        one.decided_at,
        data.get("comment"),
        data.get("fills"),
        data.get("stands_for"),
    )
