"""Reads the logs of runs: pages for sockets and the API, single facts for lists.

Of an archived run single facts are in the tables still; where its other events are missing there, they
are read from its file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import orjson
from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet

from builder.adapters.run_store.archive.run_file import LAST_SEQ, is_gap
from builder.adapters.run_store.archive.shelf import archived_run
from builder.models import Blob, Run, RunArchive, RunBlob, RunEvent
from builder.models.prepared import Prepared, each_number_of
from engine.core.budgets.money import usd_text
from engine.core.state.events import node_of
from engine.core.state.wire import encode
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN, IN_LOG
from engine.runtime.stores.sql.payloads import decode

PAGE: Final = 200
Row = tuple[int, str, int, str | None, bytes]
ROW: Final = ("place", "type", "at", "key", "data")
SLICE: Final = (
    f"SELECT {', '.join(ROW)} FROM builder_runevent WHERE {IN_LOG} "  # noqa: S608  (constants)
    "ORDER BY place LIMIT ?"
).replace("?", "%s")
"""Fixed text: it is read for each socket at each bell, and making it cost more than reading."""

AT_PLACES: Final = Prepared(
    lambda places: RunEvent.objects.filter(place__in=each_number_of(places)).values_list(
        "place", "data"
    )
)


def _in_tables(run_id: str, after: int = 0, until: int = LAST_SEQ) -> QuerySet[RunEvent]:
    """Return those of the run's events that are in the tables, in order."""
    number = Run.objects.filter(id=run_id).values_list("number", flat=True).first()
    if number is None:
        return RunEvent.objects.none()
    first = number * EVENTS_PER_RUN
    rows = RunEvent.objects.filter(place__gt=first + after, place__lte=first + until)
    return rows.order_by("place")


def events_of(
    run_id: str,
    after: int = 0,
    until: int = LAST_SEQ,
    kinds: Sequence[str] = (),
    limit: int = EVENTS_PER_RUN,
) -> Iterator[Row]:
    """Yield the run's events with `seq` above `after` and up to `until`, in order, up to `limit`.

    Only those of the given types, if types are given. Raises `ArchiveDamaged`.
    """
    kept = archived_run(run_id)
    if kept is not None and after < kept.head:
        told = (row for row in kept.events(after, until) if not kinds or row[1] in kinds)
        for row in islice(told, limit):
            limit -= 1
            yield row
        after = kept.head
    rows = _in_tables(run_id, after, until)
    wanted = rows.filter(type__in=kinds) if kinds else rows
    for place, kind, at, key, data in (
        wanted.values_list(*ROW)[:limit].iterator(chunk_size=500) if limit else ()
    ):
        yield place % EVENTS_PER_RUN, kind, at, key, bytes(data)


def page_after(
    run_id: str,
    after: int,
    limit: int = PAGE,
    *,
    until: int = LAST_SEQ,
    kinds: Sequence[str] = (),
) -> list[Row]:
    """Return up to `limit` events with `seq` above `after` and up to `until`, in order.

    Only those of the given types, if types are given.
    """
    return list(events_of(run_id, after, until, kinds, limit))


def slice_after(
    run_id: str, after: int, limit: int = PAGE, *, max_bytes: int
) -> tuple[list[Row], bool]:
    """Return events with `seq` above `after`, in order, and whether there are more.

    Cut before `limit` or `max_bytes` of data are passed, but never before the first event.
    """
    with connection.cursor() as cursor:
        cursor.execute(SLICE, [run_id, after, run_id, limit + 1])
        found = ((place % EVENTS_PER_RUN, *rest) for place, *rest in cursor)
        rows, more = _cut(found, limit, max_bytes)
    if is_gap(after, (row[0] for row in rows)):
        return _cut(events_of(run_id, after), limit, max_bytes)
    return rows, more


def _cut(found: Iterable[Row], limit: int, left: int) -> tuple[list[Row], bool]:
    rows: list[Row] = []
    for row in found:
        left -= len(row[4])
        if rows and (left < 0 or len(rows) == limit):
            return rows, True
        rows.append(row)
    return rows, False


def head_of(run_id: str) -> int:
    """Return the run's last seq, 0 without events."""
    last = _in_tables(run_id).order_by("-place").values_list("place", flat=True).first()
    return 0 if last is None else last % EVENTS_PER_RUN


def encode_events(rows: Iterable[Row]) -> bytes:
    """Return events as one JSON array, in their flat form."""
    return b"[" + b",".join([encode(*row[:4], bytes(row[4])) for row in rows]) + b"]"


def data_at(
    places: Iterable[tuple[str, int | None]], numbers: Mapping[str, int] | None = None
) -> dict[tuple[str, int], dict[str, Any]]:
    """Return what the events at `(run, seq)` carry; unknown places are left out.

    In two queries, or one where the `numbers` of the runs are known.
    """
    wanted = {(run, seq) for run, seq in places if seq is not None}
    if not wanted:
        return {}
    if numbers is None:
        runs = Run.objects.filter(id__in={run for run, _ in wanted}, number__isnull=False)
        numbers = {run: number or 0 for run, number in runs.values_list("id", "number")}
    found = {
        numbers[run] * EVENTS_PER_RUN + seq: (run, seq) for run, seq in wanted if run in numbers
    }
    rows = AT_PLACES.tuples(json.dumps(list(found)))
    return {found[place]: orjson.loads(data) for place, data in rows}


def starts_of(runs: Sequence[Run]) -> dict[str, dict[str, Any]]:
    """Return what the first events of runs carry, by the runs' ids, in one query; none for no run."""
    ids = {run.number * EVENTS_PER_RUN + 1: run.pk for run in runs if run.number is not None}
    if not ids:
        return {}
    rows = AT_PLACES.tuples(json.dumps(list(ids)))
    return {ids[place]: orjson.loads(data) for place, data in rows}


def whole(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a part of an event with what is stored apart of it read back."""
    return decode(orjson.dumps(data), blob)


def blob(digest: str) -> bytes:
    """Return a large value that is stored apart, as JSON."""
    return bytes(Blob.objects.values_list("data", flat=True).get(pk=digest))


def value_of(run_id: str, digest: str) -> bytes | None:
    """Return a large value that a run's log mentions, as JSON; None if it mentions none of that hash.

    Raises `ArchiveDamaged`.
    """
    if RunBlob.objects.filter(run=run_id, hash=digest).exists():
        return blob(digest)
    kept = archived_run(run_id)
    return None if kept is None else kept.value(digest)


def values_of(run_id: str) -> Callable[[str], bytes]:
    """Return what reads the large values of a run by their hashes. It raises LookupError."""

    def value(digest: str) -> bytes:
        found = value_of(run_id, digest)
        if found is None:
            raise LookupError(f"the value {digest} is missing")
        return found

    return value


def first_and_last(run_id: str, head: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what the run's start and the event at `head` carry."""
    found = data_at([(run_id, 1), (run_id, head)])
    return found.get((run_id, 1), {}), found.get((run_id, head), {})


def spend_by_node(run_id: str, head: int) -> dict[str, dict[str, Any]]:
    """Return node id → `{tokens, usd, attempts}` from the log up to `head`, failed calls included."""
    from decimal import Decimal

    kinds = ("StepCompleted", "StepFailed", "NodeStarted")
    sums: dict[str, dict[str, Any]] = {}
    for _seq, kind, _at, key, data in events_of(run_id, 0, head, kinds):
        if key is None:
            continue
        entry = sums.setdefault(node_of(key), {"tokens": 0, "usd": Decimal(0), "attempts": 0})
        carried = orjson.loads(data)
        if kind == "NodeStarted":
            entry["attempts"] += 0 if carried.get("resumed") else 1
            continue
        entry["tokens"] += int(carried.get("tokens") or 0)
        entry["usd"] += Decimal(str(carried.get("cost_usd") or 0))
    return {
        node: {**entry, "usd": usd_text(entry["usd"])}
        for node, entry in sums.items()
        if entry["tokens"] or entry["usd"] or entry["attempts"]
    }


def without(kind: str, numbers: Iterable[int]) -> set[int]:
    """Return those of the runs in whose logs no event of a type is; archived ones are left out."""
    first = OuterRef("number") * EVENTS_PER_RUN
    log = RunEvent.objects.filter(place__gt=first, place__lt=first + EVENTS_PER_RUN)
    archived = RunArchive.objects.filter(run=OuterRef("pk"))
    rows = Run.objects.filter(~Exists(archived), ~Exists(log.filter(type=kind)))
    found = rows.filter(number__in=list(numbers)).values_list("number", flat=True)
    return {number for number in found if number is not None}
