"""Every figure that counts runs leads to a list of exactly so many."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from builder.models import Activation, Graph, Run, Timer
from builder.services.runs import runs
from builder.services.runs.runs import Start
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from tests.builder.conftest import Api, People
from tests.builder.fakes import open_interrupt

pytestmark = pytest.mark.django_db
ENDS = ("completed", "failed", "timeout", "cancelled")


@pytest.fixture
def busy(people: People, graph: Graph) -> list[Run]:
    """Runs that ended in several hours and ways, and some that wait for one thing or another."""
    now = int(timezone.now().timestamp() * 1000)
    found = []
    for n in range(16):
        run = Run.objects.get(
            pk=runs.start_run(people.alice, graph, Start(draft=True, input="Tess"))
        )
        ended = now - n * 1_700_000
        row = {"status": ENDS[n % 4], "started_at": ended - 1_000, "ended_at": ended}
        Run.objects.filter(pk=run.pk).update(**row if n < 12 else {})
        found.append(run)
    for n, kind in enumerate(("sleep", "retry")):
        run = found[12 + n]
        Timer.objects.create(
            id=f"{run.pk}:x", run=run.pk, key="a#1", kind=kind, fire_at=now + 10**6
        )
    open_interrupt(found[14])
    Activation.objects.create(
        place=(found[15].number or 0) * EVENTS_PER_RUN, key="draft#1", node="draft", status="queued"
    )
    Run.objects.filter(pk=found[15].pk).update(parent_run=found[12].pk)
    return found


def count(api: Api, **query: Any) -> int:
    text = "&".join(f"{name}={value}" for name, value in query.items())
    answer = api.get(f"runs/?{text}")
    assert answer.status_code == 200, answer.content
    return int(answer.json()["total"])


def test_each_part_of_each_bar_opens_its_runs(alice: Api, busy: list[Run]) -> None:
    board = alice.get("operations/?hours=24").json()

    seen = 0
    for bar in board["bars"]:
        until = datetime.fromisoformat(bar["at"]) + timedelta(milliseconds=board["bar_ms"])
        stretch = {
            "ended_since": bar["at"],
            "ended_until": until.isoformat().replace("+00:00", "Z"),
        }
        for end in ENDS:
            assert count(alice, status=end, **stretch) == bar[end]
            seen += bar[end]
        assert count(alice, **stretch) == sum(bar[end] for end in ENDS)
    assert seen == 12


def test_the_tiles_open_what_they_count(alice: Api, busy: list[Run]) -> None:
    board = alice.get("operations/?hours=24").json()
    overview = alice.get("overview/").json()["runs"]
    stretch = {"ended_since": board["since"], "ended_until": board["until"]}

    for end in ENDS:
        assert count(alice, status=end, **stretch) == board["total"][end]
    assert count(alice, status="running,queued,ending") == overview["running"]
    assert count(alice, status="waiting") == overview["waiting"]


def test_each_wait_opens_the_runs_that_wait_for_it(alice: Api, busy: list[Run]) -> None:
    waits = {row["kind"]: row["runs"] for row in alice.get("operations/").json()["waits"]}

    assert set(waits) == {"sleep", "retry", "approval", "child_run"}
    for kind, runs_waiting in waits.items():
        assert count(alice, waiting=kind) == runs_waiting
    assert count(alice, waiting="turn") == 1


def test_people_and_spend_narrow_the_list(alice: Api, people: People, busy: list[Run]) -> None:
    Run.objects.filter(pk=busy[0].pk).update(spent_pico=5)

    assert count(alice, person=people.alice.user_id) == 16
    assert count(alice, person=people.bob.user_id) == 0
    assert count(alice, spent="true") == 1
    assert alice.get("runs/?waiting=godot").status_code == 400
    assert {row["title"] for row in alice.get("runs/").json()["results"]} == {"Tess"}
