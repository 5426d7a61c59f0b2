"""Budgets of graph and workspace, judged by what the provider took."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from engine.core.budgets.ledger import BudgetRow
from engine.core.budgets.shared import Payers, SharedBudget, SharedBudgets
from engine.sdk import Actor, NodeResult, NodeType, RequestRefused, StoreError
from tests.engine.lab import ANN, Lab, document, in_virtual_time, single
from tests.engine.runtime.approvals.test_money_and_approvals import spenders
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

OLGA = Actor("olga", "Olga", roles=frozenset({"admin"}))
DAY_MS = 24 * 3_600_000
WORKSPACE = SharedBudget("w", None, None, "day", limit_usd=Decimal("0.02"))
GRAPH = SharedBudget("g", None, "main", "month", limit_usd=Decimal("0.02"))
ASKS = {"on_breach": "ask"}
POLICY = {"budget": ASKS}


def limited(lab: Lab, *budgets: SharedBudget) -> Lab:
    """Let budgets hold in the laboratory, now and after a crash."""
    lab.medium.ledger.shared = SharedBudgets(budgets)
    lab.store.ledger.follow(lab.medium.ledger.shared, lab.clock.now())
    return lab


def row_of(lab: Lab, budget: SharedBudget) -> BudgetRow:
    period = SharedBudgets([budget]).period(None, budget.period, lab.clock.now())
    return lab.store.ledger.rows[budget.row_id(period)]


def charged(lab: Lab) -> Decimal:
    """Return what the provider took in all runs."""
    return sum(lab.world.charges.values(), Decimal(0))


class Judge:
    """Compares what the provider took with every shared row, whenever it takes something."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.looks = 0
        self.before = dict.fromkeys(lab.store.ledger.rows, Decimal(0))
        lab.world.on_charge = self.look

    def look(self, *_call: Any) -> None:
        self.looks += 1
        for row in self.lab.store.ledger.rows.values():
            if row.level == "workspace":
                assert row.limit_usd is not None
                assert charged(self.lab) <= row.spent_usd + row.held_usd <= row.limit_usd


@virtually
async def test_fifty_calls_of_ten_runs_stay_within_one_workspace() -> None:
    """C43, I6: Charges ≤ spent + held ≤ limit, whenever the provider takes money."""
    lab = limited(Lab(single("t_spend", config={"calls": 5}), types=spenders()), WORKSPACE)
    judge = Judge(lab)
    states = await asyncio.gather(*(lab.start(f"r{n}") for n in range(10)))

    row = row_of(lab, WORKSPACE)
    codes = {state.error["code"] for state in states if state.error}
    assert codes == {"WorkspaceBudgetExceeded"}
    assert 5 < judge.looks < 50
    assert 0 < charged(lab) <= Decimal("0.02")
    assert row.spent_usd == charged(lab)
    assert row.held_usd == row.freeing_usd == 0


@virtually
async def test_a_refusal_says_which_budget_and_where_it_stands() -> None:
    """C43: The error names level, limit, spent, held and asked."""
    lab = limited(
        Lab(single("t_spend", config={"calls": 1}), types=spenders()),
        replace(GRAPH, limit_usd=Decimal("0.0001"), limit_tokens=5),
    )
    state = await lab.start()

    error: Any = state.error
    assert (error["code"], error["detail"]["level"]) == ("GraphBudgetExceeded", "graph")
    assert error["detail"]["budget"] == "graph:g:2027-01"
    assert (error["detail"]["limit_usd"], error["detail"]["limit_tokens"]) == ("0.0001", 5)
    assert Decimal(error["detail"]["asked_usd"]) > Decimal("0.0001")
    assert (error["detail"]["spent_usd"], error["detail"]["held_tokens"]) == ("0", 0)
    assert lab.world.charges == {}


@virtually
async def test_another_graph_is_not_concerned() -> None:
    """C43: The budget of a graph is that graph's alone."""
    other = replace(GRAPH, graph_id="other", limit_usd=Decimal(0))
    lab = limited(Lab(single("t_spend", config={"calls": 1}), types=spenders()), other)

    assert (await lab.start()).status == "completed"


HOOK = SharedBudget("h", None, "main", "day", limit_usd=Decimal(0), trigger_id="hook")


@virtually
async def test_what_a_trigger_may_spend_is_of_what_it_starts_alone() -> None:
    """C43: Runs that people or other triggers start do not count, nor stop at it."""
    lab = limited(Lab(single("t_spend", config={"calls": 1}), types=spenders()), HOOK)
    by_it = await lab.start("r1", trigger="hook")
    by_another = await lab.start("r2", trigger="timer")
    by_ann = await lab.start("r3")

    assert (by_it.error or {})["code"] == "TriggerBudgetExceeded"
    assert (by_it.error or {})["detail"]["budget"] == "trigger:h:2027-01-15"
    assert (by_another.status, by_ann.status) == ("completed", "completed")
    assert lab.world.charges.keys() == {"r2", "r3"}


@virtually
async def test_a_killed_call_counts_for_the_workspace() -> None:
    """I6: What a kill leaves unknown counts in full, and is not given to other runs."""
    lab = limited(Lab(single("t_spend", config={"calls": 1}), types=spenders()), WORKSPACE)
    lab.stop_at = "model:charged"
    await lab.begin("r")
    await lab.stopped.wait()
    taken, held = charged(lab), row_of(lab, WORKSPACE).held_usd
    await lab.crash()
    await lab.runner.settled("r")

    row = row_of(lab, WORKSPACE)
    assert taken > 0
    assert row.held_usd == 0
    assert row.spent_usd >= held + (charged(lab) - taken)
    assert charged(lab) <= row.spent_usd <= Decimal("0.02")


@virtually
async def test_a_hold_stays_in_the_period_in_which_it_was_made() -> None:
    lab = limited(Lab(single("t_spend", config={"calls": 1}), types=spenders()), WORKSPACE)
    held: list[BudgetRow] = []

    def midnight(*_call: Any) -> None:
        held.append(row_of(lab, WORKSPACE))
        lab.clock.jumped_ms += DAY_MS

    lab.world.on_charge = midnight
    await lab.start("r1")
    lab.world.on_charge = lambda *_call: None
    await lab.start("r2")

    [before], today = held, row_of(lab, WORKSPACE)
    assert (before.id, before.spent_usd) == ("workspace:w:2027-01-15", lab.world.charges["r1"])
    assert (today.id, today.spent_usd) == ("workspace:w:2027-01-16", lab.world.charges["r2"])


@virtually
async def test_a_lowered_limit_stops_new_holds_and_no_call_under_way() -> None:
    """C43: A limit lowered below what is spent stops the next call, not the last one."""
    lab = limited(Lab(single("t_reason")), WORKSPACE)

    def lower(*_call: Any) -> None:
        limited(lab, replace(WORKSPACE, limit_usd=Decimal("0.0000001")))

    lab.world.on_charge = lower
    state = await lab.start()
    assert state.status == "waiting"
    state = await lab.answer()

    error: Any = state.error
    assert error["code"] == "WorkspaceBudgetExceeded"
    assert len(lab.events("StepCompleted")) == 1
    assert row_of(lab, WORKSPACE).spent_usd == charged(lab)


@virtually
async def test_a_raised_limit_lets_what_asks_go_on() -> None:
    """C45: Raising the limit answers every run that asks, without anybody clicking."""
    small = replace(WORKSPACE, limit_usd=Decimal("0.0001"))
    lab = limited(Lab(single("t_spend", config={"calls": 1}, **POLICY), types=spenders()), small)
    states = [await lab.start(f"r{n}") for n in range(2)]
    assert [s.status for s in states] == ["waiting", "waiting"]

    limited(lab, replace(WORKSPACE, limit_usd=Decimal("0.00011")))
    assert await lab.runner.rechecks.look() == 2
    shown = [i for n in range(2) for i in (await lab.runner.settled(f"r{n}")).interrupts.values()]
    assert {i.request["limit_usd"] for i in shown} == {"0.00011"}

    limited(lab, WORKSPACE)
    await lab.crash()
    await lab.runner.rechecks.look()
    done = [await lab.runner.settled(f"r{n}") for n in range(2)]
    assert [s.status for s in done] == ["completed", "completed"]
    assert len(lab.world.charges) == 2


@virtually
async def test_only_who_may_edit_budgets_raises_a_shared_one() -> None:
    """C45: A reviewer may stop the run, not spend what others share."""
    small = replace(WORKSPACE, limit_usd=Decimal("0.0001"))
    lab = limited(Lab(single("t_spend", config={"calls": 1}, **POLICY), types=spenders()), small)
    await lab.start("r1")
    await lab.start("r2")
    with pytest.raises(RequestRefused, match="edit budgets"):
        await lab.answer("r1", ANN, decision="raise")
    state = await lab.answer("r1", OLGA, decision="raise", max_cost_usd=Decimal("0.01"))

    assert state.status == "completed"
    row = row_of(lab, WORKSPACE)
    assert (row.limit_usd, row.raised_usd) == (Decimal("0.01"), Decimal("0.0099"))
    await lab.runner.quiet()
    assert (await lab.runner.settled("r2")).status == "completed"
    tomorrow = lab.clock.now() + DAY_MS
    [ref] = lab.medium.ledger.shared.refs(None, Payers(), tomorrow)  # type: ignore[union-attr]
    assert ref.limit_usd == Decimal("0.0001")


@virtually
async def test_a_question_about_a_limit_that_has_changed_is_put_again() -> None:
    """C45: Two people do not raise the same limit twice."""
    small = replace(WORKSPACE, limit_usd=Decimal("0.0001"))
    lab = limited(Lab(single("t_spend", config={"calls": 1}, **POLICY), types=spenders()), small)
    await lab.start("r")
    limited(lab, replace(WORKSPACE, limit_usd=Decimal("0.0002")))
    with pytest.raises(RequestRefused) as refused:
        await lab.answer("r", OLGA, decision="raise", max_cost_usd=Decimal("0.01"))

    assert refused.value.code == "ContentChanged"
    assert row_of(lab, WORKSPACE).raised_usd == 0
    await lab.runner.rechecks.look()
    await lab.runner.settled("r")
    state = await lab.answer("r", ANN, decision="stop")
    assert state.error["code"] == "WorkspaceBudgetExceeded"  # type: ignore[index]


@virtually
async def test_a_question_ends_with_its_period() -> None:
    """C45: What did not fit today is bought tomorrow, though nobody answered."""
    lab = limited(
        Lab(single("t_spend", config={"calls": 2}, **POLICY), types=spenders()),
        replace(WORKSPACE, limit_usd=Decimal("0.0015")),
    )
    state = await lab.start()
    [opened] = state.interrupts.values()
    assert opened.expires_at == row_of(lab, WORKSPACE).ends_at
    assert len(lab.events("StepCompleted")) == 1

    await asyncio.sleep(DAY_MS / 1000)
    state = await lab.runner.settled("r")
    assert (state.status, state.outputs["it"]) == ("completed", 2)
    assert len(lab.events("StepIntended")) == 2


@virtually
async def test_thresholds_fire_once_in_a_period_whoever_passes_them() -> None:
    """C43: Each of 50, 75, 90 and 100 % is said once, also after a restart and after a raise."""
    types = spenders()
    lab = limited(Lab(single("t_spend", config={"calls": 1}), types=types), WORKSPACE)
    for n in range(40):
        if n % 7 == 3:
            await lab.crash()
        if (await lab.start(f"r{n}")).status == "failed":
            break
    limited(lab, replace(WORKSPACE, limit_usd=Decimal("0.04")))
    for n in range(40, 60):
        await lab.start(f"r{n}")
    said = [
        (event.data["budget"], event.data["threshold"])
        for log in lab.medium.logs.values()
        for event in log
        if event.type == "BudgetThresholdReached"
    ]

    assert said == sorted(set(said))
    assert {budget for budget, _ in said} == {"workspace:w:2027-01-15"}
    assert [threshold for _, threshold in said][:3] == [50, 75, 90]


class HandOver(NodeType):
    """Go on in another graph."""

    type = "t_hand_over"
    label = "Hand over"

    async def run(self, ctx: Any, config: Any) -> Any:
        return NodeResult(transition_to="child")


ABOVE = [
    {"id": "sub", "type": "subgraph", "config": {"subgraph_id": "child"}},
    {"id": "over", "type": "t_hand_over"},
]


@pytest.mark.parametrize("above", ABOVE, ids=["subgraph", "transition"])
def test_what_runs_below_a_graph_counts_for_it_too(above: dict[str, Any]) -> None:
    """C84, K30: A run spends from its graph's budget, those that led to it, and its trigger's."""
    in_virtual_time(partial(_counts_above, above))


async def _counts_above(above: dict[str, Any]) -> None:
    child = document(
        [{"id": "c", "type": "t_spend", "config": {"calls": 1}}],
        "__start__ > c",
        "c > __end__",
        id="child",
    )
    mother = document([above], f"__start__ > {above['id']}", f"{above['id']} > __end__")
    big = Decimal(1)
    budgets = [
        replace(GRAPH, limit_usd=big),
        SharedBudget("c", None, "child", "total", None, big),
        replace(HOOK, limit_usd=big),
    ]
    types = spenders()
    types.register(HandOver)
    lab = limited(Lab(mother, child, types=types), *budgets)
    state = await lab.start(trigger="hook")
    await lab.runner.quiet()
    await asyncio.sleep(1)

    [run] = lab.world.charges
    assert (state.status, run) == ("completed", next(r for r in lab.medium.logs if r != "r"))
    for budget in budgets:
        assert row_of(lab, budget).spent_usd == lab.world.charges[run] > 0


class Broken(StoreError):
    """The commit that the test refuses."""


@virtually
async def test_room_that_a_settlement_frees_is_given_away_once_it_is_durable() -> None:
    """I6: A settlement whose commit fails frees nothing: what others hold still fits the limit."""
    lab = limited(Lab(single("t_spend", config={"calls": 1}), types=spenders()), WORKSPACE)
    ledger, persist = lab.store.ledger, lab.store._persist
    outside = asyncio.Event()
    let = asyncio.Event()

    async def watched(batch: Any) -> None:
        if batch.run_id == "r1" and any(e.type == "StepCompleted" for e in batch.events):
            if not let.is_set():
                outside.set()
                await let.wait()
                raise Broken("the disk is full")
        await persist(batch)

    lab.store._persist = watched  # type: ignore[method-assign]
    await lab.begin("r1")
    await outside.wait()
    row = row_of(lab, WORKSPACE)
    worst = row.freeing_usd + row.spent_usd
    limited(lab, replace(WORKSPACE, limit_usd=worst + Decimal("0.0001")))
    asked = asyncio.ensure_future(lab.start("r2"))
    await asyncio.sleep(1)

    assert row.freeing_usd > 0
    assert not lab.events("StepIntended", run_id="r2")
    let.set()
    state = await asked
    assert state.error["code"] == "WorkspaceBudgetExceeded"  # type: ignore[index]
    with suppress(Broken):
        await lab.runner.settled("r1")
    await lab.runner.settled("r1")
    assert not ledger.freeing
    assert charged(lab) <= row.spent_usd + row.held_usd
    assert row.spent_usd + row.held_usd <= row.limit_usd  # type: ignore[operator]


@virtually
async def test_a_run_uses_the_room_that_it_freed_itself_at_once() -> None:
    lab = limited(Lab(single("t_reason")), replace(WORKSPACE, limit_usd=Decimal("0.0024")))
    await lab.start()

    assert (await lab.answer()).status == "completed"
