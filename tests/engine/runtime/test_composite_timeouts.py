"""`timeout_ms` of a node that waits for what it runs: its clock, and what becomes of the rest."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.core.graph.document import GraphSpec
from engine.core.state.requests import Answer
from tests.engine.lab import ANN, Lab, document
from tests.engine.runtime.test_primitives import virtually
from tests.simulation.invariants import difference

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def policy(timeout_ms: int, retries: int = 0) -> dict[str, Any]:
    return {
        "timeout_ms": timeout_ms,
        "max_retries": retries,
        "backoff_strategy": "fixed",
        "initial_backoff_ms": 10,
    }


def mapping(
    worker: dict[str, Any], limit: dict[str, Any], items: int = 2, **more: Any
) -> GraphSpec:
    """Return a map of one worker at a time."""
    config = {
        "worker_node_id": "w",
        "static_items": list(range(items)),
        "max_concurrency": 1,
        **more,
    }
    nodes = [
        {"id": "m", "type": "map", "config": config, "failure_policy": limit},
        {"id": "w", **worker},
    ]
    return document(nodes, "__start__ > m", "m > __end__")


SLOW = {"type": "delay", "config": {"duration_ms": 1_000}}
ASK = {"type": "question", "config": {"question": "?"}}


async def agrees(lab: Lab) -> None:
    """The warm state is the fold of the log (I11)."""
    await lab.store.flush("r")
    warm = lab.store.peek("r")
    assert warm is not None
    assert difference(warm, await lab.store.state("r")) == ""


@virtually
async def test_time_below_counts_for_the_composite() -> None:
    """C24: A map whose items take longer than its attempt may fails, and starts no further item."""
    lab = Lab(mapping(SLOW, policy(1_500), items=5))
    state = await lab.start()

    assert (state.status, state.error["code"]) == ("failed", "NodeTimeout")  # type: ignore[index]
    [ended] = lab.events("RunFailed")
    assert ended.at - lab.events("RunStarted")[0].at == 1_500
    assert len(lab.events("NodeCompleted")) == 1
    assert len(lab.events("NodeCancelled")) == 1


@virtually
async def test_what_ends_in_time_is_not_touched() -> None:
    """C24: Nothing is different for a composite that is quick enough."""
    lab = Lab(mapping(SLOW, policy(2_500)))
    state = await lab.start()

    assert (state.status, state.timers) == ("completed", {})
    assert len(lab.events("NodeCompleted")) == 3


@virtually
async def test_each_attempt_has_its_own_time() -> None:
    """C24, C20: The failure is retried by the policy, with the whole time again."""
    lab = Lab(mapping(SLOW, policy(500, retries=2)))
    state = await lab.start()

    assert state.status == "failed"
    assert len(lab.events("AttemptFailed")) == 2
    [ended] = lab.events("RunFailed")
    assert ended.at - lab.events("RunStarted")[0].at == 3 * 500 + 2 * 10


@virtually
async def test_waiting_for_people_does_not_count() -> None:
    """C24: The clock stands still while all below waits for people, and goes on after that."""
    lab = Lab(mapping(ASK, policy(1_500), max_concurrency=2))
    state = await lab.start()
    await asyncio.sleep(60)
    assert state.status == "waiting"
    assert not any(name.startswith("timeout:") for name in state.timers)
    while state.status == "waiting":
        request_id = next(iter(state.interrupts))
        answer = Answer(lab.runner.token(request_id), selected="yes")
        await lab.runner.answer(request_id, answer, ANN)
        state = await lab.runner.settled("r")
        await asyncio.sleep(60)

    assert (state.status, state.error) == ("completed", None)


@virtually
async def test_what_was_used_before_a_pause_is_used() -> None:
    """C24: A pause in the middle gives no time back: a second, the pause, then the rest."""
    nodes: list[dict[str, Any]] = [
        {
            "id": "s",
            "type": "subgraph",
            "config": {"subgraph_id": "kid"},
            "failure_policy": policy(1_500),
        },
    ]
    kid = document(
        [{"id": "a", **SLOW}, {"id": "q", **ASK}, {"id": "b", **SLOW}],
        "__start__ > a",
        "a > q",
        "q > b",
        "b > __end__",
        id="kid",
    )
    lab = Lab(document(nodes, "__start__ > s", "s > __end__"), kid)
    await lab.begin()
    await asyncio.sleep(30)
    [child] = [run_id for run_id in lab.medium.logs if run_id != "r"]
    await agrees(lab)
    answered = lab.clock.now()
    await lab.answer(child, selected="yes")
    state = await lab.runner.settled("r")

    assert (state.status, state.error["code"]) == ("failed", "NodeTimeout")  # type: ignore[index]
    assert 400 <= lab.events("RunEnding")[0].at - answered <= 700
    assert (await lab.runner.settled(child)).status == "cancelled"


@virtually
async def test_a_retry_after_a_timeout_runs_another_child_run() -> None:
    """C24, C84: The cancelled child run is not taken for the result of the next attempt."""
    nodes: list[dict[str, Any]] = [
        {
            "id": "s",
            "type": "subgraph",
            "config": {"subgraph_id": "kid"},
            "failure_policy": policy(500, retries=1),
        },
    ]
    kid = document([{"id": "a", **SLOW}], "__start__ > a", "a > __end__", id="kid")
    lab = Lab(document(nodes, "__start__ > s", "s > __end__"), kid)
    state = await lab.start()
    await lab.runner.quiet()

    assert state.error["code"] == "NodeTimeout"  # type: ignore[index]
    kids = [run_id for run_id in lab.medium.logs if run_id != "r"]
    assert len(kids) == 2
    assert {(await lab.runner.settled(run_id)).status for run_id in kids} == {"cancelled"}


@virtually
async def test_a_clock_survives_a_crash() -> None:
    """C24, I8: The timer is a row: after a restart it fires when it would have."""
    lab = Lab(mapping(SLOW, policy(1_500), items=5))
    await lab.begin()
    await asyncio.sleep(1.2)
    await agrees(lab)
    await lab.crash()
    state = await lab.runner.settled("r")

    assert state.error["code"] == "NodeTimeout"  # type: ignore[index]
    [ended] = lab.events("RunFailed")
    assert ended.at - lab.events("RunStarted")[0].at == 1_500


@virtually
async def test_an_unsafe_call_in_flight_below_ends_first() -> None:
    """C24: What is being sent is not dropped and sent again: its outcome is recorded."""
    mail = {"type": "tool", "config": {"tool_id": "mail", "arguments": {"order": "m"}}}
    lab = Lab(mapping(mail, policy(5), items=3))
    state = await lab.start()

    assert state.error["code"] == "NodeTimeout"  # type: ignore[index]
    assert lab.world.executed["m"] == 1
    assert len(lab.events("StepCompleted")) == 1


CHARGE = {"type": "tool", "config": {"tool_id": "charge", "arguments": {"order": "o"}}}


@virtually
async def test_what_completed_stands_in_the_next_attempt() -> None:
    """C24, C34: A retry runs only the children that did not complete; the others keep their results."""
    lab = Lab(mapping(SLOW, policy(2_500, retries=1), items=4))
    await lab.begin()
    await asyncio.sleep(3)
    await agrees(lab)
    state = await lab.runner.settled("r")

    assert state.status == "completed"
    [_first, second] = lab.events("ChildrenRequested")
    assert second.data["kept"] == [0, 1]
    done = [e.key for e in lab.events("NodeCompleted") if e.key and "/w" in e.key]
    assert done == ["m#1/w[0]#1", "m#1/w[1]#1", "m#1/w[2]#2", "m#1/w[3]#1"]
    assert [item["index"] for item in state.memory["m_results"]] == [0, 1, 2, 3]


@virtually
async def test_a_call_that_was_made_is_not_made_again_by_a_retry() -> None:
    """C24, I5: A worker that was cut off after a charge is not run anew: the map fails instead."""
    kid = document(
        [{"id": "pay", **CHARGE}, {"id": "wait", **SLOW}],
        "__start__ > pay",
        "pay > wait",
        "wait > __end__",
        id="kid",
    )
    inner = {"type": "subgraph", "config": {"subgraph_id": "kid"}}
    nodes = [{"id": "s", **inner, "failure_policy": policy(900, retries=3)}]
    lab = Lab(document(nodes, "__start__ > s", "s > __end__"), kid)
    state = await lab.start()

    assert state.error["code"] == "NodeTimeout"  # type: ignore[index]
    assert lab.world.executed["o"] == 1
    assert lab.events("AttemptFailed") == []
