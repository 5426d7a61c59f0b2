"""Writes and verifies the audit log: a chain of hashes per workspace."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import orjson
from django.db import transaction
from django.utils import timezone

from builder.models import AuditEntry, Workspace
from engine.values import canonical

GENESIS: Final = "0" * 64


def record(
    workspace_id: str, actor_id: str | None, action: str, target: str, **detail: Any
) -> AuditEntry:
    """Append one deed in the caller's transaction: it counts only if that commits."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("an audit entry belongs in the transaction of its deed")
    Workspace.objects.select_for_update().get(pk=workspace_id)
    last = AuditEntry.objects.filter(workspace=workspace_id).order_by("-n").first()
    at = timezone.now()
    entry = canonical(
        {
            "action": action,
            "actor": actor_id,
            "target": target,
            "at": at.isoformat(),
            "detail": detail,
        }
    ).decode()
    prev_hash = last.entry_hash if last else GENESIS
    return AuditEntry.objects.create(
        workspace_id=workspace_id,
        n=last.n + 1 if last else 1,
        prev_hash=prev_hash,
        entry=entry,
        entry_hash=chained(prev_hash, entry),
        at=at,
    )


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
        intact = entry.n == expected and entry.prev_hash == prev_hash
        if not intact or entry.entry_hash != chained(prev_hash, entry.entry):
            return expected
        prev_hash, expected = entry.entry_hash, expected + 1
    return None
