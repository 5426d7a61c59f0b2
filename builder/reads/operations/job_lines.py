"""The runs of a bulk job, and what became of each, also as lines of CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from builder.models import BulkItem, Run
from builder.models.runs.failures import told_of, told_status
from builder.reads.csv_lines import csv_lines
from builder.reads.runs.asleep import asleep
from builder.reads.runs.titles import titles_of
from engine.core.state.events import iso

READ_AT_ONCE: Final = 500
ASLEEP: Final = "asleep"
HEAD: Final = ("run", "title", "result", "why", "code", "at", "new_run", "new_status", "workflow")


@dataclass(frozen=True, slots=True)
class RunOfJob:
    """One run of a job, and how the run stands that goes on for it."""

    item: BulkItem
    title: str
    graph: str
    new_status: str | None


@dataclass(frozen=True, slots=True)
class RunName:
    """What a run is called: its title, which may be empty, its workflow, and how it stands."""

    title: str
    graph: str
    status: str


def names_of_runs(ids: Iterable[str]) -> dict[str, RunName]:
    """Return what runs are called by id, in a fixed number of queries; one that is gone is left out."""
    rows = Run.objects.filter(pk__in=set(ids)).select_related("graph").annotate(told=told_status())
    found = list(rows.only("pk", "number", "version", "status", "graph_slug", "graph__name"))
    titles, sleeping = titles_of(found), asleep(found)
    return {
        run.pk: RunName(
            titles.get(run.pk, ""),
            run.graph_slug if run.graph is None else run.graph.name,
            ASLEEP if run.pk in sleeping else told_of(run),
        )
        for run in found
    }


def runs_of_job(rows: Sequence[BulkItem]) -> list[RunOfJob]:
    """Return runs of a job with their titles and the runs that go on for them."""
    new = [item.new_run for item in rows if item.new_run]
    told = Run.objects.filter(pk__in=new).annotate(told=told_status())
    status = dict(told.values_list("pk", "told"))
    names = names_of_runs(item.run for item in rows)
    gone = RunName("", "", "")
    return [
        RunOfJob(item, name.title, name.graph, status.get(item.new_run or ""))
        for item in rows
        for name in [names.get(item.run, gone)]
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
                one.graph,
            ]
