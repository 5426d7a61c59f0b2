"""Circuit breakers as rows. Who is the only one to write them says how they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.core.state.breakers import Breaker, MemoryBreakers
from engine.runtime.stores.sql.statements import Shared, Statement

COLUMNS: Final = (
    "id, workspace_id, node, target, state, failures, successes, opened_at, probe, probed_at, "
    "epoch, changed_at"
)
ALL: Final = f"SELECT {COLUMNS} FROM builder_breaker"  # noqa: S608  (constants)
INSERT: Final = (
    f"INSERT INTO builder_breaker ({COLUMNS}) "  # noqa: S608  (constants)
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NOW_MS) ON CONFLICT (id) DO UPDATE SET "
)
STANDS: Final = (
    f"{INSERT} state = excluded.state, failures = excluded.failures, "
    "successes = excluded.successes, opened_at = excluded.opened_at, probe = excluded.probe, "
    "probed_at = excluded.probed_at, epoch = excluded.epoch, changed_at = excluded.changed_at"
)
AFTER_ALL: Final = 1_000
"""The place of these rows among those that commits of several processes move: the last one."""


class BreakerRows:
    """Writes down the breakers of one process, and reads them back. `home` stands for no workspace."""

    def __init__(self, breakers: MemoryBreakers, home: str | None) -> None:
        self.breakers = breakers
        self._home = home

    def load(self, rows: Sequence[Sequence[Any]]) -> None:
        """Know what rows of `ALL` say."""
        for row in rows:
            loaded = breaker_of(row)
            self.breakers.known[loaded.id] = loaded

    def changed(self) -> list[Statement]:
        """Return what writes down the breakers that changed since this was asked last."""
        if not self.breakers.dirty:
            return []
        names = sorted(self.breakers.dirty)
        self.breakers.dirty.clear()
        return [self._in_place(self.breakers.known[name]) for name in names]

    def _in_place(self, breaker: Breaker) -> Statement:
        sql, more = self.statement(breaker)
        breaker.written()
        place = f"{breaker.graph_id}/{breaker.node}"
        row = (
            breaker.id,
            breaker.workspace_id or self._home,
            place[:128],
            breaker.target[:200],
            breaker.state,
            breaker.failures,
            breaker.successes,
            breaker.opened_at,
            breaker.probe or "",
            breaker.probed_at,
            breaker.epoch,
        )
        return Shared((AFTER_ALL, breaker.id), (sql, (*row, *more)))

    def statement(self, breaker: Breaker) -> tuple[str, tuple[Any, ...]]:
        """Return what writes a breaker's row, and what it takes beyond the row."""
        return STANDS, ()


def breaker_of(row: Sequence[Any]) -> Breaker:
    """Return what a row of `ALL` says.

    It names `graph/node`; what was cut to fit its column is known by the id alone.
    """
    name, workspace_id, place, target, *stands, probe, probed_at, epoch, _changed_at = row
    graph_id, _, node = place.partition("/")
    found = Breaker(name, workspace_id, graph_id, node, target, *stands)
    found.probe, found.probed_at, found.epoch = probe or None, probed_at, epoch
    return found
