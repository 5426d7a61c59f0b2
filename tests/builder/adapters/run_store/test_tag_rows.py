"""The tags of a run are written with its start, bounded, and go with it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection

from builder.adapters.run_store.project_rows import MAX_TAGS, ProjectRows
from builder.models import Run, RunSpending, RunTag
from builder.services.runs.retention import pruning

pytestmark = pytest.mark.django_db


def started(metadata: Any) -> Any:
    """A batch that begins a run, as much of it as the rows beside it read."""
    return SimpleNamespace(
        run_id="r1", start=None, state=SimpleNamespace(started={"metadata": metadata})
    )


def write(number: int, metadata: Any) -> None:
    mine = ProjectRows(mail=False).of_start(number, started(metadata))
    with connection.cursor() as cursor:
        for sql, values in mine:
            cursor.execute(sql.replace("?", "%s"), values)


def test_the_first_of_many_are_kept_and_long_ones_are_cut() -> None:
    write(7, {"customer": "acme", "n" * 100: "v" * 1_000, **{f"k{n}": "x" for n in range(50)}})

    rows = RunTag.objects.filter(number=7).order_by("pk")
    assert rows.count() == MAX_TAGS
    assert [(len(row.name), len(row.value)) for row in rows[:2]] == [(8, 4), (64, 200)]


def test_they_go_with_the_run(run: Run) -> None:
    write(run.number or 0, {"customer": "acme"})
    RunSpending.objects.create(run=run.pk, day="2026-11-22", node="draft")
    Run.objects.filter(pk=run.pk).update(status="completed", ended_at=1)
    pruning.prune(run.workspace_id, 1, 10**15)

    assert not RunTag.objects.exists()
    assert not RunSpending.objects.exists()
