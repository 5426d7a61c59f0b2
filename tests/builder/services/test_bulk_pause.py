"""A job of many runs that pauses, as what it begins fails again and again."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from builder.models import BulkItem, BulkJob, Graph, Run
from builder.services.runs import runs
from builder.services.runs.bulk import work
from builder.services.runs.runs import Start
from tests.builder.conftest import Api, People
from tests.builder.fakes import fail

pytestmark = pytest.mark.django_db
TURNS = ["503 from the gateway", "no such customer"] * (work.IN_A_ROW // 2)


def retried(people: People, graph: Graph, said: Sequence[str | None]) -> BulkJob:
    """Begin a job and deal with as many runs of it as `said` has words, which they fail with."""
    ids = [runs.start_run(people.alice, graph, Start(draft=True)) for _ in range(work.IN_A_ROW + 2)]
    for run in Run.objects.filter(pk__in=ids):
        fail(run)
    api = Api(people.oscar)
    wanted = {"select": {"ids": ids}, "action": "retry"}
    shown = api.post("runs/bulk/preview/", wanted).json()["id"]
    begun = api.post("runs/bulk/", {"preview": shown, "resend": False}).json()["id"]
    job = BulkJob.objects.get(pk=begun)
    for item, message in zip(job.items.order_by("place")[: len(said)], said, strict=True):
        work._deal_with(job, item, work._member(job))
        new = Run.objects.get(pk=BulkItem.objects.get(pk=item.pk).new_run)
        if message is None:
            Run.objects.filter(pk=new.pk).update(status=Run.Status.COMPLETED)
        else:
            fail(new, message)
    work.work_due()
    return BulkJob.objects.get(pk=begun)


def test_failures_that_take_turns_pause_it_too(people: People, graph: Graph) -> None:
    """Runs of two causes: no five in a row failed alike, and all fifty were begun in vain."""
    job = retried(people, graph, TURNS)

    assert job.status == BulkJob.Status.PAUSED
    assert job.paused_for == (
        f"{work.IN_A_ROW} in a row, for more than one reason. The last one: no such customer"
    )


@pytest.mark.parametrize("at", [0, work.IN_A_ROW - 1])
def test_one_that_came_through_lets_it_go_on(people: People, graph: Graph, at: int) -> None:
    said: list[str | None] = [*TURNS]
    said[at] = None

    assert retried(people, graph, said).status != BulkJob.Status.PAUSED
