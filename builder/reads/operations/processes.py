"""The processes of this installation: what each does, how much it has in hand, when it was heard of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db import connection
from django.db.models import Count, Q

from builder.models import Run, Worker
from builder.models.querysets import RunQuerySet
from engine.runtime.stores.sql.ownership import NOT_ENDED

MAX_PROCESSES: Final = 500
IN_HAND: Final = (
    "SELECT owner, COUNT(*) FROM builder_run "  # noqa: S608  (constants)
    f"WHERE {NOT_ENDED} GROUP BY owner"
)
UNFINISHED: Final = Q(status__in=sorted({*Run.Status.values} - Run.ENDED))
"""Said by what they are: an index finds these beside any number of ended ones."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process, and how many unfinished runs are its own; those that rest are nobody's.

    `runs` are those of all workspaces, `here` those that somebody may see.
    """

    row: Worker
    runs: int
    here: int


def processes(here: Mapping[str | None, int]) -> list[Process]:
    """Return the processes, the latest heard of first; who serves people alone has no runs."""
    held = runs_in_hand()
    rows = Worker.objects.order_by("-last_seen_at", "boot_id")[:MAX_PROCESSES]
    return [Process(row, held.get(row.boot_id, 0), here.get(row.boot_id, 0)) for row in rows]


def in_hand_among(rows: RunQuerySet) -> dict[str | None, int]:
    """Return how many unfinished of the rows each process owns; under None those that are nobody's."""
    found = rows.filter(UNFINISHED).order_by().values("owner").annotate(n=Count("pk"))
    return dict(found.values_list("owner", "n"))


def runs_in_hand() -> dict[str | None, int]:
    """Return how many unfinished runs each process owns; under None those that are nobody's."""
    with connection.cursor() as cursor:
        cursor.execute(IN_HAND)
        return dict(cursor.fetchall())
