"""A call that only others' holds leave no room for: it waits, and is refused for what is spent alone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.runtime.execution import waits
from tests.engine.lab import Lab, document, single
from tests.engine.runtime.approvals.test_money_and_approvals import spenders
from tests.engine.runtime.budgets.test_room_for_budgets import count, room_for
from tests.engine.runtime.budgets.test_shared_budgets import (
    WORKSPACE,
    Judge,
    charged,
    limited,
    row_of,
)
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
SPENDS = {"config": {"calls": 1}}


async def holding(room: str) -> Lab:
    """Return a laboratory with room for so many worst cases, where the run `r1` holds one."""
    lab = limited(Lab(single("t_spend", **SPENDS), types=spenders()), await room_for(room))
    lab.stop_at = "model:charged"
    await lab.begin("r1")
    await lab.stopped.wait()
    lab.stop_at = None
    return lab


async def after(lab: Lab, run_id: str, seconds: float) -> str:
    """Return the status of a run that was begun so long ago."""
    await asyncio.sleep(seconds)
    state: Any = await lab.runner.store.state(run_id)
    return str(state.status)


@virtually
async def test_a_burst_of_runs_is_made_one_after_the_other() -> None:
    """C43: Held money is not spent: who finds it held waits, whatever its policy, and nobody is asked."""
    lab = limited(Lab(single("t_spend", **SPENDS), types=spenders()), await room_for("1.9"))
    judge = Judge(lab)
    states = await asyncio.gather(*(lab.start(f"r{n}") for n in range(4)))

    assert [state.status for state in states] == ["completed"] * 4
    assert judge.looks == 4
    assert row_of(lab, WORKSPACE).spent_usd == charged(lab)


@virtually
async def test_branches_of_one_run_wait_for_one_another() -> None:
    """C43: The run's own budget is spent by one branch after the other, too."""
    nodes = [{"id": n, "type": "t_spend", **SPENDS, "budget": {"on_breach": "ask"}} for n in "abc"]
    limit = (await room_for("1.9")).limit_usd
    edges = [f"__start__ > {n}" for n in "abc"]
    lab = Lab(document(nodes, *edges, limits={"budget_usd": str(limit)}), types=spenders())

    assert (await lab.start()).status == "completed"
    assert count(lab, "InterruptOpened") == 0


@virtually
async def test_what_is_spent_makes_nobody_wait() -> None:
    """C43: A call that does not fit whatever others give back is refused at once."""
    lab = await holding("1.0")
    lab.store.ledger.rows[row_of(lab, WORKSPACE).id].spent_usd += (
        await room_for("0.1")
    ).limit_usd or 0
    began = lab.clock.now()
    state = await lab.start("r2")

    assert (state.error or {})["code"] == "WorkspaceBudgetExceeded"
    assert lab.clock.now() - began < 50


@virtually
async def test_a_call_under_way_for_ever_holds_nobody_up_for_ever() -> None:
    """C43: After the longest time a model may take the hold counts as what it says."""
    lab = await holding("1.5")
    await lab.begin("r2")

    assert await after(lab, "r2", waits.HELD_PATIENCE_MS / 1000 - 5) == "running"
    assert await after(lab, "r2", 10) == "failed"


@virtually
async def test_who_waits_for_money_can_be_cancelled_and_holds_none() -> None:
    """C43: A run that waits for the money of others goes when it is told to."""
    lab = await holding("1.5")
    held = row_of(lab, WORKSPACE).held_usd
    await lab.begin("r2")
    await asyncio.sleep(3)
    await lab.runner.cancel("r2", "ann")

    assert await after(lab, "r2", 1) == "cancelled"
    assert row_of(lab, WORKSPACE).held_usd == held


class Told:
    """Notes who is told to wait for money."""

    def __init__(self) -> None:
        self.waiting: dict[int, tuple[str | None, str, str, str]] = {}
        self.over_with: list[int | None] = []
        self.turns = 100
        self.held: set[int] = set()

    async def take(self, *_call: object) -> int:
        self.turns += 1
        self.held.add(self.turns)
        return self.turns

    async def wants_money(self, *call: Any) -> int:
        self.waiting[len(self.waiting)] = call
        return len(self.waiting) - 1

    def over(self, turn: int | None) -> None:
        assert turn is not None
        (self.held.remove if turn in self.held else self.over_with.append)(turn)

    async def pause(self, *_call: object) -> None:
        pytest.fail("no provider asked for that")


@virtually
async def test_who_waits_for_more_than_a_moment_is_told() -> None:
    """C43: Once, and that it is over, whatever ended it; others have its turn meanwhile."""
    lab = await holding("1.5")
    told = lab.runner.services.turns = Told()
    await lab.begin("r2")
    await asyncio.sleep(1)
    assert (not told.waiting, len(told.held)) == (True, 1)
    await asyncio.sleep(9)
    assert [call[1:] for call in told.waiting.values()] == [("r2", "it#1", "local/default")]
    assert not told.over_with
    assert not told.held
    await lab.runner.cancel("r2", "ann")
    await asyncio.sleep(1)

    assert (told.over_with, told.held) == ([0], set())


@virtually
async def test_after_a_crash_who_waited_waits_again() -> None:
    """C43, I6: A lost call is presumed to have cost all that it held; the wait is on no record."""
    lab = await holding("4.5")
    await lab.begin("r2")
    await lab.begin("r3")
    await lab.crash()
    await asyncio.sleep(5)

    ended = [(await lab.runner.settled(f"r{n}")).status for n in (1, 2, 3)]
    row = row_of(lab, WORKSPACE)
    assert "completed" in ended
    assert row.held_usd == 0
    assert charged(lab) <= row.spent_usd
    assert row.limit_usd is None or row.spent_usd <= row.limit_usd
