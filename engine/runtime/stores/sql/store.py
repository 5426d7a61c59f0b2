"""Runs over SQL: one process writes, and what is acknowledged is on the disk."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import orjson

from engine.core.budgets.ledger import BudgetRow, Hold
from engine.core.budgets.money import from_pico
from engine.core.budgets.shared import SharedBudgets
from engine.core.decide.endings import wants_executors
from engine.core.decide.transition import Transition
from engine.core.errors import RunUnreadable, StoreError
from engine.core.ports import Clock, Feed, GraphSource
from engine.core.state.breakers import Breaker
from engine.core.state.deadlines import next_wake
from engine.core.state.events import Event
from engine.core.state.program import Program
from engine.core.state.requests import StartRun
from engine.core.state.run_state import RunState
from engine.core.values.json import freeze
from engine.runtime.stores.breaker_rows import ALL, BreakerRows
from engine.runtime.stores.buffered import Batch, BufferedStore, RunExists, Signal, Warm
from engine.runtime.stores.numbers import Numbers
from engine.runtime.stores.request_rows import RequestRows, tell
from engine.runtime.stores.sql.beside import RowsBeside
from engine.runtime.stores.sql.budget_rows import release
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN, IN_LOG
from engine.runtime.stores.sql.ownership import Ownership
from engine.runtime.stores.sql.payloads import decode
from engine.runtime.stores.sql.projections import Projector
from engine.runtime.stores.sql.reader import Reader
from engine.runtime.stores.sql.statements import Statement
from engine.runtime.stores.sql.writer import Conflict, Dialect, SqlWriter
from engine.runtime.stores.warm_run import TOPICS

T = TypeVar("T")
PAGE = 1_000
CHECKPOINT_PAGES = 4_000
"""Pages in the write-ahead log before they are moved over, 16 MB: fewer, larger syncs."""


def sqlite_dialect(path: str | Path, *, synchronous: str = "FULL") -> Dialect:
    """Return how to reach the embedded database. `synchronous` FULL survives power loss."""

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            str(path),
            isolation_level=None,
            check_same_thread=False,
            timeout=30,
            cached_statements=512,
        )
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={synchronous}")
        connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
        connection.execute("PRAGMA foreign_keys=ON")
        return connection

    return Dialect(connect)


BUDGETS: Final = (
    "SELECT id, level, limit_tokens, limit_pico, spent_tokens, spent_pico, held_tokens, held_pico, "
    "raised_tokens, raised_pico, reached FROM builder_budget"
)

HOLDS: Final = "SELECT id, run, key, budgets, tokens, pico, state FROM builder_budgethold"


class SqlRunStore(BufferedStore):
    """A store of runs over SQL whose process is the only writer of run tables.

    `home` is the workspace of runs that name none. Subclasses say which budgets runs share.
    """

    def __init__(
        self,
        dialect: Dialect,
        clock: Clock,
        graphs: GraphSource,
        feed: Feed | None = None,
        *,
        worker: str = "local",
        threaded: bool = True,
        home: str | None = None,
        beside: RowsBeside | None = None,
    ) -> None:
        super().__init__(clock, graphs, feed)
        self.dialect = dialect
        self.writer = SqlWriter(dialect, threaded=threaded)
        self.reader = Reader(dialect, threaded=threaded)
        self.owned = Ownership(self.reader, self.writer)
        self._projector = Projector(self.ledger, worker, home, beside, owner=self._owner())
        self.requests = RequestRows(self.reader)
        self.breaker_rows = self._breaker_rows(home)
        self.home = home
        self._numbers = Numbers(self.reader, dialect.next_number)

    async def open(self) -> None:
        """Own what nobody alive does, and load the ledger.

        Holds whose step is unknown to every log are released.
        """
        await self._adopt()
        for row in await self.reader.rows(BUDGETS):
            self._know_budget(row)
        for row in await self.reader.rows(HOLDS):
            self._know_hold(row)
        await self.reload_budgets()
        await self._release_orphans()
        self.breaker_rows.load(await self.reader.rows(ALL))

    def _breaker_rows(self, home: str | None) -> BreakerRows:
        return BreakerRows(self.breakers, home)

    def _owner(self) -> str | None:
        """Return who owns the runs that this store makes; None for nobody yet."""
        return self.owned.worker

    async def _adopt(self) -> None:
        await self.owned.adopt()

    async def reload_budgets(self) -> None:
        """Let the limits hold that people have set by now, from the next call on.

        A new one begins with what its row says that the period has cost.
        """
        shared, now = await self.shared_budgets(), self.clock.now()
        new = [ref.id for ref in shared.current(now) if ref.id not in self.ledger.rows]
        for row_id in new:
            for row in await self.reader.rows(f"{BUDGETS} WHERE id = ?", (row_id,)):
                self._know_budget(row)
        self.ledger.follow(shared, now)

    def _know_hold(self, row: Sequence[Any]) -> None:
        usd = from_pico(row[5]) or _ZERO
        hold = Hold(row[0], row[1], row[2], tuple(orjson.loads(row[3])), row[4], usd, row[6])
        self.ledger.holds[hold.id] = hold

    def _know_budget(self, row: Sequence[Any]) -> None:
        loaded = BudgetRow(
            row[0],
            row[1],
            row[2],
            from_pico(row[3]),
            row[4],
            from_pico(row[5]) or _ZERO,
            row[6],
            from_pico(row[7]) or _ZERO,
            row[8],
            from_pico(row[9]) or _ZERO,
            row[10],
        )
        if self.ledger.rows.setdefault(loaded.id, loaded) is loaded:
            self.ledger.note_owner(loaded)

    async def shared_budgets(self) -> SharedBudgets:
        """Return the limits that runs share now; here none."""
        return SharedBudgets(home=self.home)

    async def reset_breaker(self, breaker_id: str) -> Breaker | None:
        """Close a circuit breaker by an operator's word, durably; None for an unknown one."""
        found = await super().reset_breaker(breaker_id)
        if found is not None:
            await self.writer.write(self.breaker_rows.changed())
        return found

    async def _release_orphans(self) -> None:
        for hold in list(self.ledger.holds.values()):
            intents = await self.reader.rows(
                f"SELECT data FROM builder_runevent WHERE {IN_LOG} "  # noqa: S608  (constants)
                "AND type = 'StepIntended' AND key = ?",
                (hold.run_id, 0, hold.run_id, hold.key),
            )
            mark = b'"id":' + orjson.dumps(hold.id)
            if not any(mark in bytes(row[0]) for row in intents):
                self.ledger.settle(hold.id, 0, _ZERO, "released", durable=True)
                await self.writer.write(release(hold))
                self.ledger.drop_holds([hold.id])

    async def create(self, start: StartRun, program: Program, fn: Callable[[Transition], T]) -> T:
        """Make the run under the next number. Raises `RunExists`."""
        numbers = self._projector.numbers
        numbers.setdefault(start.run_id, await self._numbers.next())
        if start.run_id not in self._warm:
            self.owned.made(start.run_id)
        try:
            return await super().create(start, program, fn)
        except RunExists:
            if start.run_id not in self._warm:
                numbers.pop(start.run_id, None)
            raise

    async def _read_back(self, run_id: str) -> Warm:
        """Claim the run first: a state that others may use must be one that can be written."""
        number = await self.owned.own(run_id)
        came = run_id in self.owned.came
        warm = await super()._read_back(run_id)
        if came and wants_executors(warm.state):
            self.strays.add(run_id)
        if number is not None:
            self._projector.numbers[run_id] = number
            self._projector.loaded(run_id, warm.state)
            self._reconcile(run_id, warm.state)
        return warm

    async def _fold(self, run_id: str, seq: int | None) -> RunState:
        try:
            return await super()._fold(run_id, seq)
        except StoreError:
            raise
        except Exception as error:  # whatever in a log or a document the installed code cannot take
            message = f"the log of run {run_id} cannot be read: {type(error).__name__}: {error}"
            raise RunUnreadable(message) from error

    def _reconcile(self, run_id: str, state: RunState) -> None:
        """Make the ledger hold what the log holds: a refused write may have parted the two.

        Spending that was counted and then lost stays counted until the next start.
        """
        ledger = self.ledger
        for hold in [hold for hold in ledger.holds.values() if hold.run_id == run_id]:
            if hold.id in state.holds:
                ledger.hold_again(hold.id)
            else:
                ledger.settle(hold.id, 0, _ZERO, "released", durable=True)
                ledger.drop_holds([hold.id])

    def forget(self, run_id: str) -> None:
        """Drop what is cached of the run, and what was known of its rows."""
        super().forget(run_id)
        self._projector.forget(run_id)
        self._projector.numbers.pop(run_id, None)
        self.owned.forget(run_id)

    def _doubt(self, batch: Batch, *, known: bool) -> None:
        super()._doubt(batch, known=known)
        self.owned.doubt(batch.run_id)

    def _prepare(self, batch: Batch) -> None:
        batch.dirty, batch.state.dirty = batch.state.dirty, set()
        statements, events = self._projector.statements(batch)
        fence = None
        if batch.start is None:
            number = self._projector.numbers[batch.run_id]
            fence = self.owned.fence(batch.run_id, number)
        if batch.told:
            statements += tell(batch.told, self.clock.now())
        batch.prepared = (statements + self._changed_breakers(batch), events, fence)

    def _changed_breakers(self, batch: Batch) -> list[Statement]:
        return self.breaker_rows.changed()

    async def _persist(self, batch: Batch) -> None:
        try:
            await self.writer.write(*batch.prepared)
        except Conflict as error:
            if batch.start is None:
                raise
            raise await self._known_run(batch) from error
        self._projector.money.committed(batch)

    def _persist_at_once(self, batch: Batch) -> bool:
        if not self.writer.write_at_once(*batch.prepared):
            return False
        self._projector.money.committed(batch)
        return True

    async def _known_run(self, batch: Batch) -> RunExists:
        start = batch.start
        assert start is not None
        known = await self.run_of_trigger(start.trigger_key, start.workspace_id)
        return RunExists(*known) if known else RunExists(batch.run_id)

    async def run_of_trigger(
        self, key: str | None, workspace_id: str | None
    ) -> tuple[str, str] | None:
        """Return the run that the key started in a workspace, and its `body_hash`; None for a new key."""
        found = await self.reader.rows(
            "SELECT id, body_hash FROM builder_run WHERE workspace_id = ? AND trigger_key = ?",
            (workspace_id or self.home, key),
        )
        return (str(found[0][0]), found[0][1] or "") if found else None

    async def _read(self, run_id: str, after: int, limit: int | None) -> list[Event]:
        """Return durable events; `limit` None reads the whole log."""
        events: list[Event] = []
        want = limit
        while want is None or want > 0:
            page = PAGE if want is None else min(want, PAGE)
            rows = await self.reader.rows(
                "SELECT place, type, at, key, data FROM builder_runevent "  # noqa: S608  (constants)
                f"WHERE {IN_LOG} ORDER BY place LIMIT ?",
                (run_id, after, run_id, page),
            )
            events += await self._decoded(run_id, rows)
            if len(rows) < page:
                break
            after = events[-1].seq
            want = None if want is None else want - len(rows)
        return events

    async def _decoded(self, run_id: str, rows: Sequence[Any]) -> list[Event]:
        wanted = [bytes(row[4]) for row in rows]
        blobs: dict[str, bytes] = {}
        if any(b'"$blob"' in raw for raw in wanted):
            blobs = {
                str(row[0]): bytes(row[1])
                for row in await self.reader.rows(
                    "SELECT b.hash, b.data FROM builder_blob b "
                    "JOIN builder_runblob r ON r.hash = b.hash WHERE r.run = ?",
                    (run_id,),
                )
            }
        return [
            Event(row[0] % EVENTS_PER_RUN, row[1], row[2], row[3], decode(raw, blobs.__getitem__))
            for row, raw in zip(rows, wanted, strict=True)
        ]

    async def unfinished(self) -> Sequence[str]:
        """Return the ids of runs without terminal event that nobody else alive owns, oldest first."""
        return await self.owned.unfinished()

    async def movable(self) -> Sequence[str]:
        """Return those of the unfinished runs that may have something to do, oldest first."""
        return await self.owned.movable()

    async def let_rest(self, runs: Sequence[str]) -> None:
        """Make runs that only wait nobody's, and forget them. Raises `StoreError`.

        Whoever wants one meanwhile waits until that is written, and claims it anew.
        """
        statements = []
        for run_id in runs:
            state, number = self._warm[run_id].state, self._projector.numbers[run_id]
            statements.append(self.owned.rest(run_id, number, next_wake(state)))
            self.forget(run_id)
        leaving = asyncio.ensure_future(self.writer.write(statements))
        self._leaving |= dict.fromkeys(runs, leaving)
        try:
            await asyncio.shield(leaving)
        finally:
            for run_id in runs:
                self._leaving.pop(run_id, None)

    async def died(self) -> Sequence[str]:
        """Return the ids of unfinished runs whose owner died."""
        return await self.owned.died()

    async def asking_for_budget(self) -> Sequence[str]:
        """Return the ids of runs that wait for a person to raise a budget, oldest question first."""
        rows = await self.reader.rows(
            "SELECT run, MIN(opened_at) FROM builder_interrupt "
            "WHERE status = 'open' AND kind = 'budget' GROUP BY run ORDER BY 2, 1"
        )
        return [str(row[0]) for row in rows]

    async def run_of_request(self, request_id: str) -> str | None:
        """Return the run that opened the interrupt."""
        rows = await self.reader.rows(
            "SELECT run FROM builder_interrupt WHERE request_id = ?", (request_id,)
        )
        return str(rows[0][0]) if rows else None

    async def signals(self) -> list[tuple[int, Signal]]:
        """Return what is still to be delivered, oldest first."""
        rows = await self.reader.rows(
            "SELECT id, topic, ref, payload FROM builder_outbox WHERE done_at IS NULL "
            "AND topic IN (?, ?, ?, ?, ?) ORDER BY id",
            TOPICS,  # the outbox carries mail too, which the mail thread delivers and deletes
        )
        return [(row[0], (row[1], row[2], freeze(orjson.loads(row[3])))) for row in rows]

    async def delivered(self, number: int) -> None:
        """Note that a signal has had its effect."""
        await self.writer.write([("DELETE FROM builder_outbox WHERE id = ?", (number,))])

    def close(self) -> None:
        """Commit what is queued and close the connections."""
        self.writer.close()
        self.reader.close()


_ZERO = BudgetRow("", "run", None, None).spent_usd
