"""Rows of facts as the engine takes them."""

from __future__ import annotations

from builder.models import Fact
from builder.models.querysets import FactQuerySet
from engine.integrations.memory.facts import Fact as KnownFact


def loaded(rows: FactQuerySet) -> list[KnownFact]:
    """Return rows, with their tags and entities, as facts of the engine."""
    return [_known(row) for row in rows.prefetch_related("tag_rows", "links")]


def _known(row: Fact) -> KnownFact:
    return KnownFact(
        id=row.key,
        text=row.text,
        tags=tuple(tag.tag for tag in row.tag_rows.all()),
        entities=tuple(link.name for link in row.links.all()),
        at=row.at,
        position=row.position,
        words=frozenset(row.words.split()),
    )
