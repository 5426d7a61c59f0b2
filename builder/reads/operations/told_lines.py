"""What people were told, in channels and by alerts, as lines of CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from builder.models import Alert, ChannelNotice, Graph
from builder.reads.csv_lines import csv_lines
from builder.reads.operations.job_lines import READ_AT_ONCE, RunName, names_of_runs
from engine.core.state.events import iso

MAX_ROWS: Final = 10_000
NOTICES: Final = (
    "at",
    "event",
    "rejected",
    "channel",
    "channel_kind",
    "state",
    "answered",
    "reason",
    "tries",
    "done",
    "run",
    "about",
    "workflow",
    "run_title",
)
ALERTS: Final = ("alert", "workflow", "open_since", "open_until", "looked_at", "told_at")


def notice_lines(rows: Iterable[ChannelNotice]) -> Iterator[str]:
    """Yield notices, in their order, as lines of CSV; their channels are there."""
    return csv_lines(NOTICES, _notices(list(rows)))


def alert_lines(rows: Iterable[Alert], said: Mapping[str, str]) -> Iterator[str]:
    """Yield alerts, in their order, as lines of CSV: what each `said`, by id, since and until when."""
    return csv_lines(ALERTS, ([said[row.pk], *_alert(row)] for row in rows))


def told_of(rows: Sequence[ChannelNotice]) -> dict[str, tuple[str, str]]:
    """Return by id the workflow and the title of the run that notices are about, as far as known."""
    runs = names_of_runs(row.run for row in rows if row.run)
    found = Graph.objects.filter(pk__in={row.graph for row in rows if row.graph})
    graphs = dict(found.values_list("pk", "name"))
    named = {row.pk: runs.get(row.run or "", RunName("", "", "")) for row in rows}
    return {
        row.pk: (graphs.get(row.graph or "", named[row.pk].graph), named[row.pk].title)
        for row in rows
    }


def _notices(rows: Sequence[ChannelNotice]) -> Iterator[list[Any]]:
    for first in range(0, len(rows), READ_AT_ONCE):
        part = rows[first : first + READ_AT_ONCE]
        told = told_of(part)
        for row in part:
            yield [*_notice(row), *told[row.pk]]


def _notice(row: ChannelNotice) -> list[Any]:
    return [
        iso(row.at),
        row.kind,
        int(bool(json.loads(row.data).get("rejected"))),
        row.channel.name,
        row.channel.kind,
        row.state,
        "" if row.status is None else row.status,
        row.reason,
        row.tries,
        "" if row.done_at is None else iso(row.done_at),
        row.run or "",
        row.ref,
    ]


def _alert(row: Alert) -> list[Any]:
    graph = row.rule.graph
    return [
        "" if graph is None else graph.name,
        iso(row.opened_at),
        "" if row.closed_at is None else iso(row.closed_at),
        iso(row.looked_at),
        "" if row.told_at is None else iso(row.told_at),
    ]
