"""Runs as lines of CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import orjson

from builder.models import Run
from builder.models.querysets import RunQuerySet
from builder.models.runs.failures import SAID_NO
from builder.reads.csv_lines import csv_lines
from builder.reads.figures import people
from builder.reads.runs.asleep import asleep
from builder.reads.runs.choice import BULK
from builder.reads.runs.marks import (
    NOT_FAILED,
    failed_at,
    rejected_below,
    rejected_by,
    status_words,
    tags_of,
)
from builder.reads.runs.origins import triggers_of
from builder.reads.runs.titles import titles_of
from engine.core.budgets.money import usd
from engine.core.state.events import iso

MAX_ROWS: Final = 10_000
READ_AT_ONCE: Final = 500
HEAD: Final = (
    "run",
    "title",
    "workflow",
    "version",
    "status",
    "started_by",
    "started_by_id",
    "started",
    "ended",
    "seconds",
    "tokens",
    "usd",
    "failed_node",
    "failed_step",
    "code",
    "error",
    "tags",
    "parent_run",
    "sleeps_until",
    "source",
    "trigger",
    "status_in_words",
    "rejected_by",
)


def run_lines(rows: RunQuerySet) -> Iterator[str]:
    """Yield the first `MAX_ROWS` runs, in their order, as lines of CSV."""
    return csv_lines(HEAD, _cells(rows[:MAX_ROWS]))


def _cells(rows: RunQuerySet) -> Iterator[list[Any]]:
    found = list(rows)
    for first in range(0, len(found), READ_AT_ONCE):
        part = found[first : first + READ_AT_ONCE]
        titles, tags, steps = titles_of(part), tags_of(part), failed_at(part)
        until, triggers = asleep(part), triggers_of(part)
        own = [run for run in part if steps.get(run.pk, NOT_FAILED)[1]]
        refused = {**rejected_by(own), **rejected_below(part)}
        names = people({run.started_by for run in part} | set(refused.values()))
        for run in part:
            sleeps = iso(until[run.pk]) if run.pk in until else ""
            begun = [_source(run), triggers.get(run.trigger or "", run.trigger or "")]
            step, is_rejected = steps.get(run.pk, NOT_FAILED)
            line, by = _line(run, names, tags.get(run.pk, {}), step), refused.get(run.pk, "")
            told = SAID_NO if is_rejected else "asleep" if sleeps else run.status
            yield [
                run.pk,
                titles[run.pk],
                *line,
                sleeps,
                *begun,
                status_words(told),
                names.get(by, by),
            ]


def _line(run: Run, names: Mapping[str, str], tags: Mapping[str, str], step: str) -> Sequence[Any]:
    error = orjson.loads(run.error) if run.error else {}
    took = "" if run.ended_at is None else (run.ended_at - run.started_at) / 1000
    return [
        run.graph.name if run.graph else run.graph_slug,
        _version(run),
        run.status,
        names.get(run.started_by or "", ""),
        run.started_by or "",
        iso(run.started_at),
        "" if run.ended_at is None else iso(run.ended_at),
        took,
        run.spent_tokens,
        Decimal(usd(run.spent_pico)),
        str(error.get("node") or ""),
        step,
        str(error.get("code") or ""),
        str(error.get("message") or ""),
        "; ".join(f"{name}: {value}" for name, value in tags.items()),
        run.parent_run or "",
    ]


def _source(run: Run) -> str:
    """Return what started a run; of those that a bulk job tried again none is noted."""
    return run.source or (BULK if (run.trigger_key or "").startswith("bulk:") else "")


def _version(run: Run) -> str | int:
    if run.version is None:
        return ""
    return "draft" if run.version.is_draft else run.version.number or ""
