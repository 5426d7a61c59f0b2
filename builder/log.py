"""Reads the logs of runs: pages for sockets and the API, single facts for lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import orjson

from builder.models import RunEvent
from engine.events import iso, node_of

PAGE: Final = 200
Row = tuple[int, str, int, str | None, bytes]
ROW: Final = ("seq", "type", "at", "key", "data")


def page_after(run_id: str, after: int, limit: int = PAGE) -> list[Row]:
    """Return up to `limit` events with `seq` above `after`, in order."""
    rows = RunEvent.objects.filter(run=run_id, seq__gt=after).order_by("seq")
    return list(rows.values_list(*ROW)[:limit])


def head_of(run_id: str) -> int:
    """Return the run's last seq, 0 without events."""
    last = RunEvent.objects.filter(run=run_id).order_by("-seq").values_list("seq", flat=True)
    return last.first() or 0


def encode_event(row: Row) -> bytes:
    """Return one event in its flat form as JSON, without parsing what it carries."""
    seq, kind, at, key, data = row
    head: dict[str, Any] = {"seq": seq, "type": kind, "at": iso(at)}
    if key is not None:
        head["node"], head["key"] = node_of(key), key
    carried = bytes(data)
    opening = orjson.dumps(head)
    if carried in (b"", b"{}"):
        return opening
    return opening[:-1] + b"," + carried[1:]


def encode_events(rows: Iterable[Row]) -> bytes:
    """Return events as one JSON array."""
    return b"[" + b",".join(map(encode_event, rows)) + b"]"


def data_at(places: Iterable[tuple[str, int | None]]) -> dict[tuple[str, int], dict[str, Any]]:
    """Return what the events at `(run, seq)` carry, in one query; unknown places are left out."""
    wanted = {(run, seq) for run, seq in places if seq is not None}
    if not wanted:
        return {}
    rows = RunEvent.objects.filter(
        run__in={run for run, _ in wanted}, seq__in={seq for _, seq in wanted}
    ).values_list("run", "seq", "data")
    return {(run, seq): orjson.loads(data) for run, seq, data in rows if (run, seq) in wanted}


def first_and_last(run_id: str, head: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what the run's start and the event at `head` carry."""
    found = data_at([(run_id, 1), (run_id, head)])
    return found.get((run_id, 1), {}), found.get((run_id, head), {})


def spend_by_node(run_id: str, head: int) -> dict[str, dict[str, Any]]:
    """Return node id → `{tokens, usd, attempts}` from the log up to `head`, failed calls included."""
    from decimal import Decimal

    kinds = ("StepCompleted", "StepFailed", "NodeStarted")
    rows = RunEvent.objects.filter(run=run_id, seq__lte=head, type__in=kinds, key__isnull=False)
    sums: dict[str, dict[str, Any]] = {}
    for kind, key, data in rows.values_list("type", "key", "data").iterator(chunk_size=500):
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
        node: {**entry, "usd": format(entry["usd"].normalize(), "f")}
        for node, entry in sums.items()
        if entry["tokens"] or entry["usd"] or entry["attempts"]
    }
