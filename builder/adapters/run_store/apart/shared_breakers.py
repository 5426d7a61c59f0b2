"""Circuit breakers that several workers change: by the row as it was known, or not at all.

What is counted within an epoch adds up. What is decided (opened, tried, closed) makes the next epoch, and
only out of the one that was known: of two who decide at once the first one has, and a worker that has not
heard of an opening cannot close what is open. The other one learns how the row stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.core.state.breakers import Breaker
from engine.runtime.stores.breaker_rows import ALL, INSERT, STANDS, BreakerRows, breaker_of
from engine.runtime.stores.sql.reader import Reader
from engine.runtime.stores.sql.statements import Statement

DECIDE: Final = f"{STANDS} WHERE builder_breaker.epoch = excluded.epoch - 1"
COUNT: Final = (
    f"{INSERT} failures = CASE WHEN ? THEN excluded.failures "
    "ELSE builder_breaker.failures + ? END, changed_at = excluded.changed_at "
    "WHERE builder_breaker.epoch = excluded.epoch"
)
CLOSE: Final = (
    "UPDATE builder_breaker SET state = 'closed', failures = 0, successes = 0, opened_at = NULL, "
    "probe = '', epoch = epoch + 1, changed_at = NOW_MS WHERE id = ?"
)
LATE_MS: Final = 30_000
"""A row says when it was written, and may be seen so much later: commits take their time."""
SINCE: Final = f"{ALL} WHERE changed_at >= ?"
FIELDS: Final = ("state", "failures", "successes", "opened_at", "probe", "probed_at", "epoch")


class SharedBreakers(BreakerRows):
    """The breakers of a worker among others."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self._seen_at = 0
        self._losses = 0
        self._on_the_way: dict[int, list[str]] = {}

    def load(self, rows: Sequence[Sequence[Any]]) -> None:
        """Know what rows say, and from when on there may be others."""
        super().load(rows)
        self._seen(rows)

    def changed_by(self, batch: int) -> list[Statement]:
        """Return what writes down the breakers that changed, as part of what is called `batch`."""
        names = list(self.breakers.dirty)
        if names:
            self._on_the_way[batch] = names
        return self.changed()

    def landed(self, batch: int) -> None:
        """Note that the batch is committed."""
        self._on_the_way.pop(batch, None)

    def lost(self, batch: int) -> None:
        """Note that nobody knows whether the batch is committed: the rows have to say it."""
        if self._on_the_way.pop(batch, None):
            self._seen_at = 0
            self._losses += 1

    def statement(self, breaker: Breaker) -> tuple[str, tuple[Any, ...]]:
        """Return what changes the row only if nobody has decided anything meanwhile."""
        return (DECIDE, ()) if breaker.decided else (COUNT, (breaker.cleared, breaker.added))

    async def learn(self, reader: Reader) -> None:
        """Know what the rows say by now. Raises `StoreError`."""
        losses = self._losses
        rows = await reader.rows(SINCE, (self._seen_at - LATE_MS,))
        if losses == self._losses:
            self._seen(rows)
        writing = {name for names in self._on_the_way.values() for name in names}
        for row in rows:
            if row[0] not in writing:
                self._take(breaker_of(row))

    def _take(self, found: Breaker) -> None:
        known = self.breakers.known.setdefault(found.id, found)
        if known is found:
            return
        if found.id in self.breakers.dirty and found.epoch == known.epoch:
            if not (known.decided or known.cleared):
                known.failures = found.failures + known.added
            return
        for name in FIELDS:
            setattr(known, name, getattr(found, name))
        known.added, known.cleared, known.decided = 0, False, False
        self.breakers.dirty.discard(found.id)

    def _seen(self, rows: Sequence[Sequence[Any]]) -> None:
        self._seen_at = max([self._seen_at, *(row[11] for row in rows)])
