"""The audit chain of a workspace, and whether it tells of what the log of a run tells of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import orjson

from builder.services.audit.chain import GENESIS, chained
from builder.services.verification.snapshot import Finding, Snapshot
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

ENTRIES: Final = (
    "SELECT n, prev_hash, entry, entry_hash, ref FROM builder_auditentry WHERE workspace_id = ? "
    "AND n"
)


def check_chain(look: Snapshot, workspace_id: str) -> Iterator[Finding]:
    """Yield where the chain of a workspace breaks; what follows a break proves nothing."""
    prev_hash, expected = GENESIS, 1
    for page in look.pages(ENTRIES, (workspace_id,), 0):
        for n, before, entry, entry_hash, ref in page:
            wrong = _wrong(expected, prev_hash, (n, before, entry, entry_hash, ref))
            if wrong is not None:
                yield Finding(f"audit log of workspace {workspace_id} at entry {expected}", wrong)
                return
            prev_hash, expected = entry_hash, expected + 1


def _wrong(expected: int, prev_hash: str, row: tuple[int, str, str, str, str | None]) -> str | None:
    n, before, entry, entry_hash, ref = row
    if n != expected:
        return f"it is missing, {n} follows"
    if before != prev_hash:
        return "it does not follow the entry before it"
    if entry_hash != chained(prev_hash, entry):
        return "it was changed"
    told = orjson.loads(entry).get("ref")
    return None if told == ref else f"it tells of {told}, and the column beside it says {ref}"


def check_deeds(
    look: Snapshot, run_id: str, number: int, actions: Mapping[int, tuple[str, Mapping[str, Any]]]
) -> Iterator[Finding]:
    """Yield the actions of a run, by seq, that the audit log lacks or tells otherwise."""
    place = f"run {run_id}"
    first = number * EVENTS_PER_RUN
    waiting = {
        row[0] % EVENTS_PER_RUN
        for row in look.rows(
            "SELECT place FROM builder_pendingdeed WHERE place > ? AND place < ?",
            (first, first + EVENTS_PER_RUN),
        )
    }
    entered = {
        int(ref.rpartition(":")[2]): orjson.loads(entry)
        for ref, entry in look.rows(
            "SELECT ref, entry FROM builder_auditentry WHERE ref >= ? AND ref < ?",
            (f"{run_id}:", f"{run_id};"),
        )
    }
    for seq, (kind, data) in actions.items():
        if seq not in entered and seq not in waiting:
            yield Finding(f"{place} at {seq}", f"the audit log lacks this {kind}")
        elif seq in entered:
            yield from _compared(f"{place} at {seq}", entered[seq], kind, data)
    for seq in entered.keys() - actions.keys():
        yield Finding(
            f"{place} at {seq}", "the audit log tells of an action that the log does not have"
        )


def _compared(
    place: str, entry: Mapping[str, Any], kind: str, data: Mapping[str, Any]
) -> Iterator[Finding]:
    who = data.get("started_by" if kind == "RunStarted" else "by")
    if entry.get("actor") != who:
        yield Finding(place, f"the log says {who} did it, the audit log {entry.get('actor')}")
    detail = entry.get("detail") or {}
    for name in ("decision", "content_hash"):
        said = data.get(name)
        if said is not None and detail.get(name) != said:
            yield Finding(
                place, f"{name} is {said!r} in the log, {detail.get(name)!r} in the audit log"
            )
