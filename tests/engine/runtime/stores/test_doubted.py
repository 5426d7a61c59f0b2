"""Commits that may be durable or not: nobody spends the room that they may have taken."""

from __future__ import annotations

from decimal import Decimal

import pytest

from engine.core.budgets.ledger import BudgetRef, Hold, Ledger
from engine.core.state.events import Event
from engine.runtime.stores.doubted import DoubtedCommits

SHARED = BudgetRef("workspace:w:total", "workspace", 100, None)
SEQ = 7


def hold(run_id: str) -> Hold:
    return Hold(f"{run_id}:a#1:1:0#1", run_id, "a#1", (SHARED.id,), 60, Decimal(0))


def intent(run_id: str) -> Event:
    held = hold(run_id)
    data = {"id": held.id, "tokens": 60, "usd": "0", "budgets": held.budgets}
    return Event(SEQ, "StepIntended", 0, held.key, {"hold": data})


@pytest.fixture
def ledger() -> Ledger:
    ledger = Ledger()
    assert ledger.reserve(hold("r1"), [SHARED]) is None
    return ledger


def held(ledger: Ledger) -> int:
    return ledger.rows[SHARED.id].held_tokens


def test_what_a_doubted_commit_held_stays_held(ledger: Ledger) -> None:
    """I6: it may be in the log; another run that had its room would have spent it a second time."""
    doubted = DoubtedCommits(ledger)

    doubted.add("r1", [intent("r1")])

    assert "r1" in doubted
    assert ledger.reserve(hold("r2"), [SHARED]) is not None


@pytest.mark.parametrize(("reaches", "is_held"), [(SEQ, 60), (SEQ - 1, 0)])
def test_the_log_tells_what_became_of_it(ledger: Ledger, reaches: int, is_held: int) -> None:
    doubted = DoubtedCommits(ledger)
    doubted.add("r1", [intent("r1")])

    doubted.resolve("r1", reaches)

    assert held(ledger) == is_held
    assert "r1" not in doubted
    assert (ledger.reserve(hold("r2"), [SHARED]) is None) == (is_held == 0)


def test_where_rows_are_read_they_tell_it(ledger: Ledger) -> None:
    doubted = DoubtedCommits(ledger)
    doubted.add("r1", [intent("r1")])

    doubted.drop("r1")

    assert (held(ledger), ledger.holds, "r1" in doubted) == (0, {}, False)
    doubted.resolve("r1", SEQ)
    assert held(ledger) == 0, "it is doubted no more"
