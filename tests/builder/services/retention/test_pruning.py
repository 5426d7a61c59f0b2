"""How long runs are kept, and what goes with them."""

from __future__ import annotations

import threading
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError

from builder.models import (
    Activation,
    AuditEntry,
    Blob,
    Budget,
    BudgetHold,
    Comment,
    Interrupt,
    Run,
    RunBlob,
    RunEvent,
    RunRequest,
    RunSnapshot,
    Spending,
    Timer,
)
from builder.services.audit import chain as audit
from builder.services.runs.retention import pruning
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from tests.builder.conftest import Api, People
from tests.builder.fakes import NOW, append, open_interrupt

DAY = pruning.DAY_MS
LATER = NOW + 100 * DAY


def ended(people: People, name: str, days_ago: int = 50, **fields: Any) -> Run:
    """Return a run of Home that has two events and was over so long before `LATER`."""
    given = {"workspace": people.olga.workspace, "status": "completed", **fields}
    at = LATER - days_ago * DAY
    run = Run.objects.create(id=name, graph_slug="g", started_at=NOW, ended_at=at, **given)
    append(run, "RunStarted")
    append(run, "RunCompleted")
    Run.objects.filter(pk=name).update(status=given["status"], ended_at=at)
    return run


def kept(people: People, days: int = 30) -> list[str]:
    """Return the runs that are left after pruning."""
    pruning.prune(people.olga.workspace_id, days, LATER)
    return sorted(Run.objects.values_list("pk", flat=True))


def test_old_runs_go_and_young_ones_stay(people: People) -> None:
    """I20: A run that has been over for longer goes, and its log with it."""
    for days in (29, 30, 31, 90):
        ended(people, f"r{days}", days)

    assert kept(people) == ["r29", "r30"]
    assert RunEvent.objects.count() == 4


@pytest.mark.parametrize("status", ["queued", "running", "waiting", "ending"])
def test_what_is_not_over_is_never_touched(people: People, status: str) -> None:
    """I20: A run that waits is kept, however old it is."""
    ended(people, "old", 90, status=status)
    Run.objects.filter(pk="old").update(ended_at=None)

    assert kept(people, 1) == ["old"]


def test_everything_that_only_it_has_goes(people: People) -> None:
    """I20: State, blobs, inbox items and comments go; audit log, spend and shared blobs stay."""
    run, other = ended(people, "gone"), ended(people, "kept", 1)
    row = open_interrupt(run)
    Comment.objects.create(interrupt=row, author=people.bob.user, text="why?")
    Interrupt.objects.filter(pk=row.pk).update(status="answered")
    for name, runs in {"mine": [run], "ours": [run, other]}.items():
        Blob.objects.create(hash=name, size=1, data=b"x")
        for one in runs:
            RunBlob.objects.create(run=one.pk, hash=name)
    for pk in ("run:gone", "node:gone:a#1", "run:kept", "workspace:w:2026"):
        Budget.objects.create(id=pk, level=pk.partition(":")[0])
    Spending.objects.create(workspace=run.workspace, day="2026-01-01", graph="g", tokens=5)
    for one in (run, other):
        place = (one.number or 0) * EVENTS_PER_RUN + 1
        Activation.objects.create(place=place, key="a#1", node="a", status="completed")
        RunSnapshot.objects.create(run=one.pk, seq=1, data=b"{}")
        Timer.objects.create(id=f"sleep:{one.pk}", run=one.pk, kind="sleep", fire_at=1)
        BudgetHold.objects.create(id=f"hold:{one.pk}", run=one.pk, key="a#1", tokens=1, pico=1)
    entries = AuditEntry.objects.count()

    assert kept(people) == ["kept"]
    assert (Interrupt.objects.count(), Comment.objects.count()) == (0, 0)
    assert list(Blob.objects.values_list("pk", flat=True)) == ["ours"]
    assert set(Budget.objects.values_list("pk", flat=True)) == {"run:kept", "workspace:w:2026"}
    assert [one.number for one in Activation.objects.all()] == [other.number]
    for model in (RunSnapshot, Timer, BudgetHold):
        assert list(model.objects.values_list("run", flat=True)) == ["kept"]
    assert Spending.objects.count() == 1
    assert AuditEntry.objects.count() == entries + 1
    assert '"runs.pruned"' in AuditEntry.objects.order_by("-n")[0].entry
    assert audit.first_broken(people.olga.workspace_id) is None


def test_what_was_asked_is_forgotten_a_week_after_its_answer(people: People) -> None:
    run = ended(people, "r", 1)
    now = NOW + 50 * DAY
    for by, answered in (("old", now - 8 * DAY), ("new", now - 6 * DAY), ("open", None)):
        RunRequest.objects.create(
            run=run, kind="cancel", payload="{}", by=by, created=NOW, answered=answered
        )

    pruning.prune_all(now)

    assert sorted(RunRequest.objects.values_list("by", flat=True)) == ["new", "open"]


def test_a_family_goes_as_a_whole(people: People) -> None:
    """I20: Child runs and transitions go with the run that led to them, once all are old."""
    ended(people, "a")
    ended(people, "a1", parent_run="a")
    ended(people, "a11", parent_run="a1")
    ended(people, "b")
    ended(people, "b1", 2, parent_run="b")
    ended(people, "c")
    ended(people, "c1", parent_run="c", status="waiting")
    ended(people, "orphan", parent_run="nobody")

    assert kept(people) == ["b", "b1", "c", "c1"]


def test_more_families_than_one_look_takes(people: People) -> None:
    """I20: Those that must stay do not keep the look from getting to the others."""
    for n in range(pruning.FAMILIES + 5):
        ended(people, f"p{n:03}", 60)
        ended(people, f"k{n:03}", 60, parent_run=f"p{n:03}", status="waiting")
    ended(people, "z", 50)

    assert "z" not in kept(people)


def test_other_workspaces_keep_theirs(people: People) -> None:
    """I20: Each workspace says for itself; one that says nothing keeps everything."""
    ended(people, "home")
    ended(people, "away", workspace=people.carol.workspace)
    pruning.prune_all(LATER)
    assert Run.objects.count() == 2

    Api(people.olga).patch("workspace/", {"settings": {"keep_runs_days": 10}})
    pruning.prune_all(LATER)
    assert list(Run.objects.values_list("pk", flat=True)) == ["away"]


def test_the_setting_is_the_admins_and_null_clears_it(people: People) -> None:
    """I20: 1 to 3650 days, or null to keep runs for ever."""
    olga, alice = Api(people.olga), Api(people.alice)
    body = {"settings": {"keep_runs_days": 30}}
    shown = olga.get("session/").json()["workspace"]["settings"]

    assert shown["keep_runs_days"] is None
    assert alice.patch("workspace/", body).status_code == 403
    assert olga.patch("workspace/", body).json()["settings"]["keep_runs_days"] == 30
    for wrong in (0, 3_651, "30", 1.5, True):
        answer = olga.patch("workspace/", {"settings": {"keep_runs_days": wrong}})
        assert answer.status_code == 400, wrong
    cleared = olga.patch("workspace/", {"settings": {"keep_runs_days": None}}).json()
    assert cleared["settings"]["keep_runs_days"] is None


def test_the_command_says_what_it_deleted(people: People) -> None:
    """I20: `manage.py prune` follows the settings, or prunes one workspace by a number."""
    ended(people, "old", 90)
    Run.objects.update(ended_at=1)
    out = StringIO()
    call_command("prune", stdout=out)
    call_command("prune", "--workspace", "home", "--days", "5", stdout=out)

    first, second = out.getvalue().splitlines()
    assert first == "Deleted 0 runs, 0 events, 0 blobs."
    assert second == "Deleted 1 runs, 2 events, 0 blobs."
    for wrong in (
        ["--days", "5"],
        ["--workspace", "nope", "--days", "5"],
        ["--workspace", "home"],
        ["--workspace", "home", "--days", "0"],
    ):
        with pytest.raises(CommandError):
            call_command("prune", *wrong)


def test_a_server_prunes_by_itself_and_again_after_a_failure() -> None:
    times = threading.Semaphore(0)
    seen: list[int] = []

    def work(now_ms: int) -> None:
        seen.append(now_ms)
        times.release()
        if len(seen) == 1:
            raise DatabaseError("locked")

    with pruning.regularly(0, 0, work):
        assert times.acquire(timeout=10)
        assert times.acquire(timeout=10)
    assert seen[1] >= seen[0] > 1_700_000_000_000
