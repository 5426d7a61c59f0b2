"""The store of a worker among others: what it has not claimed is not its business."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from builder.adapters.run_store.apart.shared_breakers import CLOSE, SharedBreakers
from builder.adapters.run_store.apart.shared_money import SharedMoney, Sums, moved_by
from builder.adapters.run_store.database import DatabaseRunStore
from builder.base.bells import asked_topic, hub, run_topic
from engine.core.budgets.refs import LEVELS
from engine.core.decide.begin.places import rests
from engine.core.errors import RunElsewhere, StoreError
from engine.core.state.breakers import Breaker
from engine.core.state.run_state import RunState
from engine.runtime.stores.buffered import Batch, Warm
from engine.runtime.stores.request_rows import post
from engine.runtime.stores.sql.statements import Statement
from engine.runtime.stores.sql.store import BUDGETS, HOLDS

SILENT_SECONDS: Final = 12.0
"""A worker whose signs of life have not arrived for so long may be thought dead soon."""
UNDER_WAY: Final = 200
"""How many runs a worker lets move at once: what it has no room for is left to others, or for later."""
OF_RUN: Final = f"{BUDGETS} WHERE id = ? OR id LIKE ?"


class WorkerStore(DatabaseRunStore):
    """A store that claims runs one by one, and knows of each what its last owner left.

    Budgets are judged by what this worker knows of them, and again by their rows in the commit of
    each hold: one that does not fit any more is refused, and what others did is learnt.
    """

    breaker_rows: SharedBreakers

    def __init__(self, *parts: Any, **options: Any) -> None:
        super().__init__(*parts, **options)
        self.money = SharedMoney(self.ledger, self.writer)
        self._projector.money.judged = frozenset(LEVELS)
        self._moved: dict[int, dict[str, Sums]] = {}
        self._refused = False
        self.under_way = UNDER_WAY
        self.left_some = False
        """Whether the last look may have left runs where they are, for want of room."""
        self.silent_s: Callable[[], float] = _heard
        """How long the database has not heard of this worker, at the longest since it began."""

    def may_send(self) -> bool:
        """Return False once others may take this worker for dead, if it was stopped for a while."""
        return self.silent_s() < SILENT_SECONDS

    def room(self) -> int:
        """Return how many more runs may move here. One that waits, for another run too, takes none."""
        moving = sum(not rests(warm.state) for warm in self._warm.values())
        return max(self.under_way - moving, 0)

    async def movable(self) -> Sequence[str]:
        """Return this worker's own runs, and the oldest of nobody's that it has room for.

        A worker that took all of a backlog would leave nothing to those beside it.
        """
        room = self.room()
        offered = await self.owned.offered(room)
        self.left_some = len(offered) >= room
        return [*await self.owned.mine(), *offered]

    def _know_budget(self, row: Sequence[Any]) -> None:
        known = row[0] in self.ledger.rows
        super()._know_budget(row)
        if not known:
            self.money.know(row[0])

    async def reload_budgets(self) -> None:
        """Let the limits hold that people have set, and what others have spent, count from now on."""
        await self.money.learn()
        await super().reload_budgets()

    async def land(self, run_id: str) -> None:
        """Learn what calls of other workers have given back, too: they do not ring for it."""
        await super().land(run_id)
        with suppress(StoreError):
            await self.money.learn()

    def _prepare(self, batch: Batch) -> None:
        super()._prepare(batch)
        moved = moved_by(self.ledger, batch.events)
        if moved:
            self._moved[id(batch)] = moved

    def _doubt(self, batch: Batch, *, known: bool) -> None:
        super()._doubt(batch, known=known)
        self.breaker_rows.lost(id(batch))
        if moved := self._moved.pop(id(batch), None):
            self.money.doubt(moved)
            self._refused = True

    async def _adopt(self) -> None:
        """Claim nothing at the start: others want some as well."""

    async def _release_orphans(self) -> None:
        """Release nothing at the start: holds of others look like orphans from here."""

    async def _read_back(self, run_id: str) -> Warm:
        """Claim nothing before the limits are known: calls would be held on none of them."""
        if self.ledger.shared is None:
            raise RunElsewhere(f"this worker, which just begins, may not have run {run_id} yet")
        return await super()._read_back(run_id)

    async def _fold(self, run_id: str, seq: int | None) -> RunState:
        """Learn what others have spent before anything of a run is judged.

        Of a run in memory nobody else has moved the money; its rows do not have all of it yet.
        """
        if seq is not None or run_id in self._warm:
            return await super()._fold(run_id, seq)
        unsure = run_id in self.doubted  # a commit of it may have landed
        if self._refused or unsure:
            self._refused = False
            await self.reload_budgets()
        if unsure or run_id in self.owned.came:
            await self._learn_money(run_id)
            self.owned.came.discard(run_id)
        return await super()._fold(run_id, seq)

    async def _learn_money(self, run_id: str) -> None:
        """Take the rows for the truth: what this process remembers was before another owner.

        Where runs below hold of this one's budget elsewhere, its rows are looked at again and again.
        """
        rows = await self.reader.rows(OF_RUN, (f"run:{run_id}", f"node:{run_id}:%"))
        holds = await self.reader.rows(f"{HOLDS} WHERE run = ?", (run_id,))
        self.doubted.drop(run_id)
        self.money.forget(self.ledger.drop_run(run_id))
        for hold in [h for h in self.ledger.holds.values() if h.run_id == run_id]:
            del self.ledger.holds[hold.id]
        for row in rows:
            self._know_budget(row)
        for row in holds:
            self._know_hold(row)
        self.money.doubt_held_elsewhere(run_id)

    async def hand_over(self, run_id: str) -> None:
        """Write what the outside answered into the mailbox of a run: whoever has it records that.

        What cannot be written stays here until the next look.
        """
        facts = self.facts.pop(run_id, [])
        wishes = [wish for fact in facts if (wish := getattr(fact, "wish", None)) is not None]
        if not wishes:
            return
        try:
            await self.writer.write(post(run_id, wishes, self.clock.now()))
        except StoreError:
            self.facts.keep(run_id, facts)
        else:
            hub.ring(asked_topic(run_id))

    def _announce(self, batch: Batch) -> None:
        """Ring for who asked, too: what is refused leaves no event."""
        self.money.landed(self._moved.pop(id(batch), {}))
        self.breaker_rows.landed(id(batch))
        super()._announce(batch)
        if batch.told:
            hub.ring(run_topic(batch.run_id))

    async def learn_breakers(self) -> None:
        """Know how circuits stand that others opened or closed. Raises `StoreError`."""
        await self.breaker_rows.learn(self.reader)

    async def reset_breaker(self, breaker_id: str) -> Breaker | None:
        """Close a circuit breaker by an operator's word, whatever anybody decides meanwhile."""
        await self.writer.write([(CLOSE, (breaker_id,))])
        await self.learn_breakers()
        return self.breakers.known.get(breaker_id)

    def _breaker_rows(self, home: str | None) -> SharedBreakers:
        return SharedBreakers(self.breakers, home)

    def _changed_breakers(self, batch: Batch) -> list[Statement]:
        return self.breaker_rows.changed_by(id(batch))


def _heard() -> float:
    return 0.0
