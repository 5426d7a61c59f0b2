"""The number by which other processes see that a source is another one."""

from __future__ import annotations

from builder.base.errors import NotFound
from builder.models import ToolSource


def next_revision(row: ToolSource) -> int:
    """Return the number after the one that is stored, whoever stored it, in a transaction.

    Raises `NotFound` `ToolSourceNotFound` where the source is gone.
    """
    locked = ToolSource.objects.select_for_update().filter(pk=row.pk)
    stored = locked.values_list("revision", flat=True).first()
    if stored is None:
        raise NotFound("the source was removed meanwhile", code="ToolSourceNotFound")
    return int(stored) + 1
