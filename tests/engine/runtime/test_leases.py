"""A worker that was stopped for a while sends nothing: somebody else may send the same by then."""

from __future__ import annotations

import asyncio

import pytest

from engine.core.state.run_state import RunState
from tests.engine.lab import Lab, document, in_virtual_time


async def silent(kind: str) -> Lab:
    """Return a run of one node that wants to call the outside, by a worker that may not for now."""
    lab = Lab(document([{"id": "it", "type": kind}], "__start__ > it", "it > __end__", goal="g"))
    lab.store.may_send = lambda: False  # type: ignore[method-assign]
    await lab.begin()
    await asyncio.sleep(5)
    return lab


@pytest.mark.parametrize("kind", ["t_tool", "t_reason"])
def test_what_was_intended_leaves_only_while_nobody_else_can_have_the_run(kind: str) -> None:
    """I3: between the intent and the call the worker stood still, and was taken for dead."""

    async def played() -> tuple[Lab, RunState]:
        lab = await silent(kind)
        await lab.store.flush("r")

        assert len(lab.events("StepIntended")) == 1
        assert lab.events("StepCompleted") == lab.events("StepFailed") == []
        assert (lab.world.executed, lab.most_in_flight) == ({}, 0)

        await lab.crash()
        return lab, await lab.runner.settled("r")

    lab, state = in_virtual_time(played)

    assert lab.most_in_flight == 1
    assert lab.broken == []
    assert state.status in ("completed", "waiting")
    assert len(lab.events("StepCompleted")) == 1


@pytest.mark.parametrize("kind", ["t_tool", "t_reason"])
def test_a_worker_that_is_heard_of_again_goes_on_with_what_it_kept(kind: str) -> None:
    """I3: nobody took its runs, so that nobody else begins them again."""

    async def played() -> tuple[Lab, RunState]:
        lab = await silent(kind)
        del lab.store.may_send
        return lab, await lab.runner.settled("r")

    lab, state = in_virtual_time(played)

    assert state.status in ("completed", "waiting")
    assert lab.most_in_flight == 1
    assert len(lab.events("StepCompleted")) == 1
