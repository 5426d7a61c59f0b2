"""Questions about budgets when room comes free: by what others settle, without anybody clicking."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from engine.core.budgets.shared import SharedBudget
from engine.runtime.execution import waits
from engine.sdk import NodeType
from tests.engine.lab import Lab, document, single
from tests.engine.runtime.approvals.test_money_and_approvals import spenders
from tests.engine.runtime.budgets.test_shared_budgets import (
    ASKS,
    POLICY,
    WORKSPACE,
    charged,
    limited,
    row_of,
)
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


async def worst_case() -> Decimal:
    """Return what one call of `Spender` holds."""
    lab = limited(Lab(single("t_spend", config={"calls": 1}), types=spenders()), WORKSPACE)
    held: list[Decimal] = []
    lab.world.on_charge = lambda *_: held.append(row_of(lab, WORKSPACE).held_usd)
    await lab.start()
    return held[0]


async def room_for(calls: str) -> SharedBudget:
    """Return a budget of so many worst cases."""
    return replace(WORKSPACE, limit_usd=await worst_case() * Decimal(calls))


def spending(budget: SharedBudget) -> Lab:
    return limited(Lab(single("t_spend", config={"calls": 1}, **POLICY), types=spenders()), budget)


@pytest.fixture
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let calls ask at once for what others hold, as they do after the longest wait."""
    monkeypatch.setattr(waits, "HELD_PATIENCE_MS", -1)


def count(lab: Lab, type_: str) -> int:
    return sum(e.type == type_ for log in lab.medium.logs.values() for e in log)


@pytest.mark.usefixtures("no_patience")
@virtually
async def test_what_others_settle_lets_runs_go_on() -> None:
    """C45: Questions close once their calls fit, as many as fit together; nobody is asked twice."""
    lab = spending(await room_for("1.9"))
    runs = [f"r{n}" for n in range(4)]
    states = await asyncio.gather(*(lab.start(run_id) for run_id in runs))
    assert sorted(s.status for s in states) == ["completed", "waiting", "waiting", "waiting"]
    await asyncio.sleep(5)
    row = row_of(lab, WORKSPACE)

    assert {(await lab.runner.settled(run_id)).status for run_id in runs} == {"completed"}
    assert count(lab, "InterruptOpened") == count(lab, "InterruptResolved") == 3
    assert row.spent_usd == charged(lab)
    assert row.limit_usd is not None
    assert row.spent_usd <= row.limit_usd


@pytest.mark.usefixtures("no_patience")
@virtually
async def test_branches_of_one_run_make_room_for_one_another() -> None:
    """C45: The same holds for the run's own budget, which its branches share."""
    nodes = [{"id": n, "type": "t_spend", "config": {"calls": 1}, "budget": ASKS} for n in "abc"]
    limit = (await room_for("1.9")).limit_usd
    edges = [f"__start__ > {n}" for n in "abc"]
    lab = Lab(document(nodes, *edges, limits={"budget_usd": str(limit)}), types=spenders())
    await lab.begin()
    await asyncio.sleep(5)

    assert (await lab.runner.settled("r")).status == "completed"
    assert count(lab, "InterruptOpened") == count(lab, "InterruptResolved") == 2


@virtually
async def test_who_asked_before_a_restart_is_found_again() -> None:
    """C45: The first room after a restart makes everybody look who asks in the store."""
    lab = spending(await room_for("1.6"))
    lab.stop_at = "model:charged"
    await lab.begin("r1")
    await lab.stopped.wait()
    assert (await lab.start("r2")).status == "waiting"
    await lab.crash()
    assert (await lab.runner.settled("r1")).status == "waiting"
    limited(lab, await room_for("2.9"))
    await lab.start("r3")
    await asyncio.sleep(5)

    assert {(await lab.runner.settled(f"r{n}")).status for n in (1, 2, 3)} == {"completed"}


class Twice(NodeType):
    """Buy two answers; the first prompt tells what the node has read."""

    type = "t_twice"
    label = "Twice"

    async def run(self, ctx: Any, config: Any) -> Any:
        await ctx.reason("ann", f"first {ctx.view.memory.get('x')}", tools=[])
        await ctx.reason("ann", "second, and a good deal longer than the first " * 9, tools=[])
        return {}


class Writer(NodeType):
    """Write `x`."""

    type = "t_write_x"
    label = "Write"

    async def run(self, ctx: Any, config: Any) -> Any:
        return {"data": {"x": "new"}}


@virtually
async def test_a_question_about_money_changes_nothing_that_was_read() -> None:
    """C45, C34: The node goes on with the state it began with, and buys nothing again."""
    types = spenders()
    types.register(Twice)
    types.register(Writer)
    nodes: list[dict[str, Any]] = [
        {"id": "it", "type": "t_twice", "read_keys": ["x"], "budget": ASKS},
        {"id": "pause", "type": "delay", "config": {"duration_ms": 500}},
        {"id": "w", "type": "t_write_x", "write_keys": ["x"]},
    ]
    spec = document(
        nodes, "__start__ > it", "__start__ > pause", "pause > w", initial_memory={"x": "old"}
    )
    lab = limited(Lab(spec, types=types), await room_for("1.5"))
    await lab.start()
    await asyncio.sleep(1)
    assert (await lab.runner.settled("r")).memory["x"] == "new"
    limited(lab, replace(WORKSPACE, limit_usd=Decimal(1)))
    assert await lab.runner.rechecks.look() == 1
    state = await lab.runner.settled("r")

    assert (state.status, state.error) == ("completed", None)
    assert len(lab.events("StepIntended")) == 2
