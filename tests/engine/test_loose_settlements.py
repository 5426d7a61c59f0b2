"""Money that one run has freed and not yet durably is not there for another run."""

from __future__ import annotations

from decimal import Decimal

from engine.ledger import BudgetRef, Hold, Ledger

SHARED = BudgetRef("run:outer", "run", None, Decimal(10))
ROOMY = BudgetRef("workspace:w", "workspace", None, Decimal(100))


def held(ledger: Ledger, run_id: str, usd: int) -> Hold:
    """Take a hold of a run on both budgets."""
    hold = Hold(f"{run_id}:a", run_id, "a#1", (SHARED.id, ROOMY.id), usd, Decimal(usd))
    assert ledger.reserve(hold, [SHARED, ROOMY]) is None
    return hold


def test_a_hold_that_needs_what_another_run_freed_waits_for_it_C43() -> None:
    """C43: A crash would hold the first call again, beside the second: above the limit."""
    ledger = Ledger()
    ledger.settle(held(ledger, "one", 8).id, 2, Decimal(2))

    assert ledger.counted_on("two", [SHARED, ROOMY], 2, Decimal(2)) == set()
    assert ledger.counted_on("two", [SHARED, ROOMY], 8, Decimal(8)) == {"one"}
    assert ledger.counted_on("one", [SHARED, ROOMY], 8, Decimal(8)) == set()


def test_nobody_waits_once_the_settlement_is_durable_C43() -> None:
    """C43: So it is after the commit, and after a commit that failed: then the money is held."""
    for settle_for_good in (True, False):
        ledger = Ledger()
        hold = held(ledger, "one", 8)
        ledger.settle(hold.id, 2, Decimal(2))
        if settle_for_good:
            ledger.drop_holds([hold.id])
        else:
            ledger.hold_again(hold.id)

        assert ledger.counted_on("two", [SHARED, ROOMY], 8, Decimal(8)) == set()
