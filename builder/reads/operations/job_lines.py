"""The runs of a bulk job, and what became of each, also as lines of CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from builder.models import BulkItem, Run
from builder.models.runs.failures import told_status
from builder.reads.csv_lines import csv_lines
from builder.reads.runs.titles import titles_of
from engine.core.state.events import iso

READ_AT_ONCE: Final = 500
HEAD: Final = ("run", "title", "result", "why", "code", "at", "new_run", "new_status")


@dataclass(frozen=True, slots=True)
class RunOfJob:
    """One run of a job, and how the run stands that goes on for it."""

    item: BulkItem
    title: str
    new_status: str | None


def runs_of_job(rows: Sequence[BulkItem]) -> list[RunOfJob]:
    """Return runs of a job with their titles and the runs that go on for them."""
    new = [item.new_run for item in rows if item.new_run]
    told = Run.objects.filter(pk__in=new).annotate(told=told_status())
    status = dict(told.values_list("pk", "told"))
    old = Run.objects.filter(pk__in=[item.run for item in rows])
    titles = titles_of(list(old.only("pk", "number")))
    return [
        RunOfJob(item, titles.get(item.run, ""), status.get(item.new_run or "")) for item in rows
    ]


def job_lines(rows: Sequence[BulkItem]) -> Iterator[str]:
    """Yield runs of a job, in their order, as lines of CSV."""
    return csv_lines(HEAD, _cells(rows))


def _cells(rows: Sequence[BulkItem]) -> Iterator[list[Any]]:
    for first in range(0, len(rows), READ_AT_ONCE):
        for one in runs_of_job(rows[first : first + READ_AT_ONCE]):
            item = one.item
            yield [
                item.run,
                one.title,
                item.result,
                item.why,
                item.code,
                "" if item.at is None else iso(item.at),
                item.new_run or "",
                one.new_status or "",
            ]
