"""Undoing across crashes: an undo is sent once, or a person is asked (rows C50 to C52)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from engine.core.decide.undo import MAX_TRIES
from engine.core.values.json import FrozenDict
from engine.sdk import Answer, NodeConfig, NodeType, Undo
from tests.engine.lab import ANN, Lab, document
from tests.engine.node_types import node_types
from tests.engine.runtime.test_primitives import virtually
from tests.simulation.invariants import difference

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


class Booker(NodeType):
    """Book something that can be undone by any tool."""

    type = "t_book"
    label = "Book"

    class Config(NodeConfig):
        tool: str = "charge"

    async def run(self, ctx: Any, config: Any) -> Any:
        return {"output": ctx.node.id}

    def undo_of(self, config: Any, scope: Any) -> Undo:
        """Return a call of the configured tool."""
        return Undo(
            config.tool, FrozenDict({"tool": config.tool, "order": f"undo {scope['goal']}"})
        )

    async def undo(self, ctx: Any, request: FrozenDict) -> Any:
        """Make the call."""
        return await ctx.call_tool(request["tool"], {"order": request["order"]})


class Breaker(NodeType):
    """Ask a person, then fail for good."""

    type = "t_break"
    label = "Break"

    async def run(self, ctx: Any, config: Any) -> Any:
        await ctx.interrupt({"kind": "text", "question": "Go?"})
        raise ValueError("broken")


def booking(*tools: str) -> Lab:
    """Return a run that books once for each tool, asks, and fails."""
    nodes: list[dict[str, Any]] = [
        {"id": f"b{i}", "type": "t_book", "requires_compensation": True, "config": {"tool": name}}
        for i, name in enumerate(tools)
    ]
    nodes.append({"id": "end", "type": "t_break", "failure_policy": {"max_retries": 0}})
    ids = ["__start__", *(node["id"] for node in nodes)]
    types = node_types()
    types.register(Booker)
    types.register(Breaker)
    edges = [f"{one} > {two}" for one, two in pairwise(ids)]
    return Lab(document(nodes, *edges, goal="g"), types=types)


async def say_yes(lab: Lab) -> None:
    """Answer what the run asks, without waiting for what follows."""
    request = lab.open_request()
    await lab.runner.answer(request, Answer(lab.runner.token(request), values="yes"), ANN)


async def agrees(lab: Lab) -> None:
    """The warm state is the fold of the log (I11)."""
    warm = lab.store.peek("r")
    if warm is not None:
        await lab.store.flush("r")
        assert difference(warm, await lab.store.state("r")) == ""


@virtually
async def test_undos_survive_a_pause_and_a_crash_before_the_end() -> None:
    """C51."""
    lab = booking("charge", "look")
    await lab.start()
    await lab.crash()
    state = await lab.answer()

    undone = lab.events("CompensationRun")
    assert [(e.data["tool"], e.data["ok"]) for e in undone] == [("look", True), ("charge", True)]
    assert (state.status, lab.world.executed) == ("failed", {"undo g": 1})
    assert lab.broken == []


@virtually
async def test_a_keyed_undo_in_flight_is_sent_again_under_its_key() -> None:
    """C51."""
    lab = booking("look", "charge")
    await lab.start()
    lab.stop_at = "tool:charge:done"
    await say_yes(lab)
    await lab.stopped.wait()
    await agrees(lab)
    await lab.crash()
    state = await lab.runner.settled("r")

    assert (state.status, lab.world.executed) == ("failed", {"undo g": 1})
    assert [e.data["tool"] for e in lab.events("CompensationRun")] == ["charge", "look"]
    epochs = [e.data["epoch"] for e in lab.events("CompensationStarted", "b1[undo1]#1")]
    assert epochs == [1, 2]


@virtually
async def test_an_unsafe_undo_in_flight_is_never_sent_again_by_itself() -> None:
    """C51."""
    lab = booking("charge", "mail")
    await lab.start()
    lab.stop_at = "tool:mail:done"
    await say_yes(lab)
    await lab.stopped.wait()
    await lab.crash()
    state = await lab.runner.settled("r")
    assert (state.status, state.is_idle) == ("ending", True)
    await agrees(lab)
    await lab.crash()
    state = await lab.answer(decision="happened", result="it was")

    assert state.status == "failed"
    assert [e.data.get("result") for e in lab.events("CompensationRun")] == [
        "it was",
        {"done": "undo g"},
    ]
    assert sum(lab.world.sent.values()) == 1


@virtually
async def test_an_undo_that_kills_its_process_is_given_up() -> None:
    """C51."""
    lab = booking("charge", "look")
    await lab.start()
    lab.stop_at = "tool:look:send"
    await say_yes(lab)
    for _ in range(MAX_TRIES):
        await lab.stopped.wait()
        lab.stopped.clear()
        await die_again(lab)
    state = await lab.runner.settled("r")

    first, second = lab.events("CompensationRun")
    assert (first.data["ok"], second.data["ok"]) == (False, True)
    assert "its process ended 3 times" in first.data["error"]["message"]
    assert state.status == "failed"


async def die_again(lab: Lab) -> None:
    """Crash without letting the outside move on."""
    at = lab.stop_at
    for run_id in list(lab.store._warm):
        lab.store.forget(run_id)
    await lab.runner.close()
    lab.boot(lab.graphs.types)
    lab.stop_at = at
    await lab.runner.recover()


@virtually
async def test_a_type_that_is_gone_is_recorded_and_the_rest_continue() -> None:
    """C51."""
    lab = booking("charge", "look")
    await lab.start()
    types = node_types()
    types.register(Breaker)
    await lab.crash(types)
    state = await lab.answer()

    undone = lab.events("CompensationRun")
    assert [e.data["error"]["code"] for e in undone] == ["NodeTypeMissing"] * 2
    assert state.status == "failed"


@virtually
async def test_a_run_over_budget_is_undone_without_spending() -> None:
    """C51, C41."""
    nodes: list[dict[str, Any]] = [
        {"id": "b", "type": "t_book", "requires_compensation": True},
        {"id": "ask", "type": "t_reason"},
    ]
    types = node_types()
    types.register(Booker)
    limits = {"max_token_budget": 1}
    lab = Lab(document(nodes, "__start__ > b", "b > ask", limits=limits, goal="g"), types=types)
    state = await lab.start()

    assert state.error is not None
    assert (state.status, state.error["code"]) == ("failed", "RunBudgetExceeded")
    assert [e.data["ok"] for e in lab.events("CompensationRun")] == [True]
    assert (state.spent_tokens, lab.world.executed) == (0, {"undo g": 1})
