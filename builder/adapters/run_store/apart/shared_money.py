"""What budgets have cost in all processes: this worker's own part, and what others add to it.

Those of workspaces, graphs and triggers are everyone's; that of a run, and of its nodes, is moved by
the runs below it, too, which other workers may have. `seen` is what a row should say by what this worker knows. Where it says something else, others have
moved money meanwhile, and exactly the difference is theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, Final

from engine.core.budgets.ledger import Ledger
from engine.core.budgets.money import from_pico, pico
from engine.core.budgets.refs import SHARED
from engine.core.budgets.rows import ZERO, BudgetRow
from engine.core.state.events import Event
from engine.runtime.stores.sql.budget_rows import of_budget
from engine.runtime.stores.sql.statements import Gives, Statement
from engine.runtime.stores.sql.writer import SqlWriter

COLUMNS: Final = (
    "spent_tokens",
    "spent_pico",
    "held_tokens",
    "held_pico",
    "raised_tokens",
    "raised_pico",
)
ROW: Final = (
    f"SELECT {', '.join(f'COALESCE(MAX({name}), 0)' for name in COLUMNS)} "  # noqa: S608  (constants)
    "FROM builder_budget WHERE id = ?"
)
Sums = list[int]
"""One amount for each of `COLUMNS`."""


class SharedMoney:
    """Keeps a ledger's shared budgets to what their rows say."""

    def __init__(self, ledger: Ledger, writer: SqlWriter) -> None:
        self._ledger = ledger
        self._writer = writer
        self._seen: dict[str, Sums] = {}
        self._doubted: set[str] = set()

    def doubt(self, ids: Iterable[str]) -> None:
        """Note that others move a row: `learn` looks at it, for as long as it is in the ledger."""
        self._doubted.update(ids)

    def doubt_held_elsewhere(self, run_id: str) -> None:
        """Doubt the rows of a run that hold more than the calls which this worker knows of."""
        for row_id in self._ledger.of_run.get(run_id, ()):
            row = self._ledger.rows[row_id]
            if not row.held_tokens and not row.held_usd:
                continue
            mine = [hold for hold in self._ledger.holds.values() if row_id in hold.budgets]
            known = sum(hold.tokens for hold in mine), sum((hold.usd for hold in mine), ZERO)
            if known != (row.held_tokens, row.held_usd):
                self.doubt([row_id])

    def forget(self, ids: Iterable[str]) -> None:
        """Forget what rows said that the ledger has not any more."""
        for row_id in ids:
            self._seen.pop(row_id, None)

    def know(self, row_id: str) -> None:
        """Take a row as it was just loaded for what the database says."""
        row = self._ledger.rows[row_id]
        usd = (row.spent_usd, row.held_usd, row.raised_usd)
        spent, held, raised = (pico(amount) or 0 for amount in usd)
        tokens = (row.spent_tokens, row.held_tokens, row.raised_tokens)
        self._seen[row_id] = [tokens[0], spent, tokens[1], held, tokens[2], raised]

    def landed(self, moved: Mapping[str, Sums]) -> None:
        """Note what a batch of this worker, durable now, has moved."""
        for row_id, sums in moved.items():
            seen = self._seen.setdefault(row_id, [0] * len(COLUMNS))
            seen[:] = [old + more for old, more in zip(seen, sums, strict=True)]

    async def learn(self) -> None:
        """Add to the ledger what others have moved. Raises `StoreError`.

        The rows are read among the worker's own commits: what was committed before is in them, and
        noted by `landed`; what comes after is in neither.
        """
        rows, doubted = self._ledger.rows, self._doubted
        shared = [row for row in rows.values() if row.level in SHARED or row.id in doubted]
        found: list[Sums] = [[] for _ in shared]
        if shared:
            looked: list[Statement] = [
                of_budget(row.id, Gives(ROW, (row.id,), sums))
                for row, sums in zip(shared, found, strict=True)
            ]
            await self._writer.write(looked)
        for row, sums in zip(shared, found, strict=True):
            if rows.get(row.id) is not row:
                continue  # its run ended meanwhile, or was taken over, with newer rows
            seen = self._seen.get(row.id, [0] * len(COLUMNS))
            self._add(row, [int(now) - before for now, before in zip(sums, seen, strict=True)])
            self._seen[row.id] = [int(now) for now in sums]
        self._doubted.intersection_update(rows)
        self.forget([row_id for row_id in self._seen if row_id not in rows])

    def _add(self, row: BudgetRow, more: Sums) -> None:
        row.spent_tokens += more[0]
        row.spent_usd += from_pico(more[1]) or ZERO
        row.held_tokens += more[2]
        row.held_usd += from_pico(more[3]) or ZERO
        raised = from_pico(more[5]) or ZERO
        row.raised_tokens += more[4]
        row.raised_usd += raised
        if row.level not in SHARED:  # of those that are, people's last word is the limit
            row.limit_tokens = None if row.limit_tokens is None else row.limit_tokens + more[4]
            row.limit_usd = None if row.limit_usd is None else row.limit_usd + raised


def moved_by(ledger: Ledger, events: Iterable[Event]) -> dict[str, Sums]:
    """Return what events move of budgets; their holds are still in the ledger."""
    moved: dict[str, Sums] = {}

    def add(row_id: str, *sums: int) -> None:
        if row_id in ledger.rows:
            old = moved.get(row_id, [0] * len(COLUMNS))
            moved[row_id] = [one + more for one, more in zip(old, sums, strict=True)]

    for event in events:
        data = event.data
        hold = data.get("hold")
        if event.type == "StepIntended" and hold:
            for row_id in hold["budgets"]:
                add(row_id, 0, 0, hold["tokens"], _pico(hold["usd"]), 0, 0)
        elif event.type in ("StepCompleted", "StepFailed") and hold in ledger.holds:
            known = ledger.holds[hold]
            spent = (data.get("tokens") or 0, _pico(data.get("cost_usd")))
            for row_id in known.budgets:
                add(row_id, *spent, -known.tokens, -(pico(known.usd) or 0), 0, 0)
        elif event.type == "BudgetRaised":
            raised = (data.get("add_tokens") or 0, _pico(data.get("add_usd")))
            add(data["budget"], 0, 0, 0, 0, *raised)
    return moved


def _pico(usd: Any) -> int:
    return pico(Decimal(usd or 0)) or 0
