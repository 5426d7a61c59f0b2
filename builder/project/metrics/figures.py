"""Figures of the installation, read from the database when they are asked for.

Each is read over what is not over yet, however much has ended. Names are as Prometheus wants them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.db import connection
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from builder.base import clock
from engine.runtime.stores.sql.ownership import ALIVE_MS, NOT_ENDED

RUNS: Final = f"SELECT status, COUNT(*) FROM builder_run WHERE {NOT_ENDED} GROUP BY status"  # noqa: S608
UNCLAIMED: Final = (
    "SELECT COUNT(*), MIN(wake_at) FROM builder_run "  # noqa: S608  (constants)
    f"WHERE {NOT_ENDED} AND owner IS NULL AND wake_at <= %s"
)
ITEMS: Final = "SELECT kind, COUNT(*), MIN(opened_at) FROM builder_interrupt WHERE status = 'open' GROUP BY kind"
REQUESTS: Final = "SELECT COUNT(*), MIN(created) FROM builder_request WHERE answered IS NULL"
PROCESSES: Final = "SELECT kind, version, COUNT(*) FROM builder_worker WHERE last_seen_at > %s GROUP BY kind, version"
LETTERS: Final = "SELECT COUNT(*), MIN(available_at) FROM builder_outbox WHERE done_at IS NULL AND available_at <= %s"


class Installation(Collector):
    """Runs, items, requests, letters and processes that are there now."""

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Read all figures; what the database refuses is raised."""
        now = clock.now_ms()
        yield from _runs(now)
        yield from _waiting(now)
        processes = _gauge("processes", "Processes that were heard of lately.", "kind", "version")
        for kind, version, count in _rows(PROCESSES, now - ALIVE_MS):
            processes.add_metric([kind, version], count)
        yield processes


def _runs(now: int) -> Iterable[GaugeMetricFamily]:
    runs = _gauge("runs", "Runs that are not over, by status.", "status")
    for status, count in _rows(RUNS):
        runs.add_metric([status], count)
    yield runs
    yield from _queue(
        "runs_unclaimed", "Runs that may move and that no process has.", UNCLAIMED, now
    )


def _waiting(now: int) -> Iterable[GaugeMetricFamily]:
    items = _gauge("items_open", "What waits for people, by kind.", "kind")
    oldest = _gauge("items_oldest_seconds", "How long the oldest of them waits.", "kind")
    for kind, count, since in _rows(ITEMS):
        items.add_metric([kind], count)
        oldest.add_metric([kind], (now - since) / 1000)
    yield items
    yield oldest
    yield from _queue("requests_open", "What was asked of runs and is not answered.", REQUESTS, now)
    yield from _queue(
        "letters_due", "Mail and messages that are due and have not left.", LETTERS, now
    )


def _queue(name: str, text: str, query: str, now: int) -> Iterable[GaugeMetricFamily]:
    """Return how many wait, and how long the first of them does."""
    [(count, since)] = _rows(query, *([now] * query.count("%s")))
    yield GaugeMetricFamily(f"graphwright_{name}", text, value=count)
    waits = 0.0 if since is None else max(0, now - since) / 1000
    yield GaugeMetricFamily(
        f"graphwright_{name}_oldest_seconds", f"The oldest: {text}", value=waits
    )


def _gauge(name: str, text: str, *labels: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"graphwright_{name}", text, labels=labels)


def _rows(query: str, *parameters: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return list(cursor.fetchall())
