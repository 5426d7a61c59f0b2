"""Writes and verifies the audit log: a chain of hashes per workspace."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import orjson
from django.db import transaction
from django.utils import timezone

from builder.models import AuditEntry, Workspace
from engine.core.values.json import canonical

GENESIS: Final = "0" * 64


@dataclass(frozen=True, slots=True)
class AuditAction:
    """What somebody did; `ref` names the event of a run's log that tells of it, `run:seq`."""

    actor_id: str | None
    action: str
    target: str
    at: datetime
    detail: dict[str, Any] = field(default_factory=dict)
    ref: str | None = None


def record(
    workspace_id: str, actor_id: str | None, action: str, target: str, **detail: Any
) -> AuditEntry:
    """Append one action in the caller's transaction: it counts only if that commits."""
    [entry] = append(workspace_id, [AuditAction(actor_id, action, target, timezone.now(), detail)])
    return entry


def append(workspace_id: str, actions: Sequence[AuditAction]) -> list[AuditEntry]:
    """Append actions in their order, in the caller's transaction."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("an audit entry belongs in the transaction of its action")
    Workspace.objects.select_for_update().get(pk=workspace_id)
    last = AuditEntry.objects.filter(workspace=workspace_id).order_by("-n").first()
    n, prev_hash = (last.n, last.entry_hash) if last else (0, GENESIS)
    rows: list[AuditEntry] = []
    for action in actions:
        entry, n = _text_of(action), n + 1
        row = AuditEntry(
            workspace_id=workspace_id,
            n=n,
            prev_hash=prev_hash,
            entry=entry,
            entry_hash=chained(prev_hash, entry),
            at=action.at,
            ref=action.ref,
        )
        prev_hash = row.entry_hash
        rows.append(row)
    return AuditEntry.objects.bulk_create(rows)


def _text_of(action: AuditAction) -> str:
    return canonical(
        {
            "action": action.action,
            "actor": action.actor_id,
            "target": action.target,
            "at": action.at.isoformat(),
            "detail": action.detail,
            **({} if action.ref is None else {"ref": action.ref}),
        }
    ).decode()


def chained(prev_hash: str, entry: str) -> str:
    """Return the hash of an entry that follows the one with `prev_hash`."""
    return hashlib.sha256(f"{prev_hash}{entry}".encode()).hexdigest()


def read(entry: AuditEntry) -> dict[str, Any]:
    """Return `{action, actor, target, at, detail}` of an entry; what cannot be read is shown raw."""
    try:
        found = orjson.loads(entry.entry)
    except orjson.JSONDecodeError:
        found = None
    blank = {"action": "unreadable", "actor": None, "target": "", "detail": {"entry": entry.entry}}
    return {**blank, **found} if isinstance(found, dict) else blank


def first_broken(workspace_id: str) -> int | None:
    """Return the number of the first entry that was changed or removed, None if all hold."""
    prev_hash, expected = GENESIS, 1
    entries = AuditEntry.objects.filter(workspace=workspace_id).order_by("n")
    for entry in entries.iterator(chunk_size=500):
        intact = entry.n == expected and entry.prev_hash == prev_hash and _ref_holds(entry)
        if not intact or entry.entry_hash != chained(prev_hash, entry.entry):
            return expected
        prev_hash, expected = entry.entry_hash, expected + 1
    return None


def _ref_holds(entry: AuditEntry) -> bool:
    """Return whether the column beside an entry says what the entry itself says."""
    return entry.ref is None or f'"ref":"{entry.ref}"' in entry.entry
