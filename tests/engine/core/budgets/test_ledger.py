"""The ledger by itself: what holds for money holds for tokens, rule by rule."""

from __future__ import annotations

from decimal import Decimal

import pytest

from engine.core.budgets.ledger import BudgetRef, Hold, Ledger, Refusal
from engine.core.budgets.rows import BudgetRow
from engine.core.decide.holds import shortfall
from engine.core.state.events import Event

USD, TOKENS = "usd", "tokens"
ROW = "workspace:w:total"
pytestmark = pytest.mark.parametrize("side", [USD, TOKENS])


def cap(side: str, amount: int, row_id: str = ROW, level: str = "workspace") -> BudgetRef:
    """Return a budget that bounds one side alone."""
    if side == USD:
        return BudgetRef(row_id, level, None, Decimal(amount))
    return BudgetRef(row_id, level, amount, None)


def hold(
    side: str, name: str, amount: int, run: str = "r1", budgets: tuple[str, ...] = (ROW,)
) -> Hold:
    usd, tokens = _both(side, amount)
    return Hold(name, run, "a#1", budgets, tokens, usd)


def settle(ledger: Ledger, side: str, name: str, amount: int) -> list[tuple[BudgetRow, int]]:
    usd, tokens = _both(side, amount)
    return ledger.settle(name, tokens, usd)


def landed(ledger: Ledger, name: str, run: str = "r1") -> None:
    ledger.landed(run, [Event(1, "StepCompleted", 0, "a#1", {"hold": name})])


def stand(ledger: Ledger, side: str, row_id: str = ROW) -> tuple[int, int, int]:
    """Return what is spent, held and being freed on the side."""
    row = ledger.rows[row_id]
    names = ("spent", "held", "freeing")
    return tuple(int(getattr(row, f"{name}_{side}")) for name in names)  # type: ignore[return-value]


def _both(side: str, amount: int) -> tuple[Decimal, int]:
    return (Decimal(amount), 0) if side == USD else (Decimal(0), amount)


def test_holds_fill_a_budget_to_its_last_unit_and_no_further(side: str) -> None:
    """C43: Exactly reaching a cap fits; one more does not, and is not held in part."""
    ledger, run = Ledger(), cap(side, 100, "run:r1", "run")
    both = (cap(side, 10), run)

    assert ledger.reserve(hold(side, "h", 6), both) is None
    assert ledger.reserve(hold(side, "i", 4), both) is None
    refusal = ledger.reserve(hold(side, "j", 1), both)
    assert isinstance(refusal, Refusal)
    assert (refusal.row.id, refusal.passing) == (ROW, False)
    assert stand(ledger, side) == (0, 10, 0)
    assert stand(ledger, side, "run:r1") == (0, 10, 0)


def test_room_that_is_freed_is_the_runs_own_until_it_is_durable(side: str) -> None:
    """I6: Another run is told that its call fits in a moment; the run that settled goes on."""
    ledger, budget = Ledger(), [cap(side, 10)]
    ledger.reserve(hold(side, "h", 8), budget)
    settle(ledger, side, "h", 3)

    refusal = ledger.reserve(hold(side, "other", 7, run="r2"), budget)
    assert refusal is not None
    assert refusal.passing
    assert stand(ledger, side) == (3, 0, 5)
    assert ledger.reserve(hold(side, "own", 7), budget) is None


def test_room_that_was_freed_is_everybodys_once_it_is_durable(side: str) -> None:
    """I6: Nothing is kept back for ever."""
    ledger, budget = Ledger(), [cap(side, 10)]
    ledger.reserve(hold(side, "h", 8), budget)
    settle(ledger, side, "h", 3)
    landed(ledger, "h")

    assert stand(ledger, side) == (3, 0, 0)
    assert ledger.reserve(hold(side, "other", 7, run="r2"), budget) is None


def test_room_of_a_lost_settlement_is_held_again(side: str) -> None:
    """I6: What the lost memory of a run had freed nobody may spend."""
    ledger, budget = Ledger(), [cap(side, 10)]
    ledger.reserve(hold(side, "h", 8), budget)
    settle(ledger, side, "h", 0)
    ledger.lapse("r1")

    assert stand(ledger, side) == (0, 8, 0)
    assert ledger.reserve(hold(side, "other", 3, run="r2"), budget) is not None


def test_room_of_a_raise_is_the_runs_own_until_it_is_durable(side: str) -> None:
    """I6: A limit that somebody raises counts for other runs when it is written."""
    ledger, budget = Ledger(), [cap(side, 10)]
    ledger.reserve(hold(side, "h", 10), budget)
    usd, tokens = _both(side, 5)
    ledger.raise_limit(ROW, usd, tokens, run_id="r1")

    refusal = ledger.reserve(hold(side, "other", 5, run="r2"), budget)
    assert refusal is not None
    assert refusal.passing
    assert ledger.reserve(hold(side, "own", 5), budget) is None
    ledger.lapse("r1")
    row = ledger.rows[ROW]
    assert (row.limit_usd if side == USD else row.limit_tokens) == 10


def test_a_call_that_cost_more_than_it_held_is_seen(side: str) -> None:
    """C41: It is counted in full, and the innermost budget that it passed is named."""
    ledger = Ledger()
    node = cap(side, 5, "node:r1:a#1", "node")
    run = cap(side, 6, "run:r1", "run")
    held = hold(side, "h", 2, budgets=(run.id, node.id))
    ledger.reserve(held, [run, node])
    settle(ledger, side, "h", 9)
    usd, tokens = _both(side, 9)

    assert stand(ledger, side, node.id) == (9, 0, 0)
    over = ledger.over(held, tokens, usd)
    assert over is not None
    assert over.id == node.id


def test_a_call_within_its_hold_is_not_to_blame_for_a_lowered_limit(side: str) -> None:
    """C43: A shared limit that was lowered meanwhile stops the next call, not this one."""
    ledger = Ledger()
    held = hold(side, "h", 8)
    ledger.reserve(held, [cap(side, 10)])
    ledger.ensure(cap(side, 1))
    settle(ledger, side, "h", 8)
    exact, above = _both(side, 8), _both(side, 9)

    assert ledger.over(held, exact[1], exact[0]) is None
    assert ledger.over(held, above[1], above[0]) is ledger.rows[ROW]


def test_thresholds_are_crossed_once_and_by_either_side(side: str) -> None:
    """C43: Half and three quarters are passed by one settlement."""
    ledger, budget = Ledger(), [cap(side, 100)]
    ledger.reserve(hold(side, "h", 80), budget)

    assert [percent for _row, percent in settle(ledger, side, "h", 80)] == [50, 75]
    assert settle(ledger, side, "h", 80) == []
    assert stand(ledger, side) == (80, 0, 0)


def test_what_is_said_to_be_missing_is_missing(side: str) -> None:
    """C45: A person who adds the shortfall has added enough, and not more."""
    ledger, budget = Ledger(), [cap(side, 10)]
    ledger.reserve(hold(side, "h", 8), budget)
    wanted = hold(side, "i", 5, run="r2")
    refusal = ledger.reserve(wanted, budget)
    assert refusal is not None
    usd, tokens = shortfall(refusal)

    assert (usd, tokens) == _both(side, 3)
    ledger.raise_limit(ROW, usd, tokens)
    assert ledger.reserve(wanted, budget) is None


def test_an_undone_event_moves_everything_back(side: str) -> None:
    """I6: Settled and taken back, the budget stands as it stood."""
    ledger, budget = Ledger(), [cap(side, 10)]
    ledger.reserve(hold(side, "h", 8), budget)
    settle(ledger, side, "h", 3)
    usd, tokens = _both(side, 3)
    data = {"hold": "h", "tokens": tokens, "cost_usd": str(usd)}
    ledger.undo("r1", Event(1, "StepCompleted", 0, "a#1", data))

    assert stand(ledger, side) == (0, 8, 0)
    assert not ledger.freeing


def test_a_durable_ledger_replays_to_the_same_stand(side: str) -> None:
    """I6: What the log says about money is what was held and spent."""
    live, budget = Ledger(), [cap(side, 10)]
    live.reserve(hold(side, "h", 8), budget)
    usd, tokens = _both(side, 8)
    intended = {"id": "h", "tokens": tokens, "usd": str(usd), "budgets": [ROW]}
    durable = Ledger()
    durable.replay("r1", Event(1, "StepIntended", 0, "a#1", {"hold": intended}), live)
    assert stand(durable, side) == (0, 8, 0)
    usd, tokens = _both(side, 3)
    done = {"hold": "h", "tokens": tokens, "cost_usd": str(usd)}
    durable.replay("r1", Event(2, "StepCompleted", 0, "a#1", done), live)

    assert stand(durable, side) == (3, 0, 0)


def test_a_followed_limit_keeps_what_people_added(side: str) -> None:
    """C43: Lowering the limit of a month does not take back what was added for it."""
    ledger = Ledger()
    ledger.ensure(cap(side, 10))
    usd, tokens = _both(side, 5)
    ledger.raise_limit(ROW, usd, tokens)
    ledger.ensure(cap(side, 2))

    assert ledger.reserve(hold(side, "h", 7), [cap(side, 2)]) is None
    assert ledger.reserve(hold(side, "i", 1), [cap(side, 2)]) is not None
