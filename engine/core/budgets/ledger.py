"""The one ledger of holds: money is set aside on every level before it is spent.

    held → settled (what it really cost) | presumed (unknown: its full amount) | released (not made)

Each budget row satisfies spent + held ≤ limit after every reservation; a settlement above its hold
is recorded in full, so that spending is never under-counted. What a settlement gives back is for
its own run alone until it is durable: no other run spends room that a lost commit takes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Protocol

from engine.core.budgets.holds import Hold
from engine.core.budgets.refs import LEVELS, SHARED, BudgetRef, in_order
from engine.core.budgets.refusals import BREACH_CODES, Refusal, breach_message
from engine.core.budgets.rows import THRESHOLDS, ZERO, BudgetRow

if TYPE_CHECKING:
    from engine.core.budgets.shared import SharedBudgets

__all__ = [
    "BREACH_CODES",
    "LEVELS",
    "SHARED",
    "THRESHOLDS",
    "ZERO",
    "BudgetRef",
    "BudgetRow",
    "Hold",
    "Ledger",
    "Refusal",
    "breach_message",
    "fits",
    "in_order",
]


class Entry(Protocol):
    """As much of an event of a run's log as the ledger reads."""

    @property
    def type(self) -> str: ...

    @property
    def key(self) -> str | None: ...

    @property
    def data(self) -> Mapping[str, Any]: ...


@dataclass(slots=True)
class Freed:
    """Room that a settlement or a raise of one run gives, not durable yet."""

    rows: tuple[str, ...]
    tokens: int
    usd: Decimal


def fits(row: BudgetRow, tokens: int, usd: Decimal) -> bool:
    """Return whether `tokens` and `usd` fit into a budget; exactly reaching a cap fits."""
    return (
        row.limit_tokens is None or row.spent_tokens + row.held_tokens + tokens <= row.limit_tokens
    ) and (row.limit_usd is None or row.spent_usd + row.held_usd + usd <= row.limit_usd)


@dataclass(slots=True)
class Ledger:
    """Budgets and holds of one process or database; `shared` says which limits hold now."""

    rows: dict[str, BudgetRow] = field(default_factory=dict)
    holds: dict[str, Hold] = field(default_factory=dict)
    dirty_rows: set[str] = field(default_factory=set)
    dirty_holds: set[str] = field(default_factory=set)
    of_run: dict[str, set[str]] = field(default_factory=dict)
    shared: SharedBudgets | None = None
    freeing: dict[str, dict[str, Freed]] = field(default_factory=dict)
    """Run id → what frees room (a hold's id, `raise:<row>`) → how much."""

    def note_owner(self, row: BudgetRow) -> None:
        """Remember which run a budget of a run or node belongs to: it goes with the run."""
        if row.level in ("node", "run"):
            self.of_run.setdefault(row.id.split(":")[1], set()).add(row.id)

    def ensure(self, ref: BudgetRef) -> BudgetRow:
        """Return the row, made from `ref` at first sight; a shared one follows its limit."""
        row = self.rows.get(ref.id)
        if row is None:
            row = self.rows[ref.id] = BudgetRow(ref.id, ref.level, ref.limit_tokens, ref.limit_usd)
            self.note_owner(row)
            self.dirty_rows.add(ref.id)
        if ref.level in SHARED:
            row.limit_as(ref)
        return row

    def follow(self, shared: SharedBudgets, now: int) -> None:
        """Let other limits hold from now on (ms); what is spent and held stays."""
        self.shared = shared
        for ref in shared.current(now):
            if ref.id in self.rows:
                self.rows[ref.id].limit_as(ref)

    def reserve(self, hold: Hold, refs: Iterable[BudgetRef]) -> Refusal | None:
        """Set `hold` aside on all `refs` or on none; return why not.

        A hold that exists already is not taken twice.
        """
        if hold.id in self.holds:
            return None
        rows = [self.ensure(ref) for ref in in_order(refs)]
        own = self.freeing.get(hold.run_id, {}).values() if self.freeing else ()
        for row in rows:
            mine = [freed for freed in own if row.id in freed.rows]
            tokens = hold.tokens + row.freeing_tokens - sum(f.tokens for f in mine)
            usd = hold.usd + row.freeing_usd - sum((f.usd for f in mine), ZERO)
            if not fits(row, tokens, usd):
                passing = fits(row, hold.tokens, hold.usd)
                return Refusal(row, hold.tokens, hold.usd, passing)
        for row in rows:
            row.held_tokens += hold.tokens
            row.held_usd += hold.usd
            self.dirty_rows.add(row.id)
        self.holds[hold.id] = hold
        self.dirty_holds.add(hold.id)
        return None

    def most(self, hold_id: str) -> tuple[int, Decimal] | None:
        """Return tokens and USD that a call can have cost by now; None for all that is held."""
        hold = self.holds.get(hold_id)
        most = None if hold is None or hold.most is None else hold.most()
        if hold is None or most is None:
            return None
        return min(most[0], hold.tokens), min(most[1], hold.usd)

    def settle(
        self,
        hold_id: str,
        tokens: int,
        usd: Decimal,
        state: str = "settled",
        *,
        durable: bool = False,
    ) -> list[tuple[BudgetRow, int]]:
        """Turn a hold into spending; return the thresholds that this crossed, with their rows.

        A hold that is no longer held is left alone (the same outcome recorded twice). What it
        gives back is for its own run only until `landed`, unless it is `durable` already.
        """
        hold = self.holds.get(hold_id)
        if hold is None or hold.state != "held":
            return []
        hold.state = state
        self.dirty_holds.add(hold_id)
        crossed: list[tuple[BudgetRow, int]] = []
        for row_id in hold.budgets:
            row = self.rows.get(row_id)
            if row is None:
                continue  # the run that the budget belonged to is over
            row.held_tokens -= hold.tokens
            row.held_usd -= hold.usd
            row.spent_tokens += tokens
            row.spent_usd += usd
            self.dirty_rows.add(row_id)
            percent = row.percent()
            crossed += [(row, t) for t in THRESHOLDS if row.reached < t <= percent]
        if not durable:
            freed = Freed(hold.budgets, max(hold.tokens - tokens, 0), max(hold.usd - usd, ZERO))
            self._free(hold.run_id, hold_id, freed)
        return crossed

    def _free(self, run_id: str, name: str, freed: Freed) -> None:
        if not freed.tokens and not freed.usd:
            return
        self.freeing.setdefault(run_id, {})[name] = freed
        for row in self._known(freed.rows):
            row.freeing_tokens += freed.tokens
            row.freeing_usd += freed.usd

    def _unfree(self, run_id: str, name: str) -> tuple[str, ...]:
        mine = self.freeing.get(run_id, {})
        freed = mine.pop(name, None)
        if freed is None:
            return ()
        if not mine:
            del self.freeing[run_id]
        for row in self._known(freed.rows):
            row.freeing_tokens -= freed.tokens
            row.freeing_usd -= freed.usd
        return freed.rows

    def _known(self, ids: Iterable[str]) -> list[BudgetRow]:
        return [self.rows[row_id] for row_id in ids if row_id in self.rows]

    def landed(self, run_id: str, events: Iterable[Entry]) -> set[str]:
        """Give to everybody the room that events made which are durable now; return the rows."""
        rows: set[str] = set()
        if run_id in self.freeing:
            for event in events:
                name = _freeing_name(event)
                if name is not None:
                    rows.update(self._unfree(run_id, name))
        return rows

    def lapse(self, run_id: str) -> None:
        """Take back what a run freed whose events are lost with its memory: held again in full."""
        for name, freed in list(self.freeing.get(run_id, {}).items()):
            self._unfree(run_id, name)
            if name in self.holds:
                self.hold_again(name)
            else:
                self.raise_limit(freed.rows[0], -freed.usd, -freed.tokens)

    def hold_again(self, hold_id: str) -> None:
        """Take a hold back in that was settled by a transition that got lost."""
        hold = self.holds[hold_id]
        if hold.state == "held":
            return
        hold.state = "held"
        for row in self._known(hold.budgets):
            row.held_tokens += hold.tokens
            row.held_usd += hold.usd

    def raise_limit(
        self, row_id: str, usd: Decimal, tokens: int, *, run_id: str | None = None
    ) -> None:
        """Add to a budget's caps; a side without cap stays without.

        With `run_id` the new room is that run's alone until its events have `landed`.
        """
        row = self.rows[row_id]
        row.raised_usd += usd
        row.raised_tokens += tokens
        if row.limit_usd is not None:
            row.limit_usd += usd
        if row.limit_tokens is not None:
            row.limit_tokens += tokens
        self.dirty_rows.add(row_id)
        if run_id is not None:
            self._free(run_id, f"raise:{row_id}", Freed((row_id,), tokens, usd))

    def over(self, hold: Hold, tokens: int, usd: Decimal) -> BudgetRow | None:
        """Return the innermost budget that spending has passed by a call that cost so much.

        Only a call above its own hold passes a shared one: it is not to blame for a limit that
        was lowered meanwhile.
        """
        beyond = tokens > hold.tokens or usd > hold.usd
        rows = [row for row in self._known(hold.budgets) if beyond or row.level not in SHARED]
        rows.sort(key=lambda row: (LEVELS[row.level], row.id))
        return next((row for row in rows if row.over), None)

    def replay(self, run_id: str, event: Entry, live: Ledger) -> None:
        """Apply what a logged event says about money: what a durable ledger does with a commit.

        `live` is the ledger that made the reservation; it knows the caps of rows seen first here.
        """
        data = event.data
        if event.type == "StepIntended" and data.get("hold"):
            self._replay_hold(run_id, event, live)
        elif event.type in ("StepCompleted", "StepFailed") and data.get("hold"):
            state = "presumed" if data.get("presumed") else "settled"
            usd = Decimal(data.get("cost_usd") or 0)
            self.settle(data["hold"], data.get("tokens") or 0, usd, state, durable=True)
        elif event.type == "BudgetThresholdReached" and data["budget"] in self.rows:
            self.rows[data["budget"]].reached = data["threshold"]
        elif event.type == "BudgetRaised":
            known, row = self.rows.get(data["budget"]), live.rows.get(data["budget"])
            if known is not None:
                usd = Decimal(data.get("add_usd") or 0)
                self.raise_limit(known.id, usd, data.get("add_tokens") or 0)
            elif row is not None:
                self._learn(row)

    def _replay_hold(self, run_id: str, event: Entry, live: Ledger) -> None:
        data = event.data["hold"]
        for row_id in data["budgets"]:
            if row_id not in self.rows:
                self._learn(live.rows[row_id])
        hold = Hold(
            data["id"],
            run_id,
            event.key or "",
            tuple(data["budgets"]),
            data["tokens"],
            Decimal(data["usd"]),
        )
        if hold.id in self.holds:
            return
        self.holds[hold.id] = hold
        self._move(hold, hold.tokens, hold.usd)

    def undo(self, run_id: str, event: Entry) -> None:
        """Take back what an event of a run moved that did not become durable; the reverse of `replay`."""
        data = event.data
        if event.type == "StepIntended" and data.get("hold"):
            hold = self.holds.pop(data["hold"]["id"], None)
            if hold is not None:
                self._move(hold, -hold.tokens, -hold.usd)
        elif event.type in ("StepCompleted", "StepFailed") and data.get("hold"):
            hold = self.holds.get(data["hold"])
            if hold is not None and hold.state != "held":
                hold.state = "held"
                self._unfree(hold.run_id, hold.id)
                self._move(hold, hold.tokens, hold.usd)
                for row in self._known(hold.budgets):
                    row.spent_tokens -= data.get("tokens") or 0
                    row.spent_usd -= Decimal(data.get("cost_usd") or 0)
        elif event.type == "BudgetRaised":
            self._unfree(run_id, f"raise:{data['budget']}")
            usd = Decimal(data.get("add_usd") or 0)
            self.raise_limit(data["budget"], -usd, -(data.get("add_tokens") or 0))
        elif event.type == "BudgetThresholdReached" and data["budget"] in self.rows:
            row = self.rows[data["budget"]]
            row.reached = max((t for t in THRESHOLDS if t < data["threshold"]), default=0)

    def _move(self, hold: Hold, tokens: int, usd: Decimal) -> None:
        for row in self._known(hold.budgets):
            row.held_tokens += tokens
            row.held_usd += usd
            self.dirty_rows.add(row.id)

    def _learn(self, row: BudgetRow) -> None:
        self.rows[row.id] = replace(
            row,
            spent_tokens=0,
            spent_usd=ZERO,
            held_tokens=0,
            held_usd=ZERO,
            reached=0,
            freeing_tokens=0,
            freeing_usd=ZERO,
        )

    def drop_holds(self, ids: Iterable[str]) -> None:
        """Forget holds that are over: they live on in the log."""
        for hold_id in ids:
            hold = self.holds.get(hold_id)
            if hold is not None and hold.state != "held":
                del self.holds[hold_id]

    def drop_run(self, run_id: str) -> set[str]:
        """Forget the budgets of a run that is over; return their ids."""
        ids = self.of_run.pop(run_id, set())
        for name in list(self.freeing.get(run_id, {})):
            self._unfree(run_id, name)
        for row_id in ids:
            self.rows.pop(row_id, None)
            self.dirty_rows.discard(row_id)
        return ids


def _freeing_name(event: Entry) -> str | None:
    """Return under which name an event freed room, None if it is of a kind that frees none."""
    if event.type in ("StepCompleted", "StepFailed"):
        name: str | None = event.data.get("hold")
        return name
    return f"raise:{event.data['budget']}" if event.type == "BudgetRaised" else None
