"""Budgets around a call: of its run, of the runs and nodes above it, and of all their graphs."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from engine.core.budgets.shared import Payers, SharedBudget, SharedBudgets
from engine.core.graph.document import GraphSpec
from engine.core.state.requests import StartRun
from engine.runtime.stores.buffered import Batch
from tests.engine.lab import Lab, document, in_virtual_time
from tests.engine.runtime.approvals.test_money_and_approvals import spenders
from tests.engine.runtime.budgets.test_shared_budgets import HandOver, limited, row_of
from tests.engine.runtime.test_primitives import virtually
from tests.simulation.invariants import Checker

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

BIG = {"max_cost_usd": "1", "max_tokens": 100_000}
WHOLE = {"budget_usd": "1", "max_token_budget": 100_000}
MAKER = {"id": "spend", "type": "t_spend", "config": {"calls": 1}, "budget": BIG}
CHAIN = ("root", "mid", "leaf")


def below(graph_id: str, how: str = "subgraph") -> dict[str, Any]:
    """Return a node that goes on in another graph."""
    if how == "transition":
        return {"id": "over", "type": "t_hand_over"}
    return {"id": "sub", "type": "subgraph", "config": {"subgraph_id": graph_id}, "budget": BIG}


def graph(name: str, node: dict[str, Any], limits: dict[str, Any] | None = None) -> GraphSpec:
    edges = (f"__start__ > {node['id']}", f"{node['id']} > __end__")
    return document([node], *edges, id=name, limits=WHOLE if limits is None else limits)


def three(*, limit: tuple[str, dict[str, Any]] | None = None) -> list[GraphSpec]:
    """Return root → mid → leaf, of which only the leaf spends; `limit` is one graph's own."""
    nodes = {"root": below("mid"), "mid": below("leaf"), "leaf": MAKER}
    own = {} if limit is None else dict([limit])
    return [graph(name, nodes[name], own.get(name)) for name in CHAIN]


def of_graph(name: str) -> SharedBudget:
    return SharedBudget(name[0], None, name, "total", None, Decimal(1))


def test_a_grandchild_is_charged_to_every_graph_around_it() -> None:
    """C84: What the leaf spends counts for leaf, mid and root."""
    in_virtual_time(_charged_to_all)


async def _charged_to_all() -> None:
    budgets = [of_graph(name) for name in CHAIN]
    lab = limited(Lab(*three(), types=spenders()), *budgets)
    state = await lab.start()
    await lab.runner.quiet()

    [(run, taken)] = lab.world.charges.items()
    assert state.status == "completed"
    assert run != "r"
    assert {b.graph_id: row_of(lab, b).spent_usd for b in budgets} == dict.fromkeys(CHAIN, taken)


@pytest.mark.parametrize("first", ["subgraph", "transition"])
def test_what_is_handed_over_twice_is_charged_to_the_first_graph(first: str) -> None:
    """K30: root → mid → leaf, by a subgraph or a hand-over and then another hand-over."""
    in_virtual_time(partial(_handed_over, first))


async def _handed_over(first: str) -> None:
    types = spenders()
    for target in ("mid", "leaf"):
        types.register(_over_to(target))
    over = {"id": "over", "type": "t_over_to_leaf"}
    begin = below("mid") if first == "subgraph" else {"id": "over", "type": "t_over_to_mid"}
    specs = [graph("root", begin), graph("mid", over), graph("leaf", MAKER)]
    budgets = [of_graph(name) for name in CHAIN]
    lab = limited(Lab(*specs, types=types), *budgets)
    await lab.start()
    await lab.runner.quiet()
    await asyncio.sleep(1)

    [taken] = lab.world.charges.values()
    assert {b.graph_id: row_of(lab, b).spent_usd for b in budgets} == dict.fromkeys(CHAIN, taken)


def _over_to(target: str) -> type[HandOver]:
    async def run(self: Any, ctx: Any, config: Any) -> Any:
        from engine.core.node_types.node_type import NodeResult

        return NodeResult(transition_to=target)

    fields = {"type": f"t_over_to_{target}", "run": run, "__doc__": "Go on elsewhere."}
    return type(f"OverTo{target.title()}", (HandOver,), fields)


@pytest.mark.parametrize("name", CHAIN)
@pytest.mark.parametrize(
    "limits", [{"budget_usd": "0.0001"}, {"max_token_budget": 5}], ids=["usd", "tokens"]
)
def test_a_grandchild_stops_at_the_limit_of_any_run_around_it(
    name: str, limits: dict[str, Any]
) -> None:
    """C84: A limit of root or mid bounds what the leaf may spend, in USD as in tokens."""

    @virtually
    async def play() -> None:
        lab = Lab(*three(limit=(name, limits)), types=spenders())
        state = await lab.start()

        assert state.status == "failed"
        assert "RunBudgetExceeded" in str(state.error)
        assert lab.world.charges == {}

    play()


@virtually
async def test_a_grandchild_stops_at_the_cap_of_a_node_two_runs_above() -> None:
    """C40, C84: The cap of the outermost subgraph node bounds everything below it."""
    specs = three()
    capped = {**below("mid"), "budget": {"max_tokens": 5}}
    lab = Lab(graph("root", capped), *specs[1:], types=spenders())
    state = await lab.start()

    assert "NodeBudgetExceeded" in str(state.error)
    assert lab.world.charges == {}


@virtually
async def test_the_simulations_books_charge_a_grandchild_everywhere_too() -> None:
    """The judge of the simulation is judged: six accounts for one call of the leaf, all covered."""
    lab = Lab(*three(), types=spenders())
    problems: list[str] = []
    lab.world.violate = problems.append
    checker = Checker(lab.world)
    persist = lab.store._persist

    async def watched(batch: Batch) -> None:
        checker.commit(batch, lab.store.ledger)
        await persist(batch)

    lab.store._persist = watched  # type: ignore[method-assign]
    await lab.start()
    accounts = checker.books.accounts

    assert problems == []
    assert sorted(name.split(":")[0] for name in accounts) == ["node"] * 3 + ["run"] * 3
    assert {account.usd for account in accounts.values()} == set(lab.world.charges.values())
    assert {account.tokens for account in accounts.values()} == set(lab.world.tokens.values())


class Unpriced:
    """Gives a model whose price nobody knows."""

    def __init__(self, models: Any) -> None:
        self._models = models

    async def resolve(self, *names: Any, **about: Any) -> Any:
        model = await self._models.resolve(*names, **about)
        model.price = lambda: None
        return model


@pytest.mark.parametrize(
    ("policy", "spent", "status"),
    [("flat", "1.00", "completed"), ("allow", "0", "completed"), ("refuse", "0", "failed")],
)
def test_a_model_without_price_costs_what_the_workspace_chose(
    policy: str, spent: str, status: str
) -> None:
    """C45: Held and settled alike: `flat` is a flat sum a call, `allow` nothing, `refuse` no call."""

    @virtually
    async def play() -> None:
        spec = graph("main", {**MAKER, "config": {"calls": 2}}, {"budget_usd": "2"})
        lab = Lab(spec, types=spenders())
        lab.runner.models = Unpriced(lab.runner.models)
        held: list[Decimal] = []
        lab.world.on_charge = lambda *_: held.append(lab.store.ledger.rows["run:r"].held_usd)
        start = StartRun(run_id="r", graph_id="main", unknown_price=policy)
        await lab.runner.start(start, lab.graphs.program_of(spec))
        state = await lab.runner.settled("r")

        row = lab.store.ledger.rows.get("run:r")
        assert state.status == status
        assert state.spent_usd == Decimal(spent)
        assert row is None or (row.spent_usd, row.held_usd) == (Decimal(spent), Decimal(0))
        assert max(held, default=Decimal(0)) == Decimal(spent)
        done = lab.events("StepCompleted")
        assert [Decimal(event.data["cost_usd"]) for event in done] == [Decimal(spent) / 2] * len(
            done
        )

    play()


@virtually
async def test_what_the_workspace_chose_for_an_unknown_price_holds_for_grandchildren() -> None:
    """C45: The leaf of a run that may buy at a flat sum buys at that sum."""
    specs = three()
    lab = Lab(*specs, types=spenders())
    lab.runner.models = Unpriced(lab.runner.models)
    start = StartRun(run_id="r", graph_id="root", unknown_price="flat")
    await lab.runner.start(start, lab.graphs.program_of(specs[0]))
    state = await lab.runner.settled("r")

    assert state.status == "completed"
    assert lab.store.ledger.rows["run:r"].spent_usd == Decimal("0.5")


def test_budgets_of_other_workspaces_do_not_count() -> None:
    """C43: A shared budget is its own workspace's, whatever the graph is called."""
    mine = SharedBudget("m", "w1", "main", "total", None, Decimal(1))
    theirs = SharedBudget("t", "w2", "main", "total", None, Decimal(1))
    whole = SharedBudget("w", "w2", None, "total", None, Decimal(1))

    refs = SharedBudgets([mine, theirs, whole]).refs("w1", Payers(("main",)), 0)
    assert [ref.id for ref in refs] == ["graph:m:total"]
