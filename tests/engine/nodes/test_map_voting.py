"""Maps and votes across crashes, pauses, budgets and cancels, and how long a wide map takes."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from engine.sdk import (
    Answer,
    EffectClass,
    GraphSpec,
    NodeResult,
    NodeType,
    NodeTypes,
    RunState,
    StartRun,
    make_local,
)
from tests.engine.lab import ANN, Lab, document
from tests.engine.node_types import node_types
from tests.engine.runtime.test_primitives import _until, virtually

AGENTS = [{"id": name, "max_output_tokens": 40} for name in ("ann", "ben", "cat")]


def work(items: list[Any], **fields: Any) -> GraphSpec:
    """Return a map of `child` over `items`."""
    config = {"worker_node_id": "child", "static_items": items, **fields.pop("config", {})}
    nodes = [
        {"id": "it", "type": "map", "config": config, **fields},
        {"id": "child", "type": fields.pop("kind", "t_child")},
    ]
    return document(nodes, "__start__ > it")


def vote(**fields: Any) -> GraphSpec:
    """Return a vote of three agents."""
    config = {"voter_agent_ids": ["ann", "ben", "cat"], **fields.pop("config", {})}
    return document(
        [{"id": "it", "type": "voting", "config": config, **fields}],
        "__start__ > it",
        agents=AGENTS,
        goal="Choose.",
    )


def outputs(state: Any) -> list[tuple[int, Any]]:
    return [(r["index"], r["output"]) for r in state.memory["it_results"]]


@virtually
async def test_a_map_goes_on_after_a_crash_and_a_pause() -> None:
    """C78, C106."""
    lab = Lab(work(["a", "pause", "fail", "b"], config={"max_concurrency": 2}))
    state = await lab.start()
    assert [a.node for a in state.activations.values() if a.parent] == ["child"]
    await lab.crash()
    state = await lab.answer(values="yes")

    assert outputs(state) == [(0, "a"), (1, "yes"), (3, "b")]
    assert [e["error"]["code"] for e in state.memory["it_errors"]] == ["ChildBroken"]
    assert len(lab.events("ChildrenRequested")) == 1
    assert len(lab.events("NodeCompleted")) == 4


@virtually
async def test_a_crash_amid_the_items_repeats_none_that_is_done() -> None:
    """C100."""
    items = [{"order": f"o{i}"} for i in range(20)]
    graph = document(
        [
            {"id": "it", "type": "map", "config": {"worker_node_id": "w", "static_items": items}},
            {
                "id": "w",
                "type": "tool",
                "config": {
                    "tool_id": "charge",
                    "arguments": {"order": "{{ memory.map_item.order }}"},
                },
            },
        ],
        "__start__ > it",
    )
    lab = Lab(graph)
    await lab.begin()
    await _until(lambda: len(lab.world.executed) >= 7)
    await lab.crash()
    state = await lab.runner.settled("r")

    assert state.memory["it_count"] == 20
    assert set(lab.world.executed.values()) == {1}
    assert lab.broken == []


@virtually
async def test_a_cancelled_map_closes_what_its_items_ask() -> None:
    """I22."""
    lab = Lab(work(["pause", "pause", "a"]))
    state = await lab.start()
    assert len(state.interrupts) == 2
    await lab.runner.cancel("r", "ann")
    state = await lab.runner.settled("r")

    assert (state.status, state.interrupts) == ("cancelled", {})
    assert "it_results" not in state.memory
    assert len(lab.events("NodeCancelled")) == 3


@virtually
async def test_a_map_that_fails_fast_asks_nobody_any_more() -> None:
    """C104."""
    lab = Lab(work(["pause", "a", "fail", "b"], config={"error_strategy": "fail_fast"}))
    state = await lab.start()

    assert (state.status, state.error["code"]) == ("failed", "ChildFailed")  # type: ignore[index]
    assert state.error["detail"]["error"]["code"] == "ChildBroken"  # type: ignore[index]
    assert [e.data["outcome"] for e in lab.events("InterruptResolved")] == ["superseded"]


@virtually
async def test_below_a_composite_the_item_of_the_map_is_seen() -> None:
    """C106."""

    class Hands(NodeType):
        """Run another node, as supervisors do."""

        type = "t_hands"
        label = "Hands"

        async def run(self, ctx: Any, config: Any) -> Any:
            return {"output": (await ctx.run_node("seer"))["output"]}

    class Sees(NodeType):
        """Return the readable memory."""

        type = "t_sees"
        label = "Sees"

        async def run(self, ctx: Any, config: Any) -> Any:
            await ctx.interrupt({"kind": "text", "question": "Go on?"})
            return {"output": dict(ctx.view.memory)}

    types = node_types()
    types.register(Hands)
    types.register(Sees)
    spec = document(
        [
            {
                "id": "it",
                "type": "map",
                "config": {"worker_node_id": "hands", "static_items": ["a"]},
            },
            {"id": "hands", "type": "t_hands"},
            {"id": "seer", "type": "t_sees"},
        ],
        "__start__ > it",
    )
    lab = Lab(spec, types=types)
    await lab.start()
    await lab.crash()
    state = await lab.answer()

    assert outputs(state) == [(0, {"map_item": "a", "map_index": 0, "map_total": 1})]


async def crashed_before_the_judge() -> tuple[Lab, RunState]:
    """Return a vote that was killed once three votes were given and the judge was called."""
    lab = Lab(vote(config={"strategy": "llm_judge", "judge_agent_id": "ben"}))
    sends = iter(["model:send"] * 3 + ["judge"])
    point = lab.point

    async def named(name: str) -> None:
        await point(next(sends, name) if name == "model:send" else name)

    lab.point = named  # type: ignore[method-assign]
    lab.stop_at = "judge"
    await lab.begin()
    await lab.stopped.wait()
    await lab.crash()
    return lab, await lab.runner.settled("r")


@virtually
async def test_votes_that_were_given_are_not_bought_again_after_a_crash() -> None:
    """C110, C34."""
    lab, state = await crashed_before_the_judge()

    assert state.status == "completed"
    assert len(state.memory["it_votes"]) == 3
    done = [e.data["path"] for e in lab.events("StepCompleted")]
    assert sorted(done) == ["0/0/0", "0/1/0", "0/2/0", "1"]
    assert lab.broken == []


@virtually
async def test_a_raised_budget_goes_on_with_the_same_votes() -> None:
    """C45, C40."""
    lab = Lab(vote(budget={"max_cost_usd": "0.000001", "on_breach": "ask"}))
    state = await lab.start()
    asked = len(state.interrupts)
    while state.status == "waiting":
        request_id = next(iter(state.interrupts))
        answer = Answer(lab.runner.token(request_id), decision="raise")
        await lab.runner.answer(request_id, answer, ANN)
        state = await lab.runner.settled("r")

    assert asked == 3
    assert (state.status, len(state.memory["it_votes"])) == ("completed", 3)
    assert len(lab.events("StepCompleted")) == 3


@virtually
async def test_a_cancelled_vote_counts_nothing() -> None:
    """I22."""
    lab = Lab(vote())
    lab.stop_at = "model:charged"
    await lab.begin()
    await lab.stopped.wait()
    await lab.runner.cancel("r", "ann")
    state = await lab.runner.settled("r")

    assert (state.status, state.memory) == ("cancelled", {})
    assert state.holds == {}


class Slow(NodeType):
    """Wait for an outside that takes 20 ms."""

    type = "t_slow"
    label = "Slow"

    async def run(self, ctx: Any, config: Any) -> NodeResult:
        async def look(_key: str) -> int:
            await asyncio.sleep(WAIT_S)
            return int(ctx.item)

        return NodeResult(output=await ctx.perform("look", {}, EffectClass.READ, look))


WAIT_S, WIDE, AT_ONCE = 0.020, 1_000, 50
IDEAL_S = WIDE / AT_ONCE * WAIT_S


def wide() -> tuple[GraphSpec, NodeTypes]:
    """Return a map over 1,000 items that wait 20 ms each, 50 at a time."""
    types = node_types()
    types.register(Slow)
    config = {"max_concurrency": AT_ONCE, "static_items": list(range(WIDE))}
    work: dict[str, Any] = {"worker_node_id": "w", **config}
    nodes: list[dict[str, Any]] = [
        {"id": "it", "type": "map", "config": work},
        {"id": "w", "type": "t_slow"},
    ]
    return document(nodes, "__start__ > it"), types


@pytest.mark.slow
@virtually
async def test_no_slot_of_a_wide_map_stands_empty() -> None:
    """C105, C106: Where computing takes no time, the map takes as long as its items, 50 at a time."""
    spec, types = wide()
    lab = Lab(spec, types=types)
    began = lab.clock.now()
    state = await lab.start()

    assert outputs(state) == [(i, i) for i in range(WIDE)]
    assert lab.clock.now() - began < 1.5 * IDEAL_S * 1_000


@pytest.mark.slow
async def test_a_wide_map_computes_less_than_its_items_wait() -> None:
    """C105, C106: So the work hides behind the waiting; CPU seconds, which a shared machine does not change."""
    spec, types = wide()
    local = make_local([spec], types=types)
    taken = []
    for number in range(3):
        began = time.thread_time()
        run_id = f"r{number}"
        await local.runner.start(StartRun(run_id, spec.id), local.graphs.program_of(spec))
        state = await local.runner.settled(run_id)
        taken.append(time.thread_time() - began)
        assert outputs(state) == [(i, i) for i in range(WIDE)]
    await local.runner.close()

    assert min(taken) < 1.5 * IDEAL_S, taken
