"""Many runs at once: what a preview says, what a job does, and what stops it."""

from __future__ import annotations

import csv
from typing import Any

import pytest

from builder.models import (
    AuditEntry,
    BulkItem,
    BulkJob,
    Graph,
    GraphVersion,
    Membership,
    Run,
)
from builder.services.audit import chain
from builder.services.runs import runs
from builder.services.runs.bulk import work
from builder.services.runs.runs import Start
from tests.builder.conftest import Api, People
from tests.builder.fakes import NOW, FakeDoor, fail, open_interrupt

pytestmark = pytest.mark.django_db


def started(people: People, graph: Graph, count: int = 1) -> list[Run]:
    ids = [runs.start_run(people.alice, graph, Start(draft=True)) for _ in range(count)]
    return [Run.objects.get(pk=each) for each in ids]


@pytest.fixture
def failed(people: People, graph: Graph) -> list[Run]:
    found = started(people, graph, 8)
    for run in found:
        fail(run)
    return found


@pytest.fixture
def oscar(people: People) -> Api:
    return Api(people.oscar)


def preview(api: Api, action: str = "retry", **select: Any) -> Any:
    answer = api.post("runs/bulk/preview/", {"select": select, "action": action})
    assert answer.status_code == 201, answer.content
    return answer.json()


def begin(api: Api, action: str = "retry", resend: bool = False, **select: Any) -> str:
    shown = preview(api, action, **select)
    answer = api.post("runs/bulk/", {"preview": shown["id"], "resend": resend})
    assert answer.status_code == 202, answer.content
    return str(answer.json()["id"])


def work_all(job: str) -> None:
    for _ in range(50):
        Run.objects.filter(trigger_key__startswith="bulk:", status="running").update(
            status="completed"
        )
        work.work_due()
        if BulkJob.objects.get(pk=job).status != "running":
            return


def audited(action: str) -> list[Any]:
    entries = [chain.read(entry) for entry in AuditEntry.objects.order_by("n")]
    return [entry for entry in entries if entry["action"] == action]


def actions() -> list[str]:
    return [chain.read(entry)["action"] for entry in AuditEntry.objects.order_by("n")]


def test_every_run_of_a_cause_is_retried_once(oscar: Api, failed: list[Run]) -> None:
    cause = oscar.get("causes/").json()["results"][0]

    job = begin(oscar, cause=cause["id"])
    work_all(job)

    told = oscar.get(f"runs/bulk/{job}/").json()
    assert (told["status"], told["done"], told["pending"]) == ("ended", 8, 0)
    assert sum(told["new_runs"].values()) == 8
    Run.objects.filter(trigger_key__startswith="bulk:").update(status=Run.Status.FAILED)
    assert oscar.get(f"runs/bulk/{job}/").json()["new_runs"] == {"failed": 8}
    again = Run.objects.filter(trigger_key__startswith="bulk:").first()
    assert again is not None
    fail(again, "rejected", code="ApprovalRejected", node="review")
    told = oscar.get(f"runs/bulk/{job}/").json()
    assert told["new_runs"] == {"failed": 7, "rejected": 1}
    went_on = [oscar.get(f"runs/{run.pk}/").json()["retried"] for run in failed]
    assert [one["id"] for one in went_on if one["rejected"]] == [again.pk]
    items = oscar.get(f"runs/bulk/{job}/items/").json()["results"]
    assert [one["new_run"] for one in items if one["new_status"] == "rejected"] == [again.pk]
    items = oscar.get(f"runs/bulk/{job}/items/").json()["results"]
    assert {item["run"] for item in items} == {run.pk for run in failed}
    assert len({item["new_run"] for item in items}) == 8
    assert oscar.get(f"runs/?job={job}").json()["total"] == 8
    Run.objects.filter(trigger_key__startswith="bulk:").update(status=Run.Status.RUNNING)
    told = oscar.get(f"causes/{cause['id']}/").json()
    assert (told["retried"], told["mended"]) == (8, 0)
    again = oscar.get(f"runs/{failed[0].pk}/").json()["retried"]
    Run.objects.filter(pk=again["id"]).update(status=Run.Status.COMPLETED)
    assert oscar.get(f"runs/{failed[0].pk}/").json()["retried"]["status"] == "completed"
    assert oscar.get(f"causes/{cause['id']}/").json()["mended"] == 1
    assert [a for a in actions() if a.startswith("bulk.")] == ["bulk.started", "bulk.ended"]


def test_what_became_of_each_run_is_had_as_a_file(oscar: Api, failed: list[Run]) -> None:
    runs.retry_run(Membership.objects.get(user__name="Oscar"), failed[0])
    job = begin(oscar, ids=[run.pk for run in failed])
    work_all(job)
    [skipped] = oscar.get(f"runs/bulk/{job}/items/?result=skipped").json()["results"]

    def lines(query: str = "") -> list[dict[str, str]]:
        answer = oscar.get(f"runs/bulk/{job}/items/?format=csv{query}")
        assert answer["Content-Disposition"] == 'attachment; filename="bulk.csv"'
        return list(csv.DictReader(answer.content.decode().splitlines()))

    assert {(line["run"], line["workflow"]) for line in lines()} == {
        (run.pk, "Support") for run in failed
    }
    assert {line["new_status"] for line in lines("&result=done")} <= {"completed", "running"}
    [line] = lines("&result=skipped")
    assert (line["run"], line["why"], line["code"]) == (
        skipped["run"],
        skipped["why"],
        skipped["code"],
    )


def test_what_waits_in_a_job_is_told_at_its_cause_and_left_out(
    oscar: Api, failed: list[Run]
) -> None:
    job = begin(oscar, ids=[run.pk for run in failed[:5]])
    BulkJob.objects.filter(pk=job).update(status="paused")

    shown = preview(oscar, ids=[run.pk for run in failed])

    assert (shown["included"], [one["code"] for one in shown["left_out"]]) == (3, ["InAJob"])
    [cause] = oscar.get("causes/").json()["results"]
    assert cause["queued"] == [{"job": job, "status": "paused", "runs": 5}]
    oscar.post(f"runs/bulk/{job}/stop/")
    assert preview(oscar, ids=[run.pk for run in failed])["included"] == 8
    assert oscar.get("causes/").json()["results"][0]["queued"] == []


def test_a_job_counts_what_was_confirmed_and_the_runs_that_it_made(
    oscar: Api, failed: list[Run]
) -> None:
    def ids(job: str) -> set[str]:
        return {row["id"] for row in oscar.get(f"runs/?job={job}").json()["results"]}

    member = Membership.objects.get(user__name="Oscar")
    by_hand = runs.retry_run(member, failed[0])
    Run.objects.filter(pk=by_hand).update(status=Run.Status.FAILED)
    shown = [preview(oscar, ids=[run.pk for run in failed]) for _ in range(2)]
    jobs = [one["id"] for one in shown]
    for job in jobs:
        oscar.post("runs/bulk/", {"preview": job})
        work_all(job)

    first, second = (oscar.get(f"runs/bulk/{job}/").json() for job in jobs)
    assert shown[0]["included"] == first["count"] == first["done"] == 7
    assert (first["left_out"], sum(first["new_runs"].values())) == (1, len(ids(jobs[0])))
    assert (second["count"], second["skipped"], second["left_out"]) == (7, 7, 1)
    assert (second["new_runs"], ids(jobs[1])) == ({}, set())
    items = oscar.get(f"runs/bulk/{jobs[1]}/items/").json()["results"]
    whys = {item["run"]: item["why"] for item in items}
    assert whys.pop(failed[0].pk) == "It was tried again before."
    assert set(whys.values()) == {"Another job tried it again."}
    [start] = [e for e in audited("bulk.started") if e["target"] == jobs[0]]
    assert (start["detail"]["runs"], start["detail"]["left_out"]) == (7, 1)


def test_what_was_retried_before_is_skipped(oscar: Api, failed: list[Run]) -> None:
    runs.retry_run(Membership.objects.get(user__name="Oscar"), failed[0])

    shown = preview(oscar, ids=[run.pk for run in failed])

    assert (shown["count"], shown["included"]) == (8, 7)
    [left] = shown["left_out"]
    assert (left["code"], left["times"]) == ("AlreadyRetried", 1)
    [named] = left["runs"]
    assert (named["id"], named["status"]) == (failed[0].pk, "failed")


def test_what_no_step_ended_is_neither_offered_nor_counted(
    oscar: Api, people: People, graph: Graph, failed: list[Run]
) -> None:
    whole = started(people, graph, 3)
    for run in whole:
        fail(run, "no way out fits", code="NoMatchingEdge", step=False)
    offered = {row["code"]: row["retryable"] for row in oscar.get("causes/").json()["results"]}

    shown = preview(oscar, ids=[run.pk for run in (*whole, *failed)])

    assert offered == {"NoMatchingEdge": False, "HttpUnavailable": True}
    assert (shown["count"], shown["included"]) == (11, 8)
    [left] = shown["left_out"]
    assert (left["code"], left["times"]) == ("RunNotRetryable", 3)


def test_a_preview_says_what_runs_again_costs_and_is_sent(
    oscar: Api, failed: list[Run], door: FakeDoor
) -> None:
    request = {"method": "POST", "url": "https://key@pay.example/pay?x=1", "body": {}}
    call = {"node": "draft", "tool": "http", "arguments": request, "effect_class": "unsafe"}
    version = GraphVersion.objects.get(pk=failed[0].version_id)
    version.document["nodes"][0]["label"] = "Draft a letter"
    assert version.document["nodes"][0]["id"] == "draft"
    GraphVersion.objects.filter(pk=version.pk).update(document=version.document)
    for run in failed[:3]:
        door.plans[run.pk] = {
            "again": [{"node": "draft", "usd": "0.25", "tokens": 10}],
            "resent": [{**call, "outcome": "completed"}],
        }
    door.plans[failed[3].pk] = {"resent": [{**call, "outcome": "unknown"}]}

    shown = preview(oscar, ids=[run.pk for run in failed[:5]])

    named = {"node": "draft", "label": "Draft a letter", "times": 3}
    assert shown["again"] == [{**named, "usd": "0.75", "tokens": 30}]
    assert (shown["usd"], shown["resends"]) == ("0.75", 3)
    assert shown["calls"] == [
        {**named, "method": "POST", "target": "pay.example", "consent": True, "unsafe": True}
    ]
    assert [(each["code"], each["times"]) for each in shown["left_out"]] == [("InDoubt", 1)]


def test_timers_are_cancelled_and_what_is_in_doubt_is_left_alone(
    oscar: Api, people: People, graph: Graph
) -> None:
    waiting = started(people, graph, 4)
    open_interrupt(waiting[0], "in_doubt")

    job = begin(oscar, "cancel", ids=[run.pk for run in waiting])
    work_all(job)

    told = oscar.get(f"runs/bulk/{job}/").json()
    assert (told["count"], told["done"], told["left_out"], told["refused"]) == (3, 3, 1, 0)
    [item] = oscar.get(f"runs/bulk/{job}/items/?result=refused").json()["results"]
    assert (item["run"], item["code"]) == (waiting[0].pk, "InDoubt")
    assert Run.objects.get(pk=waiting[0].pk).status == "running"


def test_a_filter_means_what_the_list_shows(oscar: Api, failed: list[Run]) -> None:
    assert preview(oscar, filter={"status": "failed", "node": "draft"})["count"] == 8
    refused = oscar.post(
        "runs/bulk/preview/", {"select": {"filter": {"status": "running"}}, "action": "retry"}
    )
    assert refused.json()["code"] == "NoRuns"


@pytest.mark.parametrize(
    "select", [{}, {"ids": ["a"], "cause": "b"}, {"ids": []}, {"filter": {"colour": "red"}}]
)
def test_a_choice_that_makes_no_sense_is_refused(oscar: Api, select: Any) -> None:
    answer = oscar.post("runs/bulk/preview/", {"select": select, "action": "retry"})

    assert (answer.status_code, answer.json()["code"]) == (400, "InputInvalid")


def test_a_crash_between_deed_and_word_makes_no_second_run(
    oscar: Api, failed: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = begin(oscar, ids=[run.pk for run in failed])
    save = BulkItem.save

    def die(self: BulkItem, *args: Any, **more: Any) -> None:
        raise SystemExit("killed")

    monkeypatch.setattr(BulkItem, "save", die)
    with pytest.raises(SystemExit):
        work.work_due()
    monkeypatch.setattr(BulkItem, "save", save)
    work_all(job)

    made = Run.objects.filter(trigger_key__startswith=f"bulk:{job}:")
    assert made.count() == 8
    assert oscar.get(f"runs/bulk/{job}/").json()["done"] == 8


def test_five_failures_alike_pause_it_and_somebody_may_go_on(
    oscar: Api, failed: list[Run], door: FakeDoor
) -> None:
    door.resends = True  # each would send something again, and nobody agreed to that

    job = begin(oscar, ids=[run.pk for run in failed])
    work.work_due()

    told = oscar.get(f"runs/bulk/{job}/").json()
    assert (told["status"], told["refused"], told["pending"]) == ("paused", 5, 3)
    assert "sent again" in told["paused_for"]
    assert oscar.post(f"runs/bulk/{job}/resume/").json()["status"] == "running"
    work.work_due()
    assert oscar.get(f"runs/bulk/{job}/").json()["pending"] == 0


def test_new_runs_that_fail_alike_pause_it_too(oscar: Api, failed: list[Run]) -> None:
    job = begin(oscar, ids=[run.pk for run in failed])
    row = BulkJob.objects.get(pk=job)
    for item in row.items.order_by("place")[:5]:
        work._deal_with(row, item, work._member(row))
        fail(Run.objects.get(pk=BulkItem.objects.get(pk=item.pk).new_run))

    work.work_due()

    told = oscar.get(f"runs/bulk/{job}/").json()
    assert (told["status"], told["pending"]) == ("paused", 3)
    assert told["paused_for"] == "503 from the gateway"


def test_what_people_reject_does_not_pause_it(oscar: Api, failed: list[Run]) -> None:
    job = begin(oscar, ids=[run.pk for run in failed])
    row = BulkJob.objects.get(pk=job)
    for item in row.items.order_by("place")[:5]:
        work._deal_with(row, item, work._member(row))
        new = Run.objects.get(pk=BulkItem.objects.get(pk=item.pk).new_run)
        fail(new, "rejected", code="ApprovalRejected", node="review")

    work.work_due()

    assert oscar.get(f"runs/bulk/{job}/").json()["status"] != "paused"


def test_it_stops_when_somebody_says_so(oscar: Api, failed: list[Run]) -> None:
    job = begin(oscar, ids=[run.pk for run in failed])

    assert oscar.post(f"runs/bulk/{job}/stop/").json()["status"] == "stopped"
    assert work.work_due() == 0
    assert oscar.get(f"runs/bulk/{job}/").json()["pending"] == 8
    assert "bulk.stopped" in actions()


def test_a_preview_is_begun_once_soon_and_by_who_saw_it(
    oscar: Api, olga: Api, failed: list[Run]
) -> None:
    shown = preview(oscar, ids=[failed[0].pk])

    assert olga.post("runs/bulk/", {"preview": shown["id"]}).status_code == 404
    BulkJob.objects.filter(pk=shown["id"]).update(made_at=NOW - 10**12)
    assert oscar.post("runs/bulk/", {"preview": shown["id"]}).json()["code"] == "PreviewExpired"
    again = preview(oscar, ids=[failed[0].pk])["id"]
    ids = {oscar.post("runs/bulk/", {"preview": again}).json()["id"] for _ in range(2)}
    assert ids == {again}
    assert actions().count("bulk.started") == 1


def test_who_lost_the_right_does_nothing_more(
    oscar: Api, people: People, failed: list[Run]
) -> None:
    job = begin(oscar, ids=[run.pk for run in failed[:2]])
    Membership.objects.filter(pk=people.oscar.pk).update(role="viewer")

    work_all(job)

    assert set(BulkItem.objects.values_list("code", flat=True)) == {"NotAllowed"}
    assert not Run.objects.filter(trigger_key__startswith="bulk:").exists()


def test_a_part_of_another_run_is_left_to_that(oscar: Api, failed: list[Run]) -> None:
    Run.objects.filter(pk=failed[0].pk).update(parent_run=failed[1].pk)

    shown = preview(oscar, ids=[failed[0].pk, failed[1].pk])

    assert [each["code"] for each in shown["left_out"]] == ["PartOfAnother"]


def test_authors_cancel_their_own_and_viewers_nothing(
    people: People, graph: Graph, alice: Api
) -> None:
    [run] = started(people, graph)
    Run.objects.filter(pk=run.pk).update(started_by=people.olga.user_id)

    assert [e["code"] for e in preview(alice, "cancel", ids=[run.pk])["left_out"]] == ["NotAllowed"]
    refused = Api(people.vera).post(
        "runs/bulk/preview/", {"select": {"ids": [run.pk]}, "action": "retry"}
    )
    assert refused.status_code == 403


def test_the_jobs_so_far_are_listed_and_no_preview_among_them(
    oscar: Api, carol: Api, failed: list[Run]
) -> None:
    first = begin(oscar, ids=[failed[0].pk])
    second = begin(oscar, "cancel", ids=[run.pk for run in failed])
    preview(oscar, ids=[failed[1].pk])

    listed = oscar.get("runs/bulk/").json()
    assert [row["id"] for row in listed["results"]] == [second, first]
    assert [(row["action"], row["count"], row["by"]["name"]) for row in listed["results"]] == [
        ("cancel", 0, "Oscar"),
        ("retry", 1, "Oscar"),
    ]
    assert carol.get("runs/bulk/").json()["results"] == []
