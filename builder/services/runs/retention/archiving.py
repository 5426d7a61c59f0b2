"""A run that is over goes into a file: first the file is on disk, then its rows go, in one commit.

What lists, dashboards, the inbox and the audit log read stays in the tables: the run's row, words, tags
and spending, how it began and ended, and what people were asked and said. All of it is in the file too.
A process that dies between the two leaves a file that nobody knows of: the next one writes the same
bytes under the same name. Two at once do so as well, and the second finds the run archived.
"""

from __future__ import annotations

import logging
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from django.db import transaction
from django.db.models import Q

from builder.adapters.run_store.archive import run_file
from builder.adapters.run_store.archive.shelf import path_of, settle
from builder.base.audited_events import AUDITED
from builder.models import (
    Activation,
    AskedBack,
    Blob,
    Decision,
    Interrupt,
    KeptRun,
    Lapse,
    PendingDeed,
    Run,
    RunArchive,
    RunBlob,
    RunEvent,
    RunSnapshot,
)
from builder.services.runs.retention.blobs import drop_blobs
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

STAY: Final = AUDITED | {
    "AttemptFailed",
    "CompensationStarted",
    "InterruptEscalated",
    "InterruptOpened",
}
"""Types of events that lists, figures and the inbox read: few in a run, and never its bulk."""
GONE_MS: Final = 86_400_000
"""How long a file outlives its run: a backup that copied the tables before finds it still there."""
MENTIONED: Final = re.compile(rb'"\$blob":"([0-9a-f]{64})"')
TEMPORARY: Final = ".part"

log = logging.getLogger(__name__)


def archive(run: Run, now_ms: int) -> int | None:
    """Put a run that is over into its file; return how many events left the tables.

    None where it is no longer as it was read, kept, archived already, or too large for a file.
    """
    number = run.number
    if number is None or run.status not in Run.ENDED:
        return None
    events = RunEvent.objects.filter(_places(number)).order_by("place")
    head = run.seq
    path = path_of(run.pk)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        written = _write(run, head, path)
    except run_file.TooLargeToArchive as error:
        log.info("run %s stays in the tables: it holds %s", run.pk, error)
        return None
    with transaction.atomic():
        if not _as_read(run, head):
            return None
        RunArchive.objects.create(
            run=run.pk,
            head=head,
            at=now_ms,
            size=written.size,
            plain=written.plain,
            sha256=written.sha256,
            parts=written.index.text(),
        )
        stay = [number * EVENTS_PER_RUN + seq for seq in _told_of(run.pk) | {head}]
        gone = events.exclude(type__in=STAY).exclude(place__in=stay).order_by().delete()[0]
        drop_blobs([run.pk], keep=_mentioned(events.values_list("data", flat=True)))
        RunSnapshot.objects.filter(run=run.pk).delete()
        Activation.objects.filter(_places(number)).delete()
    return gone


def _write(run: Run, head: int, path: Path) -> run_file.Written:
    """Write the run's file under a name of this process alone, then give it its own."""
    start = (run.number or 0) * EVENTS_PER_RUN
    rows = RunEvent.objects.filter(place__gt=start, place__lte=start + head).order_by("place")
    told = rows.values_list("place", "type", "at", "key", "data").iterator(chunk_size=500)
    hashes = RunBlob.objects.filter(run=run.pk).order_by("hash").values_list("hash", flat=True)
    about = {
        "run": run.pk,
        "workspace": run.workspace_id,
        "workflow": run.graph_slug,
        "status": run.status,
        "events": head,
    }
    descriptor, name = tempfile.mkstemp(suffix=TEMPORARY, dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            events = (
                (place % EVENTS_PER_RUN, kind, at, key, bytes(data))
                for place, kind, at, key, data in told
            )
            written = run_file.write(file, about, _dense(run, events), _values(list(hashes)))
            file.flush()
            os.fsync(file.fileno())
        settle(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    return written


def _dense(run: Run, rows: Iterable[run_file.Row]) -> Iterator[run_file.Row]:
    for seq, row in enumerate(rows, 1):
        if row[0] != seq:
            raise run_file.TooLargeToArchive(f"a log with a gap before event {row[0]}")
        yield row


def _values(hashes: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for name in hashes:
        raw = Blob.objects.filter(pk=name).values_list("data", flat=True).first()
        if raw is not None:
            yield name, bytes(raw)


def _as_read(run: Run, head: int) -> bool:
    """Lock the run's row and return whether it still is what the file says."""
    row = Run.objects.select_for_update(of=("self",)).filter(pk=run.pk).first()
    same = row is not None and row.status in Run.ENDED and row.seq == head
    if not same or KeptRun.objects.filter(pk=run.pk).exists():
        return False
    unheard = PendingDeed.objects.filter(_places(run.number or 0))
    return not unheard.exists() and not RunArchive.objects.filter(pk=run.pk).exists()


def _places(number: int) -> Q:
    first = number * EVENTS_PER_RUN
    return Q(place__gte=first, place__lt=first + EVENTS_PER_RUN)


def _told_of(run_id: str) -> set[int]:
    """Return the seqs to which rows of the inbox point."""
    asked = Interrupt.objects.filter(run=run_id)
    mine = Q(interrupt__run=run_id)
    found = {
        *asked.values_list("opened_seq", "resolved_seq", "edited_seq", "escalated_seq"),
        *Decision.objects.filter(mine).values_list("seq"),
        *Lapse.objects.filter(mine).values_list("decided_seq", "lapsed_seq"),
        *AskedBack.objects.filter(mine).values_list("asked_seq", "ended_seq"),
    }
    return {seq for row in found for seq in row if seq is not None}


def _mentioned(rows: Iterable[bytes | memoryview[int]]) -> set[str]:
    return {found.decode() for data in rows for found in MENTIONED.findall(bytes(data))}


def sweep(now_ms: int) -> int:
    """Remove the files of runs that were deleted a day ago; return how many."""
    gone = RunArchive.objects.filter(gone_at__lt=now_ms - GONE_MS)
    removed = 0
    for run_id in list(gone.values_list("pk", flat=True)[:10_000]):
        path_of(run_id).unlink(missing_ok=True)
        RunArchive.objects.filter(pk=run_id).delete()
        removed += 1
    return removed
