"""What facts are about, and what shares a fact with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from builder.models import Entity


def known_entities(using: str, workspace: str, keys: Any) -> dict[str, int]:
    """Return key → primary key of the workspace's entities with these keys."""
    found = Entity.objects.using(using).filter(workspace=workspace, key__in=list(keys))
    return dict(found.values_list("key", "pk"))


def neighbours(using: str, seeds: Sequence[int]) -> dict[int, str]:
    """Return primary key and key of the entities that share a fact with one of the seeds."""
    shared = Entity.objects.using(using).filter(links__fact__links__entity__in=seeds)
    return dict(shared.distinct().order_by("pk").values_list("pk", "key"))
