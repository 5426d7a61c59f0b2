"""Seeded schedules in which several runs share one budget, while everything around them fails."""

from __future__ import annotations

import os
from decimal import Decimal

import pytest

from engine.core.budgets.ledger import Ledger
from tests.simulation.graphs import GRAPHS
from tests.simulation.harness import Simulation
from tests.simulation.invariants import Violation

SCHEDULES = int(os.environ.get("SIM_SHARED_SCHEDULES", "40"))
RUNS = 4
LIMIT = Decimal("0.02")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


class Sharing(Simulation):
    """One schedule of four runs. A question may be put again while somebody answers it."""

    def __init__(self, seed: int, limit: Decimal = LIMIT) -> None:
        super().__init__(seed, limit=limit)
        self.runs = [f"r{n}" for n in range(RUNS)]
        self.plans = {run: self.rng.choice(GRAPHS) for run in self.runs}
        self.caps = dict.fromkeys(self.runs)

    def judge(self) -> None:
        """What all runs were charged is what the shared row says, or less, and within its limit."""
        assert self.medium is not None
        row = self.medium.ledger.rows.get("workspace:w:total")
        charged = sum(self.world.charges.values(), Decimal(0))
        if row is None:
            assert charged == 0
            return
        assert row.limit_usd is not None
        assert charged <= row.spent_usd <= row.limit_usd
        assert row.held_usd == 0


def test_no_schedule_breaks_a_shared_budget() -> None:
    """I6: After every commit spent + held ≤ limit, and charges ≤ spent + held, over all runs."""
    refused = 0
    for seed in range(SCHEDULES):
        simulation = Sharing(seed)
        simulation.run()
        simulation.judge()
        refused += sum(
            (shadow.state.error or {}).get("code") == "WorkspaceBudgetExceeded"
            for shadow in simulation.checker.shadows.values()
        )
    assert refused > SCHEDULES // 10


def test_the_judge_sees_room_that_is_given_away_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger that frees at once what a settlement gives back is caught."""
    monkeypatch.setattr(Ledger, "_free", lambda *_parts: None)

    def play_some() -> None:
        for seed in range(400):
            Sharing(seed).run()

    with pytest.raises(Violation, match="I6"):
        play_some()
