"""What became of the values that approvers may edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from builder.models import Blob
from engine.runtime.stores.sql.payloads import BLOB

ABSENT: Final = object()


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one key that approvers may edit; `before` is `ABSENT` where it was not there."""

    key: str
    before: Any
    after: Any
    by: str | None


def net_changes(edits: Sequence[Mapping[str, Any]]) -> list[Change]:
    """Return by key what a series of changes comes to; a key that is as it was is left out."""
    first: dict[str, Mapping[str, Any]] = {}
    last: dict[str, Mapping[str, Any]] = {}
    for one in edits:
        first.setdefault(one["key"], one)
        last[one["key"]] = one
    found = [
        Change(key, one.get("before", ABSENT), last[key].get("after", ABSENT), last[key].get("by"))
        for key, one in first.items()
    ]
    return [one for one in found if one.before != one.after]


def changes_in(edited: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the changes that an event carries; a list too long for its row is a blob."""
    found = edited["changes"]
    if isinstance(found, list):
        return found
    raw = Blob.objects.filter(pk=found[BLOB]).values_list("data", flat=True).first()
    return [] if raw is None else orjson.loads(bytes(raw))
