"""The processes of this installation: what each does, how much it has in hand, when it was heard of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db import connection

from builder.models import Worker
from engine.runtime.stores.sql.ownership import NOT_ENDED

MAX_PROCESSES: Final = 500
IN_HAND: Final = (
    "SELECT owner, COUNT(*) FROM builder_run "  # noqa: S608  (constants)
    f"WHERE {NOT_ENDED} GROUP BY owner"
)


@dataclass(frozen=True, slots=True)
class Process:
    """A process, and how many unfinished runs are its own; those that rest are nobody's."""

    row: Worker
    runs: int


def processes() -> list[Process]:
    """Return the processes, the latest heard of first; who serves people alone has no runs."""
    held = runs_in_hand()
    rows = Worker.objects.order_by("-last_seen_at", "boot_id")[:MAX_PROCESSES]
    return [Process(row, held.get(row.boot_id, 0)) for row in rows]


def runs_in_hand() -> dict[str | None, int]:
    """Return how many unfinished runs each process owns; under None those that are nobody's."""
    with connection.cursor() as cursor:
        cursor.execute(IN_HAND)
        return dict(cursor.fetchall())
