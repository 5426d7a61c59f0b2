"""The success rate is one figure: of published runs that say whether a workflow works."""

from __future__ import annotations

import pytest

from builder.base import clock
from builder.models import Graph, Run
from builder.services.graphs import graphs
from builder.services.runs import runs
from builder.services.runs.runs import Start
from tests.builder.conftest import Api, People
from tests.builder.fakes import fail

pytestmark = pytest.mark.django_db
PUBLISHED = ("completed", "failed", "timeout", "cancelled", "completed", "rejected")


def test_it_counts_published_runs_alone_and_is_the_same_in_lists_and_boards(
    alice: Api, people: People, graph: Graph
) -> None:
    """One was cancelled and one rejected: they do not count, nor does the test of a draft."""
    made = [runs.start_run(people.alice, graph, Start(draft=True)) for _ in range(7)]
    now = clock.now_ms()
    times = {"started_at": now - 6_000, "ended_at": now - 5_000}
    Run.objects.filter(pk__in=made).update(status="completed", **times)
    version = graphs.publish(people.alice, graph, revision=graph.revision)
    for pk, status in zip(made, PUBLISHED, strict=False):
        if status == "rejected":
            fail(Run.objects.get(pk=pk), "rejected: not ours", code="ApprovalRejected")
            status = "failed"
        Run.objects.filter(pk=pk).update(version=version, status=status, **times)
    board = alice.get("operations/?hours=24").json()
    [row] = alice.get("graphs/").json()["results"]

    assert board["total"]["success_rate"] == row["success_rate"] == round(2 / 4, 4)
    query = "status=completed,failed,timeout&rejected=false&tests=false"
    stretch = f"ended_since={board['since']}&ended_until={board['until']}"
    assert alice.get(f"runs/?{query}&{stretch}").json()["total"] == 4
