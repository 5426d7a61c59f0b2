"""The same schedules on the SQLite store: after every commit its rows are the fold of its log."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from builder.adapters.run_store.database import DatabaseRunStore
from engine.core.budgets.money import from_pico, pico
from engine.core.state.fold.run import fold
from engine.runtime.stores.buffered import Batch
from engine.runtime.stores.sql.projections import Projector
from engine.runtime.stores.sql.store import sqlite_dialect
from tests.builder.databases import HOME, Database
from tests.builder.store_world import log_of, rows_by_fold, rows_of
from tests.simulation.boot import Boot, MakeStore
from tests.simulation.harness import LIMIT, play, shared_by_all
from tests.simulation.invariants import Violation
from tests.simulation.money import Covered

SCHEDULES = int(os.environ.get("SIM_SQL_SCHEDULES", "80"))
PARTS = 10
UNANSWERED = "SELECT COUNT(*) FROM builder_request WHERE answered IS NULL"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@dataclass
class Eyes(Database):
    """A database that is looked at through one connection: opening it cost half of a schedule."""

    def __post_init__(self) -> None:
        self.connection = self.dialect.connect()

    def rows(self, text: str, parameters: Sequence[Any] = ()) -> list[Any]:
        return [tuple(row) for row in self.connection.execute(text, parameters).fetchall()]


class SimulatedStore(DatabaseRunStore):
    """A store of one boot: it opens itself, and compares rows with the log after each commit."""

    look: Eyes
    boot: Boot
    ready = False

    async def movable(self) -> Any:
        if not self.ready:
            self.ready = True
            await self.open()
        return await super().movable()

    async def reload_budgets(self) -> None:
        self.ledger.follow(shared_by_all(LIMIT), self.clock.now())

    async def _persist(self, batch: Batch) -> None:
        await super()._persist(batch)
        self._compare(batch)

    def _persist_at_once(self, batch: Batch) -> bool:
        done = super()._persist_at_once(batch)
        if done:
            self._compare(batch)
        return done

    def _compare(self, batch: Batch) -> None:
        events = log_of(self.look, batch.run_id)
        program = batch.state.program
        spends = any(event.data.get("hold") for event in events)
        rows = rows_of(self.look, batch.run_id)
        wanted = rows_by_fold(fold(program, events), spends=spends)
        # a budget row also counts what child runs spent: the checker judges money
        named = [name for name in wanted if name != "budget" and rows[name] != wanted[name]]
        if named:
            differ = {name: (rows[name], wanted[name]) for name in named}
            self.boot.sim.violate(f"I11: rows of {batch.run_id} and its log: {differ}")
        over = self.look.rows(
            "SELECT id FROM builder_budget WHERE spent_pico + held_pico > limit_pico "
            "AND held_pico > 0"
        )
        if over:
            self.boot.sim.violate(f"I6: held above the limit: {over}")


def limited(look: Eyes) -> None:
    """Insert what runs refer to, and what all of them may spend together."""
    look.add_workspaces()
    look.change(
        "INSERT INTO builder_budgetlimit (id, workspace_id, period, limit_pico, created_at) "
        "VALUES ('w', ?, 'total', ?, '2026-01-01 00:00:00+00:00')",
        (HOME, pico(LIMIT)),
    )


def covered_by(look: Eyes) -> dict[str, Covered]:
    """Return what the rows say of every budget."""
    rows = look.rows(
        "SELECT id, spent_pico + held_pico, spent_tokens + held_tokens FROM builder_budget"
    )
    return {name: Covered(from_pico(pico) or Decimal(0), tokens) for name, pico, tokens in rows}


@pytest.fixture
def stores(sqlite_template: Path, tmp_path: Path) -> Iterator[Callable[[int], MakeStore]]:
    """A maker of store makers: a fresh database for each schedule, shared by its boots."""
    with ExitStack() as opened:
        yield maker(sqlite_template, tmp_path, opened)


def maker(template: Path, folder: Path, opened: ExitStack) -> Callable[[int], MakeStore]:
    """Return what makes the stores of a schedule; `opened` closes what looks at their rows."""

    def fresh(seed: int) -> MakeStore:
        path = folder / f"{seed}.sqlite3"
        shutil.copy(template, path)
        look = Eyes(sqlite_dialect(path, synchronous="OFF"), path)
        limited(look)
        opened.callback(look.connection.close)

        def make(boot: Boot) -> DatabaseRunStore:
            store = SimulatedStore(
                look.dialect, boot.clock, boot.graphs, None, threaded=False, home=HOME
            )
            store.look, store.boot = look, boot
            boot.sim.covered = lambda: covered_by(look)
            boot.sim.unanswered = lambda: look.rows(UNANSWERED)[0][0]
            return store

        return make

    return fresh


@pytest.mark.parametrize("part", range(PARTS))
def test_no_schedule_breaks_a_promise_on_sqlite(
    part: int, stores: Callable[[int], MakeStore]
) -> None:
    """I1 to I8, I10 and I11 with rows, on the store of the embedded mode."""
    for seed in range(part * SCHEDULES // PARTS, (part + 1) * SCHEDULES // PARTS):
        play(seed, stores(seed))


def test_the_comparison_sees_a_row_that_lags(
    stores: Callable[[int], MakeStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that forgets to write live rows is caught: the checks above are no decoration."""
    monkeypatch.setattr(Projector, "_activations", lambda *_parts: None)

    def play_some() -> None:
        for seed in range(20):
            play(seed, stores(seed))

    with pytest.raises(Violation, match="I11"):
        play_some()
