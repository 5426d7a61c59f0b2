"""What a run's events say about money, as rows: budgets, holds, and the sums of each day."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from decimal import Decimal
from typing import Any, Final

import orjson

from engine.core.budgets.ledger import Hold, Ledger
from engine.core.budgets.money import pico
from engine.core.budgets.refs import LEVELS, SHARED
from engine.core.budgets.shared import SharedBudgets
from engine.core.state.events import Event, node_of
from engine.runtime.stores.buffered import Batch
from engine.runtime.stores.sql.statements import Gives, Must, Once, Plain, Shared, Statement

NEW_BUDGET: Final = (
    "INSERT INTO builder_budget (id, level, workspace_id, limit_tokens, limit_pico, spent_tokens, "
    "spent_pico, held_tokens, held_pico)"
)
HOLD_MORE: Final = (
    "ON CONFLICT (id) DO UPDATE "
    "SET held_tokens = builder_budget.held_tokens + excluded.held_tokens, "
    "held_pico = builder_budget.held_pico + excluded.held_pico"
)
HOLD_BUDGET: Final = f"{NEW_BUDGET} VALUES (?, ?, ?, ?, ?, 0, 0, ?, ?) {HOLD_MORE}"
SETTLE_BUDGET: Final = (
    "UPDATE builder_budget SET held_tokens = held_tokens - ?, held_pico = held_pico - ?, "
    "spent_tokens = spent_tokens + ?, spent_pico = spent_pico + ? WHERE id = ?"
)
"""Amounts are added, never overwritten: each commit carries what its own run's events say, so rows
stay the sum of committed logs whatever becomes of other runs' writes. Whoever deletes the hold moves
its money: a test whether there is one would let two that ask at once both find it."""
HOLD_SHARED: Final = (
    f"{HOLD_BUDGET} "
    "WHERE (builder_budget.limit_tokens IS NULL OR builder_budget.spent_tokens "
    "+ builder_budget.held_tokens + excluded.held_tokens <= builder_budget.limit_tokens) "
    "AND (builder_budget.limit_pico IS NULL OR builder_budget.spent_pico "
    "+ builder_budget.held_pico + excluded.held_pico <= builder_budget.limit_pico)"
)
"""The row of a shared budget is the judge: another process may have spent what the ledger of this one
still has room for, and people may have lowered the limit that it remembers."""

RAISE_BUDGET: Final = (
    "INSERT INTO builder_budget (id, level, workspace_id, limit_tokens, limit_pico, spent_tokens, "
    "spent_pico, held_tokens, held_pico, raised_tokens, raised_pico) "
    "VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, ?, ?) ON CONFLICT (id) DO UPDATE "
    "SET limit_tokens = builder_budget.limit_tokens + excluded.raised_tokens, "
    "limit_pico = builder_budget.limit_pico + excluded.raised_pico, "
    "raised_tokens = builder_budget.raised_tokens + excluded.raised_tokens, "
    "raised_pico = builder_budget.raised_pico + excluded.raised_pico"
)
REACH: Final = "UPDATE builder_budget SET reached = ? WHERE id = ? AND reached < ?"
SPEND: Final = (
    "INSERT INTO builder_spending (workspace_id, day, graph, node, agent, model, person, calls, "
    "unpriced, tokens, pico) VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?) "
    "ON CONFLICT (workspace_id, day, graph, node, agent, model, person) DO UPDATE SET "
    "calls = builder_spending.calls + 1, unpriced = builder_spending.unpriced + excluded.unpriced, "
    "tokens = builder_spending.tokens + excluded.tokens, "
    "pico = builder_spending.pico + excluded.pico"
)
SPEND_OF_RUN: Final = (
    "INSERT INTO builder_runspending (run, day, node, agent, model, calls, unpriced, tokens, pico) "
    "VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?) "
    "ON CONFLICT (run, day, node, agent, model) DO UPDATE SET "
    "calls = builder_runspending.calls + 1, "
    "unpriced = builder_runspending.unpriced + excluded.unpriced, "
    "tokens = builder_runspending.tokens + excluded.tokens, "
    "pico = builder_runspending.pico + excluded.pico"
)
"""The same by run: the rows behind a sum."""
SPEND_OF_TRIGGER: Final = (
    "INSERT INTO builder_triggerspending (workspace_id, day, graph, trigger, calls, unpriced, "
    "tokens, pico) VALUES (?, ?, ?, ?, 1, ?, ?, ?) "
    "ON CONFLICT (workspace_id, day, graph, trigger) DO UPDATE SET "
    "calls = builder_triggerspending.calls + 1, "
    "unpriced = builder_triggerspending.unpriced + excluded.unpriced, "
    "tokens = builder_triggerspending.tokens + excluded.tokens, "
    "pico = builder_triggerspending.pico + excluded.pico"
)
"""The same by what started the run, where nobody did."""
DROP_BUDGET: Final = "DELETE FROM builder_budget WHERE id = ?"
SAVE_HOLD: Final = (
    "INSERT INTO builder_budgethold (id, run, key, budgets, tokens, pico, state) "
    "VALUES (?, ?, ?, ?, ?, ?, 'held') ON CONFLICT DO NOTHING"
)
ABOUT_MONEY: Final = frozenset(
    {"StepIntended", "StepCompleted", "StepFailed", "BudgetRaised", "BudgetThresholdReached"}
)
"""The types of events that may have a row here."""

AFTER_BUDGETS: Final = len(LEVELS)
"""Where the sums of days come in the order in which rows are locked; those of triggers are next."""

DROP_HOLD: Final = "DELETE FROM builder_budgethold WHERE id = ?"


def of_budget(row_id: str, statement: Plain | Must | Gives) -> Shared:
    """Return a statement about a budget, in its place: by level and id, as holds are taken.

    Budgets of a run and its nodes are shared, too: by the runs below it.
    """
    level = LEVELS.get(row_id.partition(":")[0], 0)  # any place will do that all agree on
    return Shared((level, row_id), statement)


def _of_sum(after: int, where: tuple[Any, ...], statement: Plain) -> Shared:
    """Return a statement about a sum of a day, whose row `where` names."""
    return Shared((AFTER_BUDGETS + after, "\n".join(map(str, where))), statement)


class MoneyRows:
    """Turns events that move money into statements, in the order of the log.

    `home` is the workspace of runs that name none; `hold_shared` is `RowsBeside.hold_shared`.
    """

    def __init__(
        self, ledger: Ledger, home: str | None, hold_shared: Callable[[Sequence[Any]], Must]
    ) -> None:
        self._ledger = ledger
        self._home = home
        self._hold_shared = hold_shared
        self.judged: Collection[str] = SHARED
        """The levels whose rows are the judge of a hold; of others this process knows all."""

    def statements(self, batch: Batch) -> list[Statement]:
        """Return what the events of a batch write. `committed` forgets finished holds."""
        out: list[Statement] = []
        self._ledger.dirty_rows.clear()
        self._ledger.dirty_holds.clear()
        for event in batch.events:
            if event.type not in ABOUT_MONEY:
                continue
            hold = event.data.get("hold")
            if event.type == "StepIntended" and hold:
                self._held(out, batch, event)
            elif event.type in ("StepCompleted", "StepFailed") and hold:
                self._settled(out, batch, event)
            elif event.type == "BudgetRaised":
                self._raised(out, batch, event)
            elif event.type == "BudgetThresholdReached":
                threshold = event.data["threshold"]
                row_id = event.data["budget"]
                out.append(of_budget(row_id, (REACH, (threshold, row_id, threshold))))
        if batch.state.terminal and not batch.state.handed_over:
            mine = self._ledger.of_run.get(batch.run_id, ())
            out += [of_budget(row_id, (DROP_BUDGET, (row_id,))) for row_id in mine]
        return out

    def _held(self, out: list[Statement], batch: Batch, event: Event) -> None:
        hold = event.data["hold"]
        tokens, amount = hold["tokens"], pico(Decimal(hold["usd"]))
        for row_id in hold["budgets"]:
            budget = self._budget(batch, row_id)
            out.append(of_budget(row_id, self._holding(budget[1], (*budget, tokens, amount))))
        ids = orjson.dumps(hold["budgets"]).decode()
        out.append((SAVE_HOLD, (hold["id"], batch.run_id, event.key, ids, tokens, amount)))

    def _holding(self, level: str, row: Sequence[Any]) -> Plain | Must:
        if level in SHARED:
            return self._hold_shared(row)
        return Must(HOLD_SHARED, row) if level in self.judged else (HOLD_BUDGET, row)

    def _settled(self, out: list[Statement], batch: Batch, event: Event) -> None:
        data = event.data
        hold = self._ledger.holds.get(data["hold"])
        if hold is None:
            return  # the same outcome was recorded before
        spent = (data.get("tokens") or 0, pico(Decimal(data.get("cost_usd") or 0)))
        amounts = (hold.tokens, pico(hold.usd), *spent)
        moved: list[Plain | Shared] = _settle(hold, amounts)
        if event.type == "StepCompleted" or spent[0] or spent[1]:
            where = self._spent_on(batch, event)
            moved.append(_of_sum(0, where[:-1], (SPEND, (*where, *spent))))
            workspace, day, graph, node, agent, model, _person, unpriced = where
            mine = (batch.run_id, day, node, agent, model, unpriced)
            moved.append((SPEND_OF_RUN, (*mine, *spent)))
            trigger = batch.state.started.get("trigger")
            if trigger is not None:
                of_it = (workspace, day, graph, trigger, unpriced)
                moved.append(_of_sum(1, of_it[:-1], (SPEND_OF_TRIGGER, (*of_it, *spent))))
        out.append(Once((DROP_HOLD, (hold.id,)), moved))

    def _spent_on(self, batch: Batch, event: Event) -> tuple[Any, ...]:
        """Return workspace, day, graph, node, agent, model and person of a call, and whether it has
        no price.

        The day is that of the outcome, on the workspace's clock.
        """
        started, data = batch.state.started, event.data
        workspace = started.get("workspace_id") or self._home
        shared = self._ledger.shared or SharedBudgets()
        return (
            workspace,
            shared.period(workspace, "day", event.at).name,
            started["graph_id"][:128],
            node_of(event.key or "")[:128],
            (data.get("agent") or "")[:128],
            (data.get("model") or "")[:200],
            (started.get("started_by") or "")[:64],
            1 if data.get("unpriced") else 0,
        )

    def _raised(self, out: list[Statement], batch: Batch, event: Event) -> None:
        data = event.data
        more = (data.get("add_tokens") or 0, pico(Decimal(data.get("add_usd") or 0)))
        raised = (RAISE_BUDGET, (*self._budget(batch, data["budget"]), *more))
        out.append(of_budget(data["budget"], raised))

    def _budget(self, batch: Batch, row_id: str) -> tuple[Any, ...]:
        row = self._ledger.rows[row_id]
        workspace = batch.state.started.get("workspace_id") or self._home
        return row.id, row.level, workspace, row.limit_tokens, pico(row.limit_usd)

    def committed(self, batch: Batch) -> None:
        """Forget holds and budgets that a durable batch has finished."""
        if self._ledger.holds:
            ended = (e for e in batch.events if e.type in ("StepCompleted", "StepFailed"))
            self._ledger.drop_holds([e.data["hold"] for e in ended if e.data.get("hold")])
        if batch.over and not batch.state.handed_over:
            self._ledger.drop_run(batch.run_id)


def release(hold: Hold) -> list[Statement]:
    """Return what gives a hold back of which no log knows."""
    return [Once((DROP_HOLD, (hold.id,)), _settle(hold, (hold.tokens, pico(hold.usd), 0, 0)))]


def _settle(hold: Hold, amounts: tuple[int | None, ...]) -> list[Plain | Shared]:
    """Return what moves a hold's amounts in all its budgets: what was held, and what is spent."""
    return [of_budget(row_id, (SETTLE_BUDGET, (*amounts, row_id))) for row_id in hold.budgets]
