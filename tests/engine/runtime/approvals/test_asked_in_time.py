"""What a person said counts by when it was said, however late the engine comes to it."""

from __future__ import annotations

import asyncio

import pytest

from engine.core.state.requests import CLI, Answer
from engine.runtime.mailbox import wishes
from tests.engine.lab import Lab, single
from tests.engine.posted import post
from tests.engine.runtime.approvals.test_approval_rules import ANN, asking, item
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


async def lab_with_a_minute() -> Lab:
    lab = asking({}, ANN, timeout_ms=60_000)
    await lab.start()
    return lab


async def say_unheard(lab: Lab, decision: str = "approved") -> str:
    """Commit a decision that no bell is rung for; return what it is about."""
    opened = item(lab)
    wish = wishes.answer(opened.request_id, Answer("", opened.content_hash, decision), CLI)
    await post(lab.store, "r", wish)
    return opened.request_id


@virtually
async def test_an_answer_in_time_comes_before_the_timer() -> None:
    """I7: The deadline passes while the answer lies there; it counts."""
    lab = await lab_with_a_minute()
    await asyncio.sleep(59)
    request_id = await say_unheard(lab)
    await asyncio.sleep(5)

    state = await lab.runner.settled("r")

    assert state.resolved[request_id]["outcome"] == "answered"


@virtually
async def test_an_answer_in_time_outlives_a_kill_that_lasts_past_the_deadline() -> None:
    lab = await lab_with_a_minute()
    request_id = await say_unheard(lab)
    await lab.runner.close()
    await asyncio.sleep(600)

    await lab.crash()
    state = await lab.runner.settled("r")

    assert state.resolved[request_id]["outcome"] == "answered"


@virtually
async def test_an_answer_that_came_too_late_does_not_count() -> None:
    lab = await lab_with_a_minute()
    await lab.runner.close()
    await asyncio.sleep(61)
    request_id = await say_unheard(lab)

    await lab.crash()
    state = await lab.runner.settled("r")

    assert state.resolved[request_id]["outcome"] == "expired"
    [told] = lab.medium.posted.told.values()
    assert told["refused"]["code"] in ("AlreadyDecided", "InterruptClosed")


@virtually
async def test_a_cancel_comes_before_what_was_sent_is_judged() -> None:
    """Nobody is asked about a call of a run that somebody had ended before the process died."""
    lab = Lab(single("t_tool", config={"tool": "mail"}))
    lab.stop_at = "tool:mail:send"
    await lab.begin()
    await lab.stopped.wait()
    await post(lab.store, "r", wishes.cancel("ann", "enough"))

    await lab.crash()
    state = await lab.runner.settled("r")

    assert state.status == "cancelled"
    assert lab.events("NodeInDoubt") == []
