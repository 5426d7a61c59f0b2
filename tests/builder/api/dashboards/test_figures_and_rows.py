"""Every figure that counts runs leads to a list of exactly so many."""

from __future__ import annotations

import csv
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from builder.doors.triggers import verbs as triggers
from builder.models import (
    Activation,
    Asked,
    FailureCause,
    Graph,
    Interrupt,
    Run,
    RunSpending,
    RunTag,
    Spending,
    Timer,
)
from builder.services.graphs import graphs
from builder.services.runs import runs
from builder.services.runs.runs import Start
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from tests.builder.conftest import Api, People
from tests.builder.fakes import append, fail, open_interrupt

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
        stretch = {"ended_since": bar["at"], "ended_until": bar["until"]}
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
    assert count(alice, status="running,queued,ending", awake="true") == overview["running"]
    assert overview["asleep"] == count(alice, waiting="sleep") == 1
    assert count(alice, status="waiting") == overview["waiting"]


def test_what_people_rejected_is_no_failure_in_any_figure(alice: Api, busy: list[Run]) -> None:
    now = int(timezone.now().timestamp() * 1000)
    for run, code, said in (
        (busy[12], "ApprovalRejected", "rejected: not ours"),
        (busy[13], "ApprovalRejected", "nobody decided in time"),
        (busy[14], "HttpUnavailable", "503 from the gateway"),
    ):
        fail(run, said, code=code)
        run.started_at, run.ended_at = now - 6_000, now - 5_000
        run.save()
    board = alice.get("operations/?hours=24").json()
    stretch = {"ended_since": board["since"], "ended_until": board["until"]}
    total, failed = board["total"], {"status": "failed,timeout", "rejected": "false"}

    assert (total["failed"], total["rejected"]) == (3 + 2, 1)
    assert count(alice, **failed, **stretch) == total["failed"] + total["timeout"] == 8
    assert count(alice, rejected="true", **stretch) == total["rejected"]
    assert total["success_rate"] is None, "tests of a draft count for no rate"
    assert sum(bar["rejected"] for bar in board["bars"]) == 1
    assert sum(bar["failed"] for bar in board["bars"]) == 5
    assert sum(row["failed"] for row in board["started"]) == 8
    assert alice.get("overview/").json()["runs"]["failed_24h"] == 8
    [row] = alice.get("runs/?rejected=true").json()["results"]
    assert (row["id"], row["status"], row["rejected"]) == (busy[12].pk, "failed", True)
    assert row["rejected_by"] is None, "nobody is named whom the log does not name"
    [graph] = alice.get("graphs/").json()["results"]
    assert graph["success_rate"] is None
    assert graph["last_run"] is None, "nor is one a workflow's last run"


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


def test_what_started_runs_opens_exactly_these(
    alice: Api, people: People, graph: Graph, busy: list[Run]
) -> None:
    wanted = triggers.Wanted("Orders", {"signature": "github"})
    trigger, _secret = triggers.create(people.alice, graph, wanted)
    for n, run in enumerate(busy[:9]):
        begun = (("webhook", trigger.pk), ("webhook", "gone"), (None, None))[n % 3]
        Run.objects.filter(pk=run.pk).update(source=begun[0], trigger=begun[1])
    board = alice.get("operations/?hours=24").json()
    stretch = {"since": board["since"], "until": board["until"]}

    for row in board["started"]:
        by = {"source": row["source"], "trigger": row["trigger"], **stretch}
        assert count(alice, **by) == row["runs"]
        assert count(alice, status="failed,timeout", **by) == row["failed"]
    named = {(row["source"], row["name"], row["graph"]) for row in board["started"]}
    assert named == {
        ("webhook", "Orders", graph.name),
        ("webhook", "", ""),
        ("-", "", ""),
        ("person", "", ""),
    }
    assert sum(row["runs"] for row in board["started"]) == board["total"]["started"]
    assert alice.get("operations/?graph=00000000-0000-0000-0000-000000000000").status_code == 404


TODAY = datetime.now(UTC).date()


def items(api: Api, **query: Any) -> int:
    text = "&".join(f"{name}={value}" for name, value in query.items())
    answer = api.get(f"interrupts/?{text}")
    assert answer.status_code == 200, answer.content
    return int(answer.json()["total"])


def test_own_days_and_the_stretch_before_open_what_they_count(alice: Api, busy: list[Run]) -> None:
    days = f"since={TODAY - timedelta(days=1)}&until={TODAY}"
    board = alice.get(f"operations/?{days}").json()
    length = datetime.fromisoformat(board["until"]) - datetime.fromisoformat(board["since"])
    first = (datetime.fromisoformat(board["since"]) - length).isoformat().replace("+00:00", "Z")

    assert sum(sum(bar[end] for end in ENDS) for bar in board["bars"]) == 12
    for end in ENDS:
        now = {"ended_since": board["since"], "ended_until": board["until"]}
        before = {"ended_since": first, "ended_until": board["since"]}
        assert count(alice, status=end, **now) == board["total"][end]
        assert count(alice, status=end, **before) == board["before"][end]
    assert alice.get("operations/?since=2026-02-02&until=2026-02-01").status_code == 400
    for path, most in (("operations", 90), ("approvals", 90), ("spend", 400)):
        refused = alice.get(f"{path}/?since=2025-01-01&until=2026-02-05")
        assert refused.status_code == 400
        said = f"These are 401 days: {most} at most are shown at once."
        assert said in refused.json()["detail"]
    assert alice.get("operations/?since=yesterday").status_code == 400


def test_queue_and_failed_attempts_open_their_runs(alice: Api, busy: list[Run]) -> None:
    append(busy[0], "AttemptFailed", key="draft#1")
    append(busy[0], "AttemptFailed", key="draft#1")
    Run.objects.update(started_at=int(timezone.now().timestamp() * 1000) - 10)
    board = alice.get("operations/").json()

    assert count(alice, waiting="turn") == board["queue"]["runs"] == 1
    assert count(alice, waiting="retry") == board["queue"]["retrying_runs"] == 1
    tried = {"tried": "true", "since": board["since"], "until": board["until"]}
    total = board["total"]
    assert (total["retries"], total["retried_runs"], count(alice, **tried)) == (2, 1, 1)


def test_what_a_bulk_job_tried_again_is_a_source_of_its_own(alice: Api, busy: list[Run]) -> None:
    now = int(timezone.now().timestamp() * 1000)
    Run.objects.update(started_at=now - 10, source=None)
    for n, run in enumerate(busy[:2]):
        Run.objects.filter(pk=run.pk).update(trigger_key=f"bulk:job:{n}")
    board = alice.get("operations/").json()
    counted = {row["source"]: row["runs"] for row in board["started"]}

    assert counted["bulk"] == 2
    for source, runs_of_it in counted.items():
        days = {"since": board["since"], "until": board["until"]}
        assert count(alice, source=source, **days) == runs_of_it


@pytest.fixture
def paid(people: People, graph: Graph) -> list[Run]:
    """Four runs that called models on two days, each at another node or by somebody else."""
    found = []
    for n, (day, node, model, by) in enumerate(
        [
            (TODAY, "draft", "a/b", people.alice.user_id),
            (TODAY, "check", "a/b", None),
            (TODAY, "check", "c/d", people.bob.user_id),
            (TODAY - timedelta(days=1), "draft", "c/d", people.alice.user_id),
        ]
    ):
        run = Run.objects.get(pk=runs.start_run(people.alice, graph, Start(draft=True)))
        Run.objects.filter(pk=run.pk).update(started_by=by)
        sums = {"calls": 1, "tokens": n + 1, "pico": 10**12, "node": node, "model": model}
        sums["unpriced"] = int(model == "c/d")
        agent = "writer" if n else ""
        RunSpending.objects.create(run=run.pk, day=day.isoformat(), agent=agent, **sums)
        Spending.objects.create(
            workspace=people.alice.workspace,
            graph=run.graph_slug,
            day=day.isoformat(),
            agent=agent,
            person=by or "",
            **sums,
        )
        found.append(run)
    return found


def test_each_sum_of_spending_opens_the_runs_whose_calls_it_counts(
    alice: Api, paid: list[Run]
) -> None:
    board = alice.get("spend/").json()
    days = {"spent_since": board["since"], "spent_until": board["until"]}

    assert count(alice, **days) == board["total"]["calls"] == 4
    assert count(alice, unpriced="true", **days) == board["total"]["unpriced"] == 2
    for row in board["by_day"]:
        on_it = {"spent_since": row["id"], "spent_until": row["id"]}
        assert count(alice, **on_it) == row["calls"]
    for row in board["by_node"]:
        assert count(alice, slug=row["graph_slug"], spent_at=row["id"], **days) == row["calls"]
    for name, by in (("by_model", "spent_on"), ("by_agent", "spent_by"), ("by_person", "person")):
        assert len(board[name]) > 1
        for row in board[name]:
            assert count(alice, **days, **{by: row["id"] or "-"}) == row["calls"], (name, row)
    for row in board["by_graph"]:
        assert count(alice, slug=row["id"], **days) == row["calls"]


def test_tests_of_drafts_are_listed_by_themselves(alice: Api, people: People, graph: Graph) -> None:
    graphs.publish(people.alice, graph, revision=1)
    tried = runs.start_run(people.alice, graph, Start(draft=True))
    lived = runs.start_run(people.alice, graph, Start())
    gone = runs.start_run(people.alice, graph, Start())
    Run.objects.filter(pk=gone).update(version=None)

    def listed(tests: str) -> set[str]:
        return {row["id"] for row in alice.get(f"runs/?tests={tests}").json()["results"]}

    assert listed("true") == {tried}
    assert listed("false") == {lived, gone}
    assert alice.get("runs/?tests=maybe").status_code == 400


def test_what_today_has_cost_is_the_same_on_both_boards(alice: Api, paid: list[Run]) -> None:
    board = alice.get(f"spend/?since={TODAY}&until={TODAY}").json()

    assert alice.get("overview/").json()["spend_today_usd"] == board["total"]["usd"] == "3"


def test_each_figure_of_approvals_opens_its_items(alice: Api, people: People, run: Run) -> None:
    now = int(timezone.now().timestamp() * 1000)
    for outcome, status, edited in (
        ("approved", "answered", None),
        ("approved", "answered", 3),
        ("rejected", "answered", None),
        ("timed_out", "expired", None),
        (None, "open", None),
    ):
        for asked in ("group:finance", ""):
            row = open_interrupt(run)
            done = None if status == "open" else now - 5_000
            soon = now + 1_000 if asked else None
            Interrupt.objects.filter(pk=row.pk).update(
                outcome=outcome, status=status, edited_seq=edited, decided_at=done, expires_at=soon
            )
            if asked:
                Asked.objects.create(interrupt=row, principal=asked)
    open_interrupt(run, "budget")
    board = alice.get("approvals/").json()
    closed = {"state": "done", "closed_since": board["since"], "closed_until": board["until"]}
    kind = {"kind": "approval"}

    assert items(alice, state="open", **kind) == board["open"] == 2
    assert items(alice, state="open", late="true", **kind) == board["overdue"] == 1
    for outcome in ("decided", "approved", "edited", "rejected", "expired"):
        assert items(alice, outcome=outcome, **kind, **closed) == board["total"][outcome]
    assert {line["asked"] for line in board["by_asked"]} == {"group:finance", "anyone"}
    for line in board["by_asked"]:
        named = {"named": line["asked"], **kind}
        assert items(alice, state="open", **named) == line["open"] == 1
        assert items(alice, state="open", late="true", **named) == line["overdue"]
        for outcome in ("decided", "edited", "rejected", "expired"):
            assert items(alice, outcome=outcome, **named, **closed) == line[outcome]
    assert alice.get("interrupts/?outcome=pardoned").status_code == 400


def test_tags_and_waits_are_told_filtered_and_sorted_by(alice: Api, busy: list[Run]) -> None:
    RunTag.objects.create(number=busy[0].number or 0, name="customer", value="acme")
    RunTag.objects.create(number=busy[1].number or 0, name="customer", value="=cmd")

    assert count(alice, tag="customer") == 2
    assert count(alice, tag="customer:acme") == 1
    [row] = alice.get("runs/?tag=customer:acme").json()["results"]
    assert row["tags"] == {"customer": "acme"}
    first = alice.get("runs/?ordering=-wait&limit=1").json()
    assert first["results"][0]["id"] == busy[14].pk
    assert first["results"][0]["waiting_since"] is not None
    rest = alice.get(f"runs/?ordering=-wait&cursor={first['next']}").json()
    assert len(rest["results"]) == 15


def test_runs_and_causes_come_as_files_without_formulas(alice: Api, busy: list[Run]) -> None:
    fail(busy[12], "=HYPERLINK() broke")
    RunTag.objects.create(number=busy[12].number or 0, name="=a", value="b")
    listed = alice.get("runs/?format=csv&status=failed")
    lines = listed.content.decode().splitlines()
    causes = alice.get("causes/?format=csv").content.decode().splitlines()

    assert listed["Content-Type"] == "text/csv"
    assert len(lines) == 1 + count(alice, status="failed")
    [mine] = [line for line in lines if line.startswith(busy[12].pk)]
    assert ",Tess,Support,draft,failed,Alice," in mine
    assert "'=HYPERLINK() broke" in mine
    assert "'=a: b" in mine
    assert len(causes) == 2
    assert "'=HYPERLINK() broke,1,0," in causes[1]


def test_the_file_of_runs_names_the_failed_step_and_bulk_retries(
    alice: Api, busy: list[Run]
) -> None:
    cause = fail(busy[12], "broke", node="post")
    FailureCause.objects.filter(pk=cause.pk).update(label="Post to the ledger")
    Run.objects.filter(pk=busy[12].pk).update(trigger_key="bulk:job:1", source=None)

    lines = csv.DictReader(alice.get("runs/?format=csv").content.decode().splitlines())
    [mine] = [line for line in lines if line["run"] == busy[12].pk]

    assert (mine["failed_node"], mine["failed_step"]) == ("post", "Post to the ledger")
    assert mine["source"] == "bulk"
