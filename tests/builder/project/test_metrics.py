"""`/metrics`: who may read it, and that its figures are those of the rows, as Prometheus reads them."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.db import OperationalError, connection
from prometheus_client.parser import text_string_to_metric_families

from builder.base import clock
from builder.models import RunRequest, Worker
from builder.process.watch.answered import area_of
from builder.project.metrics import door as doors
from builder.project.metrics.door import MetricsDoor
from builder.project.metrics.figures import RUNS, Installation
from builder.project.metrics.traffic import CountedHttp
from builder.reads.operations.processes import IN_HAND
from engine.runtime.stores.sql.ownership import MOVABLE
from tests.builder.api.dashboards.test_operations_api import ended, live
from tests.builder.conftest import People
from tests.builder.fakes import open_interrupt

pytestmark = pytest.mark.django_db(transaction=True)
HERE = ("127.0.0.1", 50_000)
Figures = dict[tuple[str, tuple[str, ...]], float]


async def inside(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 418, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


async def ask(path: str = "/metrics", client: Any = HERE, **headers: str) -> tuple[int, str]:
    """Return status and text of an answer."""
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "path": path, "method": "GET", "headers": sent, "client": client}
    talk = ApplicationCommunicator(CountedHttp(MetricsDoor(inside)), scope)
    await talk.send_input({"type": "http.request"})
    start, body = await talk.receive_output(10), await talk.receive_output(10)
    return start["status"], body["body"].decode()


def read(text: str) -> Figures:
    """Return the figures by name and labels, as Prometheus' own parser finds them."""
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_only_this_machine_or_who_has_the_token(settings: Any) -> None:
    assert (await ask())[0] == 200
    assert (await ask("/metrics/"))[0] == 418
    for client, headers in (
        (("10.0.0.7", 1), {}),
        (None, {}),
        (HERE, {"x_forwarded_for": "10.0.0.7"}),
    ):
        status, text = await ask(client=client, **headers)
        assert status == 403
        assert "MetricsRefused" in text
        assert "METRICS_TOKEN" in text

    settings.METRICS_TOKEN = "a-token"
    assert (await ask())[0] == 403
    assert (await ask(authorization="Bearer another"))[0] == 403
    assert (await ask(client=("10.0.0.7", 1), authorization="Bearer a-token"))[0] == 200


async def test_behind_a_proxy_this_machine_is_everybody(settings: Any) -> None:
    settings.BEHIND_PROXY = True

    assert (await ask())[0] == 403


async def test_requests_are_counted_by_what_they_are_for() -> None:
    name = ("graphwright_http_requests_total", ("api", "GET", "418"))
    before = read((await ask())[1]).get(name, 0)

    await ask("/api/graphs/one-that-nobody-ever-named/")

    found = read((await ask())[1])
    assert found[name] == before + 1
    assert not any("named" in label for _, labels in found for label in labels)
    assert [area_of(path) for path in ("/api/x", "/", "/runs/1", "api")] == ["api", *["page"] * 3]


async def test_a_database_that_is_away_is_told_beside_what_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def away(*_: Any) -> Any:
        raise OperationalError("the database is away")

    monkeypatch.setattr(Installation, "collect", away)

    status, text = await ask()

    found = read(text)
    assert status == 200
    assert found["graphwright_database_up", ()] == 0
    assert found["process_start_time_seconds", ()] > 0
    assert "away" not in text


def test_the_figures_are_those_of_the_rows(people: People) -> None:
    now = clock.now_ms()
    ended(people, "failed", ago=0)
    for status in ("running", "running", "waiting"):
        run = live(people, status, heard=60_000, wake_at=now - 5_000, owner="w1")
    run.owner = None
    run.save()
    RunRequest.objects.create(run=run, kind="cancel", payload="{}", by="x", created=now - 9_000)
    open_interrupt(run)
    for kind, seen in (("web", now), ("worker", now), ("worker", now - 60_000)):
        seen_at = {"started_at": 0, "last_seen_at": seen}
        Worker.objects.create(boot_id=f"{kind}{seen}", pid=1, kind=kind, version="1.2", **seen_at)

    found = read(doors.MetricsDoor(inside)._read().decode())

    assert found["graphwright_runs", ("running",)] == 2
    assert found["graphwright_runs", ("waiting",)] == 1
    assert ("graphwright_runs", ("failed",)) not in found
    assert found["graphwright_runs_unclaimed", ()] == 1
    assert 4.9 <= found["graphwright_runs_unclaimed_oldest_seconds", ()] <= 60
    assert found["graphwright_requests_open", ()] == 1
    assert found["graphwright_requests_open_oldest_seconds", ()] >= 8.9
    assert found["graphwright_items_open", ("approval",)] == 1
    assert found["graphwright_processes", ("worker", "1.2")] == 1
    assert found["graphwright_processes", ("web", "1.2")] == 1


@pytest.mark.parametrize("query", [RUNS, IN_HAND, MOVABLE.replace("?", "'me'")])
def test_runs_that_are_over_are_not_looked_at(query: str) -> None:
    """Neither for figures nor by the scans of workers, however many there are."""
    now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {query.replace('NOW_MS', now)}")
        plan = " ".join(str(row) for row in cursor.fetchall())

    assert "run_unfinished" in plan
