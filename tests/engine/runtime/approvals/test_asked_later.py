"""Reminders and escalation of a call that people decide on: at their times, and through a crash."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.engine.lab import Lab
from tests.engine.runtime.approvals.test_approval_rules import ANN, BOB, People, refused, say
from tests.engine.runtime.approvals.test_approval_timers import nudged
from tests.engine.runtime.approvals.test_asked_calls import graph
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

RULE: dict[str, Any] = {
    "eligible": ["user:ann"],
    "reminders": [1_000, 5_000, 90_000],
    "escalation": {"after_ms": 10_000, "to": ["user:bob"]},
    "timeout_ms": 60_000,
}


async def asked() -> Lab:
    lab = Lab(graph(**RULE))
    lab.runner.services.directory = People(ANN, BOB)
    await lab.start()
    return lab


@virtually
async def test_they_come_in_time_and_never_after_the_deadline() -> None:
    lab = await asked()

    assert await nudged(lab, 3) == {"Reminded": [1_000], "Escalated": []}
    assert await nudged(lab, 20) == {"Reminded": [1_000, 5_000], "Escalated": [10_000]}
    assert await nudged(lab, 100) == {"Reminded": [1_000, 5_000], "Escalated": [10_000]}
    state = await lab.runner.settled("r")
    assert state.status == "completed"
    assert lab.world.executed == {}


@virtually
async def test_who_is_asked_later_decides_from_then_on_and_it_is_sent_once() -> None:
    lab = await asked()
    await asyncio.sleep(5)
    assert await refused(lab, BOB) == "NotEligible"

    await lab.crash()
    await asyncio.sleep(6)
    await say(lab, BOB)
    state = await lab.runner.settled("r")

    assert state.status == "completed"
    assert dict(lab.world.executed) == {"P": 1}
    assert await nudged(lab, 100) == {"Reminded": [1_000, 5_000], "Escalated": [10_000]}
