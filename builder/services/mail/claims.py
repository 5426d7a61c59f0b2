"""The right to send what waits in the outbox: one process has it, and it lapses by itself."""

from __future__ import annotations

from typing import Final

from django.db.models import F

from builder.models import Outbox

CLAIM_MS: Final = 300_000
"""How long who sends has for it: far longer than the longest wait for a mail server."""


def claim(row: Outbox, now: int) -> bool:
    """Take a row of the outbox; of two processes one gets it, on both databases.

    Who dies while sending leaves it to whoever comes after the claim has lapsed.
    """
    due = Outbox.objects.filter(pk=row.pk, done_at__isnull=True, available_at__lte=now)
    if not due.update(available_at=now + CLAIM_MS, tries=F("tries") + 1):
        return False
    row.tries += 1
    return True
