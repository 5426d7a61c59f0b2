"""Failures by cause over HTTP: who may, what is told, and the runs behind each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from builder.api.http.wire import time
from builder.base.clock import now_ms
from builder.models import AuditEntry, FailureCause, Graph, Run, RunFailure
from builder.reads.runs.answered import line_of
from builder.services.audit import chain
from builder.services.runs import causes, runs
from builder.services.runs.retention import pruning
from builder.services.runs.runs import Start
from engine.core.errors import UNDECIDED
from tests.builder.conftest import Api, People
from tests.builder.fakes import NOW, fail

pytestmark = pytest.mark.django_db


def started(people: People, graph: Graph, **more: Any) -> Run:
    run_id = runs.start_run(people.alice, graph, Start(draft=True, **more))
    return Run.objects.get(pk=run_id)


@pytest.fixture
def morning(people: People, graph: Graph) -> list[FailureCause]:
    """Three runs failed of one cause and two of another, one went well."""
    for n in range(3):
        one = fail(started(people, graph), f"503 from the gateway, try {n}")
    for n in range(2):
        other = fail(started(people, graph), f"no customer '{n}'", node="review")
    started(people, graph)
    return [one, other]


def actions() -> list[str]:
    return [chain.read(entry)["action"] for entry in AuditEntry.objects.order_by("n")]


def test_each_cause_opens_exactly_the_runs_it_counts(alice: Api, morning: Any) -> None:
    listed = alice.get("causes/").json()["results"]

    assert sorted(row["count"] for row in listed) == [2, 3]
    for row in listed:
        found = alice.get(f"runs/?cause={row['id']}").json()
        assert found["total"] == row["count"]
        assert {run["error"]["node"] for run in found["results"]} == {row["node"]}
        assert alice.get(f"runs/?node={row['node']}").json()["total"] == row["count"]


def test_causes_of_a_stretch_count_what_failed_in_it(alice: Api, morning: Any) -> None:
    first, second = RunFailure.objects.filter(cause=morning[0].pk).order_by("pk")[:2]
    RunFailure.objects.filter(pk=first.pk).update(at=1_000)
    RunFailure.objects.filter(pk=second.pk).update(at=2_000)
    stretch = f"since={time(500)}&until={time(2_000)}"

    [early] = alice.get(f"causes/?{stretch}&ordering=-count").json()["results"]
    later = alice.get(f"causes/?since={time(2_000)}&ordering=-count").json()["results"]

    assert (early["id"], early["count"]) == (morning[0].pk, 1)
    assert sorted(row["count"] for row in later) == [2, 2]
    assert alice.get(f"causes/{early['id']}/").json()["count"] == 3


def test_a_cause_is_told_in_full(alice: Api, morning: list[FailureCause]) -> None:
    row = alice.get(f"causes/{morning[0].pk}/").json()

    assert (row["graph"]["name"], row["label"]) == ("Support", "draft")
    assert row["sample"] == "503 from the gateway, try 2"
    assert (row["since_version"], row["state"], row["assignee"]) == ("draft", "open", None)
    assert len(row["spark"]) == 24


def test_a_spent_budget_is_one_cause_called_without_its_amounts(
    alice: Api, people: People, graph: Graph
) -> None:
    says = "the workspace's budget does not allow it"
    for used in ("5 of 4 tokens used", "12,000 of 4 tokens used, 7 reserved for calls under way"):
        fail(started(people, graph), f"{says}: {used}", code="WorkspaceBudgetExceeded")

    [row] = alice.get("causes/").json()["results"]

    assert (row["title"], row["count"]) == (says, 2)


def test_a_cause_says_what_the_latest_run_was_answered(
    alice: Api, people: People, graph: Graph
) -> None:
    """The message alone groups: answers that differ are one cause, of which the latest is told."""
    message = "POST http://ledger/pay answered 500 Internal Server Error"
    for n in range(2):
        body = f'{{"error": "ledger is locked, ticket {n}"}}'
        run = started(people, graph)
        fail(run, message, detail={"answer": {"status": 500, "body": body}})
        assert run.number is not None
        RunFailure.objects.filter(number=run.number).update(at=NOW + n)

    [row] = alice.get("causes/").json()["results"]

    assert (row["count"], row["sample"]) == (2, message)
    assert row["answered"] == "ledger is locked, ticket 1"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ('{"error": {"message": "too many"}}', "too many"),
        ("\n  Bad gateway\nnginx", "Bad gateway"),
        ('{"ok": false}', '{"ok": false}'),
        ("x" * 500, "x" * 199 + "…"),
        (None, ""),
    ],
)
def test_an_answer_is_told_in_one_line(body: str | None, line: str) -> None:
    assert line_of({"detail": {"answer": {"status": 500, "body": body}}}) == line


def test_it_is_assigned_muted_resolved_and_opened_again(
    alice: Api, people: People, morning: list[FailureCause]
) -> None:
    path = f"causes/{morning[0].pk}/"
    begun = len(actions())

    assert (
        alice.patch(path, {"assignee": people.oscar.user_id}).json()["assignee"]["name"] == "Oscar"
    )
    until = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    assert alice.patch(path, {"state": "muted", "until": until}).json()["state"] == "muted"
    assert [row["count"] for row in alice.get("causes/?state=open").json()["results"]] == [2]
    assert alice.get("causes/?state=muted").json()["total"] == 1
    assert alice.patch(path, {"state": "resolved"}).json()["state"] == "resolved"
    assert alice.patch(path, {"state": "open"}).json()["state"] == "open"

    assert actions()[begun:] == [
        "cause.assigned",
        "cause.muted",
        "cause.resolved",
        "cause.reopened",
    ]


def test_what_a_run_has_opened_again_is_told_once(
    alice: Api, people: People, graph: Graph, morning: list[FailureCause]
) -> None:
    FailureCause.objects.filter(pk=morning[0].pk).update(state="open", reopened_by="r" * 36)
    begun = len(actions())

    assert (causes.tell_reopened(), causes.tell_reopened()) == (1, 0)

    assert actions()[begun:] == ["cause.reopened"]


def test_a_cause_that_failed_again_says_since_when(
    alice: Api, people: People, graph: Graph, morning: list[FailureCause]
) -> None:
    path = f"causes/{morning[0].pk}/"
    alice.patch(path, {"state": "resolved"})
    assert alice.get(path).json()["came_back_at"] is None
    run = started(people, graph)
    fail(run, "503 from the gateway, try 9")
    assert run.number is not None
    late = now_ms() + 60_000
    RunFailure.objects.filter(number=run.number).update(at=late)
    FailureCause.objects.filter(pk=morning[0].pk).update(state="open", reopened_by=run.pk)
    assert causes.tell_reopened() == 1

    assert alice.get(path).json()["came_back_at"] == time(late)
    alice.patch(
        path, {"state": "muted", "until": (datetime.now(UTC) + timedelta(days=1)).isoformat()}
    )
    assert alice.get(path).json()["came_back_at"] is None


def test_a_mute_that_is_over_counts_as_open(alice: Api, morning: list[FailureCause]) -> None:
    FailureCause.objects.filter(pk=morning[0].pk).update(state="muted", muted_until=NOW - 10**12)

    assert alice.get("causes/").json()["total"] == 2
    assert alice.get(f"causes/{morning[0].pk}/").json()["state"] == "open"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"state": "muted"}, 400),
        ({"state": "muted", "until": "2020-01-01T00:00:00Z"}, 400),
        ({"state": "muted", "until": "2020-01-01T00:00:00"}, 400),
        ({"state": "gone"}, 400),
        ({"assignee": "nobody"}, 404),
    ],
)
def test_what_makes_no_sense_is_refused(
    alice: Api, morning: list[FailureCause], body: Any, status: int
) -> None:
    assert alice.patch(f"causes/{morning[0].pk}/", body).status_code == status
    assert FailureCause.objects.get(pk=morning[0].pk).state == "open"


def test_reviewers_look_and_change_nothing(bob: Api, morning: list[FailureCause]) -> None:
    row = bob.get(f"causes/{morning[0].pk}/").json()

    assert row["can_change"] is False
    assert bob.patch(f"causes/{morning[0].pk}/", {"state": "resolved"}).status_code == 403


def test_a_run_that_is_deleted_is_counted_no_more(alice: Api, morning: Any) -> None:
    Run.objects.filter(error__contains="try 0").update(ended_at=1)

    pruning.prune(Run.objects.first().workspace_id, 1, NOW)  # type: ignore[union-attr]

    left = {row["node"]: row["count"] for row in alice.get("causes/").json()["results"]}
    assert left == {"draft": 2, "review": 2}
    assert RunFailure.objects.count() == sum(left.values())


def test_a_cause_of_several_addresses_counts_them(
    alice: Api, people: People, graph: Graph, django_assert_max_num_queries: Any
) -> None:
    for n in range(3):
        fail(started(people, graph), f"GET http://ledger/down/K-{n} answered 503 Unavailable")

    with django_assert_max_num_queries(25):
        [row] = alice.get("causes/").json()["results"]

    assert row["title"] == "GET 3 addresses under http://ledger/down/ answered 503 Unavailable"
    assert row["sample"] == "GET http://ledger/down/K-2 answered 503 Unavailable"
    assert row["title"] in alice.get("causes/?format=csv").content.decode()


def test_what_people_rejected_is_one_cause_and_no_failure(
    alice: Api, people: People, graph: Graph
) -> None:
    for why in ("not our customer", "the sum is wrong"):
        said_no = fail(started(people, graph), f"rejected: {why}", code="ApprovalRejected")
    late = fail(started(people, graph), UNDECIDED, code="ApprovalRejected")

    [listed] = alice.get("causes/").json()["results"]
    row = alice.get(f"causes/{said_no.pk}/").json()

    assert (listed["id"], listed["title"]) == (late.pk, UNDECIDED)
    assert said_no.pk not in alice.get("causes/?format=csv").content.decode()
    assert (row["count"], row["title"]) == (2, "Rejected by a person")
    assert row["sample"] == "rejected: the sum is wrong"
