"""The operators' dashboard, narrowed to one workflow."""

from __future__ import annotations

from datetime import UTC, datetime

from builder.base import clock
from builder.models import Activation, Graph, Spending, Timer
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from tests.builder.api.dashboards.test_operations_api import HOUR, MINUTE, live
from tests.builder.conftest import Api, People
from tests.builder.fakes import open_interrupt


def test_what_is_so_now_follows_the_workflow_that_is_chosen(
    people: People, alice: Api, graph: Graph
) -> None:
    mine, other = (live(people, "waiting", heard=MINUTE, graph=of) for of in (graph, None))
    for run in (mine, other, other):
        open_interrupt(run)
    stuck = live(people, "running", heard=HOUR)
    for n, (run, status) in enumerate(((stuck, "queued"), (mine, "retrying"))):
        place = (run.number or 0) * EVENTS_PER_RUN + n
        Activation.objects.create(place=place, key=f"k#{n}", node="k", status=status)
        Timer.objects.create(
            id=f"{run.pk}:r", run=run.pk, key=f"k#{n}", kind="retry", fire_at=clock.now_ms() + HOUR
        )
    today = datetime.now(UTC).date().isoformat()
    for slug, pico in ((graph.slug, 10**12), ("support-2", 2 * 10**12)):
        Spending.objects.create(
            workspace=people.alice.workspace, day=today, graph=slug, node="k", calls=1, pico=pico
        )
    whole, one = (alice.get(f"operations/{query}").json() for query in ("", f"?graph={graph.pk}"))
    all_now, now = (alice.get(f"overview/{query}").json() for query in ("", f"?graph={graph.pk}"))

    assert [{row["kind"]: row["runs"] for row in seen["waits"]} for seen in (whole, one)] == [
        {"approval": 2, "retry": 2},
        {"approval": 1, "retry": 1},
    ]
    assert [(seen["queue"]["runs"], seen["queue"]["retrying_runs"]) for seen in (whole, one)] == [
        (1, 2),
        (0, 1),
    ]
    assert [(seen["runs"]["running"], seen["runs"]["waiting"]) for seen in (all_now, now)] == [
        (1, 2),
        (0, 1),
    ]
    assert [seen["open_interrupts"] for seen in (all_now, now)] == [3, 1]
    assert [float(seen["spend_month_usd"]) for seen in (all_now, now)] == [3, 1]
    assert alice.get("overview/?graph=none").status_code == 404
