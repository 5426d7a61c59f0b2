"""A run that is over goes into a file, and everything that is read of it stays as it was."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.db.models import Q

from builder.adapters.run_store.archive import run_file, shelf
from builder.base.errors import ArchiveDamaged
from builder.models import (
    AuditEntry,
    Blob,
    Interrupt,
    KeptRun,
    OldRuns,
    RetentionRule,
    Run,
    RunArchive,
    RunBlob,
    RunEvent,
)
from builder.reads import event_log as log
from builder.services.runs.retention import archiving, policy, pruning
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from tests.builder.conftest import Api, People
from tests.builder.fakes import NOW, append, open_interrupt
from tests.builder.services.retention.test_pruning import LATER, ended

ALL = policy.Rule(30, OldRuns.ARCHIVE, Q())
ID = "0c7e5f8a-1111-4222-8333-444455556666"


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    """The folder of archived runs of a test."""
    settings.ARCHIVE_DIR = str(tmp_path / "archive")
    return tmp_path / "archive"


def long_run(people: People, name: str = ID, steps: int = 30) -> Run:
    """Return a run of Home with steps, an answered approval, and an old end."""
    run = Run.objects.create(
        id=name,
        workspace=people.olga.workspace,
        graph_slug="g",
        started_at=NOW,
        status="running",
    )
    append(run, "RunStarted", input={"subject": "A parcel"}, goal="Answer")
    for n in range(steps):
        usage = {"tokens": 3, "cost_usd": "0.5"}
        append(run, "StepCompleted", key="draft#1", output={"said": "word " * 50, "n": n}, **usage)
    item = open_interrupt(run)
    Interrupt.objects.filter(pk=item.pk).update(status="answered")
    append(run, "RunCompleted", result="sent")
    at = LATER - 50 * pruning.DAY_MS
    Run.objects.filter(pk=name).update(status="completed", ended_at=at)
    return Run.objects.get(pk=name)


def archive_all(people: People) -> pruning.Pruned:
    """Archive what is old in Home."""
    return pruning.by_rule(people.olga.workspace_id, ALL, LATER)


def test_what_is_read_of_an_archived_run_is_as_before(people: People) -> None:
    run, api = long_run(people), Api(people.olga)
    ways = (f"runs/{ID}/", f"runs/{ID}/events/?limit=1000", "runs/", "interrupts/?view=done")
    before = [api.get(way).json() for way in ways]
    events = RunEvent.objects.count()

    done = archive_all(people)

    assert (done.archived, done.runs) == (1, 0)
    assert RunEvent.objects.count() == events - done.events < 5
    after = [api.get(way).json() for way in ways]
    marked = after[2]["results"][0].pop("archived_at"), after[0].pop("archived_at")
    assert None not in marked
    before[2]["results"][0].pop("archived_at"), before[0].pop("archived_at")
    assert after == before
    assert log.head_of(run.pk) == run.seq


def test_pages_of_an_archived_log_come_from_anywhere_in_it(people: People) -> None:
    run = long_run(people, steps=900)
    whole = log.page_after(run.pk, 0, 2_000)
    archive_all(people)

    kept = shelf.archived_run(run.pk)
    assert kept is not None and len(kept.index.events) > 1
    for after in (0, 1, 5, 700, run.seq - 2, run.seq):
        rows, more = log.slice_after(run.pk, after, 100, max_bytes=10**6)
        assert (rows, more) == (whole[after : after + 100], after + 100 < run.seq)
    assert log.page_after(run.pk, 3, 7, kinds=("StepCompleted",)) == whole[3:10]


def test_what_comes_after_the_archiving_is_read_behind_it(people: People) -> None:
    """An outcome may reach a run that is over: it is written as ever."""
    run = long_run(people)
    archive_all(people)
    append(run, "StepRecorded", key="draft#1")

    seqs = [row[0] for row in log.page_after(run.pk, 0, 1_000)]

    assert seqs == list(range(1, run.seq + 1))


def test_large_values_are_read_from_the_file(people: People) -> None:
    """I20: A value that only this run mentions leaves the tables; one that is shared stays."""
    run, other = long_run(people), ended(people, "young", 1)
    raw = orjson.dumps("long " * 1_000)
    name = hashlib.sha256(raw).hexdigest()
    shared = hashlib.sha256(b'"ours"').hexdigest()
    for digest, data, runs in ((name, raw, [run]), (shared, b'"ours"', [run, other])):
        Blob.objects.create(hash=digest, size=len(data), data=data)
        for one in runs:
            RunBlob.objects.create(run=one.pk, hash=digest)
    archive_all(people)

    assert list(Blob.objects.values_list("pk", flat=True)) == [shared]
    for digest, data in ((name, raw), (shared, b'"ours"')):
        assert Api(people.vera).get(f"runs/{ID}/blobs/{digest}/").content == data
    assert Api(people.carol).get(f"runs/{ID}/blobs/{name}/").status_code == 404


def test_a_second_look_finds_nothing_to_do(people: People) -> None:
    long_run(people)
    assert archive_all(people).archived == 1
    assert archive_all(people) == pruning.Pruned()
    assert AuditEntry.objects.filter(entry__contains='"runs.archived"').count() == 1


def test_a_kill_between_file_and_rows_changes_nothing(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is there, the rows too; the next look writes the same bytes and goes on."""
    run, real = long_run(people), archiving._as_read

    def killed(*_: Any) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(archiving, "_as_read", killed)
    with pytest.raises(KeyboardInterrupt):
        archive_all(people)
    first = shelf.path_of(run.pk).read_bytes()
    assert not RunArchive.objects.exists()
    assert RunEvent.objects.count() == run.seq

    monkeypatch.setattr(archiving, "_as_read", real)
    assert archive_all(people).archived == 1
    assert shelf.path_of(run.pk).read_bytes() == first
    assert [path.name for path in shelf.path_of(run.pk).parent.iterdir()] == [f"{ID}.jsonl.gz"]


def test_two_at_once_archive_once(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one who comes second has written the same file, and finds the run archived."""
    run, real = long_run(people), archiving._write

    def beaten(*args: Any) -> Any:
        monkeypatch.setattr(archiving, "_write", real)
        assert archiving.archive(Run.objects.get(pk=run.pk), LATER) is not None
        return real(*args)

    whole = log.page_after(run.pk, 0, 1_000)
    monkeypatch.setattr(archiving, "_write", beaten)

    assert archiving.archive(run, LATER) is None
    assert RunArchive.objects.count() == 1
    assert log.page_after(run.pk, 0, 1_000) == whole


def test_a_run_that_moved_meanwhile_stays(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    run, real = long_run(people), archiving._write

    def moved(*args: Any) -> Any:
        written = real(*args)
        append(Run.objects.get(pk=run.pk), "StepRecorded")
        return written

    monkeypatch.setattr(archiving, "_write", moved)

    assert archiving.archive(run, LATER) is None
    assert RunEvent.objects.count() == run.seq + 1


def test_a_family_goes_whole_and_kept_runs_stay(people: People) -> None:
    ended(people, "a")
    ended(people, "a1", parent_run="a")
    ended(people, "b")
    ended(people, "b1", parent_run="b", status="waiting")
    ended(people, "c")
    ended(people, "c1", parent_run="c")
    KeptRun.objects.create(run="c1", at=NOW)
    archive_all(people)

    assert set(RunArchive.objects.values_list("pk", flat=True)) == {"a", "a1"}
    pruning.prune(people.olga.workspace_id, 30, LATER)
    assert sorted(Run.objects.values_list("pk", flat=True)) == ["b", "b1", "c", "c1"]


def test_a_deleted_archive_leaves_its_file_for_a_day(people: People) -> None:
    """A backup that copied the tables before still finds the file."""
    run, api = long_run(people), Api(people.olga)
    archive_all(people)
    assert Api(people.oscar)("DELETE", f"runs/{ID}/archive/").status_code == 403
    assert api("POST", f"runs/{ID}/kept/").status_code == 204
    assert api("DELETE", f"runs/{ID}/archive/").json()["code"] == "RunKept"
    api("DELETE", f"runs/{ID}/kept/")

    assert api("DELETE", f"runs/{ID}/archive/").status_code == 204
    assert api.get(f"runs/{ID}/").status_code == 404
    assert not RunEvent.objects.exists()
    gone = RunArchive.objects.get().gone_at or 0
    archiving.sweep(gone + archiving.GONE_MS)
    assert shelf.path_of(run.pk).exists()
    assert archiving.sweep(gone + archiving.GONE_MS + 1) == 1
    assert not shelf.path_of(run.pk).exists()


def test_the_file_can_be_taken_and_read_by_anything(people: People) -> None:
    run = long_run(people)
    assert Api(people.vera).get(f"runs/{ID}/archive/").status_code == 404
    archive_all(people)
    answer = Api(people.vera).get(f"runs/{ID}/archive/")
    lines = gzip.decompress(b"".join(answer.streaming_content)).splitlines()

    assert orjson.loads(lines[0])["run"] == run.pk
    assert [orjson.loads(line)["seq"] for line in lines[1:]] == list(range(1, run.seq + 1))


def test_a_damaged_or_lost_file_is_told(people: People) -> None:
    long_run(people)
    archive_all(people)
    path = shelf.path_of(ID)
    path.write_bytes(b"x" + path.read_bytes()[1:])
    for _ in range(2):
        answer = Api(people.vera).get(f"runs/{ID}/events/")
        assert (answer.status_code, answer.json()["code"]) == (503, "ArchiveDamaged")
        path.unlink(missing_ok=True)
    assert Api(people.vera).get("runs/").status_code == 200


def test_no_part_unpacks_to_more_than_its_index_says() -> None:
    bomb = gzip.compress(b"0" * 10_000_000)
    for plain in (10, 10_000_001, run_file.MAX_PART + 1, -1):
        with pytest.raises(ArchiveDamaged):
            run_file.unpacked(bomb, plain)
    with pytest.raises(ArchiveDamaged):
        run_file.unpacked(b"no gzip", 7)


def test_each_workflow_may_have_its_own_rule(people: People, graph: Any) -> None:
    """A rule without days keeps the runs of one workflow for ever."""
    api, way = Api(people.olga), f"graphs/{graph.pk}/retention/"
    assert api.get(way).json() == {"own": False, "days": None, "then": "delete"}
    assert Api(people.alice)("POST", way, {"days": 3}).status_code == 403
    workspace = people.olga.workspace
    workspace.settings = {policy.SETTING: 30, policy.THEN: "delete"}
    workspace.save()
    for name, of in (("own", graph), ("other", None)):
        ended(people, name, 50, graph=of)

    api("POST", way, {"days": None, "then": "archive"})
    pruning.prune_all(LATER)
    assert list(Run.objects.values_list("pk", flat=True)) == ["own"]
    api = Api(people.olga)  # that time ends sessions, too
    assert api("POST", way, {"days": 40}).json() == {"own": True, "days": 40, "then": "archive"}
    pruning.prune_all(LATER)
    assert RunArchive.objects.get().run == "own"
    api = Api(people.olga)
    assert api("DELETE", way).status_code == 204
    assert api.get(way).json() == {"own": False, "days": 30, "then": "delete"}
    pruning.prune_all(LATER)

    assert not Run.objects.exists()
    assert not RetentionRule.objects.exists()
    assert RunEvent.objects.filter(place__gte=EVENTS_PER_RUN).count() == 0
