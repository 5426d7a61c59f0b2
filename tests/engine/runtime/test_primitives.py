"""Every primitive of the node context, and what each gives when the code runs again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.engine import node_types as types
from tests.engine.lab import Lab, document, in_virtual_time, single

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.fixture(autouse=True)
def _count_anew() -> None:
    types.STARTS.clear()
    types.Chancer.seen.clear()


def virtually(test: Any) -> Any:
    """Run an asynchronous test in virtual time."""

    def run() -> None:
        in_virtual_time(test)

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


@virtually
async def test_a_view_stays_as_it_was_when_the_code_runs_again() -> None:
    """I12."""
    nodes: list[dict[str, Any]] = [
        {"id": "it", "type": "t_view", "read_keys": ["note"]},
        {"id": "other", "type": "t_write", "write_keys": ["note"], "config": {"after_ms": 50}},
    ]
    lab = Lab(document(nodes, "__start__ > it", "__start__ > other", initial_memory={"note": 1}))
    await lab.start()
    await lab.crash()
    state = await lab.answer()

    assert state.memory == {"note": 2}
    assert state.outputs["it"] == {"note": 1}
    assert types.STARTS["it#1"] == 2


@virtually
async def test_a_model_is_asked_once_for_each_turn() -> None:
    """I12, I13."""
    lab = Lab(single("t_reason"))
    await lab.start()
    await lab.crash()
    state = await lab.answer()

    assert state.outputs["it"] == ["did first", "did second"]
    assert len(lab.events("StepIntended")) == 2
    assert state.spent_usd == lab.world.charges["r"]


@virtually
async def test_a_tool_call_is_made_once_across_a_pause_and_a_crash() -> None:
    """I12."""
    lab = Lab(single("t_tool"))
    await lab.start()
    await lab.crash()
    state = await lab.answer()

    assert state.outputs["it"] == {"done": "it"}
    assert lab.world.executed == {"it": 1}
    assert types.STARTS["it#1"] == 2


@virtually
async def test_answers_come_back_typed_after_a_crash() -> None:
    """I12, I21."""
    lab = Lab(single("t_interrupt"))
    await lab.start()
    await lab.answer(values="words")
    await lab.crash()
    state = await lab.answer(choice={"id": "b"})

    assert state.outputs["it"] == ["words", 7]
    assert len(lab.events("InterruptOpened")) == 2
    assert types.STARTS["it#1"] == 3


@virtually
async def test_a_child_runs_once_and_its_parent_wakes_once() -> None:
    lab = Lab(single("t_run_node"))
    await lab.start()
    await lab.crash()
    state = await lab.answer(values="from the child")

    assert state.outputs["it"] == "from the child"
    assert len(lab.events("NodeStarted", "it#1")) == 2
    assert len(lab.events("ChildrenRequested")) == 1


def _crowd_output(count: int) -> list[Any]:
    special = {3: "yes", 5: "failed"}
    return [special.get(i, i) for i in range(count)]


@virtually
async def test_a_thousand_children_wake_their_parent_exactly_once() -> None:
    """One pauses, one fails, and the process dies while all the others are done."""
    lab = Lab(single("t_run_nodes", config={"count": 1000}))
    state = await lab.start()
    assert len([a for a in state.activations.values() if a.parent]) == 1
    await lab.crash()
    state = await lab.answer()

    assert state.outputs["it"] == _crowd_output(1000)
    assert len(lab.events("NodeStarted", "it#1")) == 2
    assert len(lab.events("NodeStarted")) == 1003
    assert types.STARTS["it#1"] == 2


@virtually
async def test_a_cancel_ends_a_crowd_at_once_and_never_wakes_the_parent() -> None:
    """I22."""
    lab = Lab(single("t_run_nodes", config={"count": 1000}))
    await lab.start()
    await lab.runner.cancel("r", "ann")
    state = await lab.runner.settled("r")

    assert state.status == "cancelled"
    assert [e.data["outcome"] for e in lab.events("InterruptResolved")] == ["superseded"]
    assert len(lab.events("NodeStarted", "it#1")) == 1
    assert len(lab.events("NodeCancelled")) == 2


@virtually
async def test_a_crowd_that_fails_fast_waits_for_nobody() -> None:
    """The child that waits for a person is cancelled, its question closed."""
    lab = Lab(single("t_run_nodes", config={"count": 10, "fail_fast": True}))
    state = await lab.start()

    assert state.status == "completed"
    assert state.outputs["it"][3] == "cancelled"
    assert state.outputs["it"][5] == "failed"
    assert [e.data["outcome"] for e in lab.events("InterruptResolved")] == ["superseded"]
    assert len(lab.events("NodeStarted", "it#1")) == 2


@virtually
async def test_a_child_run_is_started_once_and_its_end_wakes_the_parent() -> None:
    inner = document([{"id": "ask", "type": "t_interrupt"}], "__start__ > ask", id="inner")
    lab = Lab(single("t_run_graph"), inner)
    await lab.begin()
    [child] = await _until(lambda: [run for run in lab.medium.logs if run != "r"])
    await lab.runner.settled(child)
    await lab.crash()
    await lab.answer(child, values="one")
    await lab.answer(child, choice={"id": "a"})
    state = await lab.runner.settled("r")

    assert state.outputs["it"] == ["completed", ["one", "a"]]
    assert len(lab.events("NodeStarted", "it#1")) == 2
    assert len(lab.medium.logs) == 2


async def _until(found: Any) -> Any:
    while not found():  # noqa: ASYNC110  virtual time: nothing is really waited for
        await asyncio.sleep(0.05)
    return found()


@virtually
async def test_gathered_calls_are_bounded_and_come_back_in_order() -> None:
    lab = Lab(single("t_gather"))
    state = await lab.start()

    assert state.outputs["it"] == [f"o{i}" for i in range(6)]
    assert lab.most_in_flight == 2


@virtually
async def test_gathered_calls_that_were_done_are_not_made_again() -> None:
    """I12."""
    lab = Lab(single("t_gather", config={"count": 30}))
    await lab.begin()
    await _until(lambda: len(lab.world.executed) >= 10)
    await lab.crash()
    state = await lab.runner.settled("r")

    assert state.outputs["it"] == [f"o{i}" for i in range(30)]
    assert set(lab.world.executed.values()) == {1}
    assert lab.broken == []


@virtually
async def test_a_thousand_gathered_calls_are_each_made_once() -> None:
    lab = Lab(single("t_gather", config={"count": 1000}))
    state = await lab.start()

    assert len(state.outputs["it"]) == 1000
    assert set(lab.world.executed.values()) == {1}


@virtually
async def test_small_state_survives_retry_pause_and_crash() -> None:
    """I15, I17."""
    lab = Lab(single("t_state"))
    await lab.start()
    await lab.crash()
    state = await lab.answer()

    assert state.outputs["it"] == [2, 20]
    assert state.node_state == {"it": {"n": 2}}
    assert state.workflow_state == {"k": 20}
    assert state.memory == {}


@virtually
async def test_what_was_emitted_is_emitted_once() -> None:
    """K22, I18."""
    lab = Lab(single("t_emit"))
    await lab.start()
    await lab.crash()
    state = await lab.answer()

    assert [m["content"] for m in state.messages] == ["before", "after"]
    assert state.structured == {"lifecycle": {"step": "start", "more": 1}}
    assert len(lab.events("StructuredEmitted")) == 2


@virtually
async def test_time_chance_and_sleep_are_the_same_in_a_replay() -> None:
    """S36, S32."""
    lab = Lab(single("t_chance"))
    await lab.begin()
    await asyncio.sleep(1)
    await lab.crash()
    await lab.runner.settled("r")
    state = await lab.answer()

    first, *rest = types.Chancer.seen
    assert len(rest) == 2
    assert all(taken == first for taken in rest)
    assert len(lab.events("TimerFired")) == 1
    assert lab.events("TimerFired")[0].at - first[0] == pytest.approx(5_000, abs=5)
    assert state.outputs["it"] == first


@virtually
async def test_the_context_refuses_a_task_that_gather_did_not_start() -> None:
    lab = Lab(single("t_stray"))
    state = await lab.start()

    assert state.status == "failed"
    assert "ctx.gather did not start" in state.error["message"]  # type: ignore[index]
    assert lab.world.executed == {}


@virtually
async def test_another_request_at_a_recorded_place_fails() -> None:
    """I12."""
    lab = Lab(single("t_fickle"))
    await lab.start()
    state = await lab.answer()

    assert state.error["code"] == "NondeterministicNode"  # type: ignore[index]
    assert lab.world.executed == {"entry 1": 1}


@virtually
async def test_changed_code_is_for_a_person_who_may_let_it_run_again() -> None:
    class Changed(types.Caller):
        """Call a tool, pause, and say what it answered, in another way."""

        async def run(self, ctx: Any, config: Any) -> Any:
            done = await ctx.call_tool(config.tool, {"order": ctx.node.id})
            return {"output": ["new", done]}

    lab = Lab(single("t_tool"))
    await lab.start()
    changed = types.node_types("t_tool")
    changed.register(Changed)
    await lab.crash(changed)
    state = await lab.answer()

    assert state.activations["it#1"].status == "in_doubt"
    assert [e.data["reason"] for e in lab.events("NodeInDoubt")] == ["code_changed"]

    state = await lab.answer(decision="retry")

    assert state.outputs["it"] == ["new", {"done": "it"}]
    assert lab.world.executed == {"it": 1}


@virtually
async def test_a_type_that_is_gone_is_for_a_person() -> None:
    lab = Lab(single("t_tool"))
    await lab.start()
    await lab.crash(types.node_types("t_tool"))
    state = await lab.answer()

    assert [e.data["reason"] for e in lab.events("NodeInDoubt")] == ["missing_type"]
    assert state.activations["it#1"].status == "in_doubt"

    await lab.crash(types.node_types())
    state = await lab.answer(decision="retry")

    assert state.outputs["it"] == {"done": "it"}
    assert lab.world.executed == {"it": 1}
