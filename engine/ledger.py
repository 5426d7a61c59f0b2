"""The one ledger of holds: money is set aside on every level before it is spent.

    held → settled (what it really cost) | presumed (unknown: its full amount) | released (not made)

Each budget row satisfies spent + held ≤ limit after every reservation; a settlement above its hold
is recorded in full, so that spending is never under-counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.events import Event

ZERO = Decimal(0)
THRESHOLDS = (50, 75, 90, 100)
LEVELS = {"node": 0, "run": 1, "graph": 2, "workspace": 3}
"""Order in which levels are reserved and named when several refuse."""

BREACH_CODES = {
    "node": "NodeBudgetExceeded",
    "run": "RunBudgetExceeded",
    "graph": "GraphBudgetExceeded",
    "workspace": "WorkspaceBudgetExceeded",
}


@dataclass(frozen=True, slots=True)
class BudgetRef:
    """A budget a call is held on. None is no cap on that side."""

    id: str
    level: str
    limit_tokens: int | None = None
    limit_usd: Decimal | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "level": self.level,
            "limit_tokens": self.limit_tokens,
            "limit_usd": None if self.limit_usd is None else str(self.limit_usd),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> BudgetRef:
        """Return the reference that `to_json` wrote."""
        usd = data.get("limit_usd")
        return cls(
            data["id"],
            data["level"],
            data.get("limit_tokens"),
            None if usd is None else Decimal(usd),
        )


@dataclass(slots=True)
class BudgetRow:
    """A budget and where it stands. Money in USD."""

    id: str
    level: str
    limit_tokens: int | None
    limit_usd: Decimal | None
    spent_tokens: int = 0
    spent_usd: Decimal = ZERO
    held_tokens: int = 0
    held_usd: Decimal = ZERO

    def fits(self, tokens: int, usd: Decimal) -> bool:
        """Return whether `tokens` and `usd` fit; exactly reaching a cap fits."""
        return (
            self.limit_tokens is None
            or self.spent_tokens + self.held_tokens + tokens <= self.limit_tokens
        ) and (self.limit_usd is None or self.spent_usd + self.held_usd + usd <= self.limit_usd)

    @property
    def over(self) -> bool:
        """Whether spending alone is above a cap."""
        return (self.limit_tokens is not None and self.spent_tokens > self.limit_tokens) or (
            self.limit_usd is not None and self.spent_usd > self.limit_usd
        )

    def percent(self) -> float:
        """Return spent of limit in percent, the higher of both sides; 0 without a cap."""
        shares = [0.0]
        if self.limit_tokens:
            shares.append(100 * self.spent_tokens / self.limit_tokens)
        if self.limit_usd:
            shares.append(float(100 * self.spent_usd / self.limit_usd))
        return max(shares)


@dataclass(slots=True)
class Hold:
    """One reservation over several budgets. `state`: held, settled, presumed, released."""

    id: str
    run_id: str
    key: str
    budgets: tuple[str, ...]
    tokens: int
    usd: Decimal
    state: str = "held"
    freed_tokens: int = 0
    freed_usd: Decimal = ZERO
    """What settling gave back; see `Ledger.loose`."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a reservation was not made: the first level, from the inside out, that does not fit."""

    row: BudgetRow
    tokens: int
    usd: Decimal

    @property
    def code(self) -> str:
        return BREACH_CODES[self.row.level]

    def message(self) -> str:
        """Return the sentence people read: limit, used, asked."""
        return breach_message(self.row, self.tokens, self.usd)

    def detail(self) -> dict[str, Any]:
        return {
            "level": self.row.level,
            "budget": self.row.id,
            "limit_tokens": self.row.limit_tokens,
            "limit_usd": None if self.row.limit_usd is None else str(self.row.limit_usd),
            "spent_tokens": self.row.spent_tokens,
            "spent_usd": str(self.row.spent_usd),
            "held_tokens": self.row.held_tokens,
            "held_usd": str(self.row.held_usd),
            "asked_tokens": self.tokens,
            "asked_usd": str(self.usd),
        }


def breach_message(row: BudgetRow, tokens: int, usd: Decimal) -> str:
    """Return what a budget error says: which cap, how much is used and held, what was asked."""
    parts = []
    if row.limit_tokens is not None:
        parts.append(
            f"{row.spent_tokens} of {row.limit_tokens} tokens used, {row.held_tokens} held, "
            f"{tokens} asked"
        )
    if row.limit_usd is not None:
        parts.append(
            f"${row.spent_usd} of ${row.limit_usd} used, ${row.held_usd} held, ${usd} asked"
        )
    return f"the {row.level} budget does not allow it: {'; '.join(parts)}"


@dataclass(slots=True)
class Ledger:
    """Budgets and holds of one process or database. `dirty` names rows changed since a flush."""

    rows: dict[str, BudgetRow] = field(default_factory=dict)
    holds: dict[str, Hold] = field(default_factory=dict)
    dirty_rows: set[str] = field(default_factory=set)
    dirty_holds: set[str] = field(default_factory=set)
    of_run: dict[str, set[str]] = field(default_factory=dict)
    loose: dict[str, Hold] = field(default_factory=dict)
    """Settled, but not durably: another run's hold must not count on what they freed."""

    def note_owner(self, row: BudgetRow) -> None:
        """Remember which run a budget of a run or node belongs to: it goes with the run."""
        if row.level in ("node", "run"):
            self.of_run.setdefault(row.id.split(":")[1], set()).add(row.id)

    def ensure(self, ref: BudgetRef) -> BudgetRow:
        """Return the row, made from `ref` at first sight."""
        row = self.rows.get(ref.id)
        if row is None:
            row = self.rows[ref.id] = BudgetRow(ref.id, ref.level, ref.limit_tokens, ref.limit_usd)
            self.note_owner(row)
            self.dirty_rows.add(ref.id)
        return row

    def reserve(self, hold: Hold, refs: Iterable[BudgetRef]) -> Refusal | None:
        """Set `hold` aside on all `refs` or on none; return why not.

        A hold that exists already is not taken twice.
        """
        if hold.id in self.holds:
            return None
        rows = [self.ensure(ref) for ref in sorted(refs, key=lambda r: (LEVELS[r.level], r.id))]
        for row in rows:
            if not row.fits(hold.tokens, hold.usd):
                return Refusal(row, hold.tokens, hold.usd)
        for row in rows:
            row.held_tokens += hold.tokens
            row.held_usd += hold.usd
            self.dirty_rows.add(row.id)
        self.holds[hold.id] = hold
        self.dirty_holds.add(hold.id)
        return None

    def settle(
        self, hold_id: str, tokens: int, usd: Decimal, state: str = "settled"
    ) -> list[tuple[BudgetRow, int]]:
        """Turn a hold into spending; return the thresholds that this crossed, with their rows.

        A hold that is no longer held is left alone (the same outcome recorded twice).
        """
        hold = self.holds.get(hold_id)
        if hold is None or hold.state != "held":
            return []
        hold.state = state
        hold.freed_tokens, hold.freed_usd = hold.tokens - tokens, hold.usd - usd
        self.loose[hold_id] = hold
        self.dirty_holds.add(hold_id)
        crossed: list[tuple[BudgetRow, int]] = []
        for row_id in hold.budgets:
            row = self.rows.get(row_id)
            if row is None:
                continue  # the run that the budget belonged to is over
            before = row.percent()
            row.held_tokens -= hold.tokens
            row.held_usd -= hold.usd
            row.spent_tokens += tokens
            row.spent_usd += usd
            self.dirty_rows.add(row_id)
            after = row.percent()
            crossed += [(row, t) for t in THRESHOLDS if before < t <= after]
        return crossed

    def counted_on(
        self, run_id: str, refs: Iterable[BudgetRef], tokens: int, usd: Decimal
    ) -> set[str]:
        """Return the other runs without whose settlements, not durable yet, a hold would not fit.

        A crash would take those settlements back, and leave the budget above its limit.
        """
        others = [hold for hold in self.loose.values() if hold.run_id != run_id]
        runs: set[str] = set()
        for ref in refs if others else ():
            row, freed = self.rows.get(ref.id), [h for h in others if ref.id in h.budgets]
            more = (sum(h.freed_tokens for h in freed), sum((h.freed_usd for h in freed), ZERO))
            if row is not None and not row.fits(tokens + more[0], usd + more[1]):
                runs |= {hold.run_id for hold in freed}
        return runs

    def durable(self, ids: Iterable[str]) -> None:
        """Note that the settlements of these holds are durable."""
        for hold_id in ids:
            self.loose.pop(hold_id, None)

    def hold_again(self, hold_id: str) -> None:
        """Take a hold back in that was settled by a transition that got lost."""
        hold = self.holds[hold_id]
        if hold.state == "held":
            return
        hold.state = "held"
        self.loose.pop(hold_id, None)
        for row in (self.rows[row_id] for row_id in hold.budgets if row_id in self.rows):
            row.held_tokens += hold.tokens
            row.held_usd += hold.usd

    def raise_limit(self, row_id: str, usd: Decimal, tokens: int) -> None:
        """Add to a budget's caps; a side without cap stays without."""
        row = self.rows[row_id]
        if row.limit_usd is not None:
            row.limit_usd += usd
        if row.limit_tokens is not None:
            row.limit_tokens += tokens
        self.dirty_rows.add(row_id)

    def over(self, ids: Iterable[str]) -> BudgetRow | None:
        """Return the innermost of the named budgets that spending has passed, if any."""
        rows = [self.rows[row_id] for row_id in ids if row_id in self.rows]
        rows.sort(key=lambda row: (LEVELS[row.level], row.id))
        return next((row for row in rows if row.over), None)

    def replay(self, run_id: str, event: Event, live: Ledger) -> None:
        """Apply what a logged event says about money: what a durable ledger does with a commit.

        `live` is the ledger that made the reservation; it knows the caps of rows seen first here.
        """
        data = event.data
        if event.type == "StepIntended" and data.get("hold"):
            self._replay_hold(run_id, event, live)
        elif event.type in ("StepCompleted", "StepFailed") and data.get("hold"):
            state = "presumed" if data.get("presumed") else "settled"
            usd = Decimal(data.get("cost_usd") or 0)
            self.settle(data["hold"], data.get("tokens") or 0, usd, state)
        elif event.type == "BudgetRaised":
            known, row = self.rows.get(data["budget"]), live.rows.get(data["budget"])
            if known is not None:
                usd = Decimal(data.get("add_usd") or 0)
                self.raise_limit(known.id, usd, data.get("add_tokens") or 0)
            elif row is not None:
                self._learn(row)

    def _replay_hold(self, run_id: str, event: Event, live: Ledger) -> None:
        data = event.data["hold"]
        for row_id in data["budgets"]:
            if row_id not in self.rows:
                self._learn(live.rows[row_id])
        hold = Hold(
            data["id"], run_id, event.key or "", tuple(data["budgets"]),
            data["tokens"], Decimal(data["usd"]),
        )  # fmt: skip
        if hold.id in self.holds:
            return
        self.holds[hold.id] = hold
        self._move(hold, hold.tokens, hold.usd)

    def undo(self, event: Event) -> None:
        """Take back what an event moved that did not become durable; the reverse of `replay`."""
        data = event.data
        if event.type == "StepIntended" and data.get("hold"):
            hold = self.holds.pop(data["hold"]["id"], None)
            if hold is not None:
                self._move(hold, -hold.tokens, -hold.usd)
        elif event.type in ("StepCompleted", "StepFailed") and data.get("hold"):
            hold = self.holds.get(data["hold"])
            self.loose.pop(data["hold"], None)
            if hold is not None and hold.state != "held":
                hold.state = "held"
                self._move(hold, hold.tokens, hold.usd)
                for row_id in hold.budgets:
                    self.rows[row_id].spent_tokens -= data.get("tokens") or 0
                    self.rows[row_id].spent_usd -= Decimal(data.get("cost_usd") or 0)
        elif event.type == "BudgetRaised":
            usd = Decimal(data.get("add_usd") or 0)
            self.raise_limit(data["budget"], -usd, -(data.get("add_tokens") or 0))

    def _move(self, hold: Hold, tokens: int, usd: Decimal) -> None:
        for row_id in hold.budgets:
            self.rows[row_id].held_tokens += tokens
            self.rows[row_id].held_usd += usd
            self.dirty_rows.add(row_id)

    def _learn(self, row: BudgetRow) -> None:
        self.rows[row.id] = replace(
            row, spent_tokens=0, spent_usd=ZERO, held_tokens=0, held_usd=ZERO
        )

    def drop_holds(self, ids: Iterable[str]) -> None:
        """Forget holds that are durably over: they live on in the log."""
        ids = list(ids)
        self.durable(ids)
        for hold_id in ids:
            hold = self.holds.get(hold_id)
            if hold is not None and hold.state != "held":
                del self.holds[hold_id]

    def drop_run(self, run_id: str) -> set[str]:
        """Forget the budgets of a run that is over; return their ids."""
        ids = self.of_run.pop(run_id, set())
        for row_id in ids:
            self.rows.pop(row_id, None)
            self.dirty_rows.discard(row_id)
        return ids
