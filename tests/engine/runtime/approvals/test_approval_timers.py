"""Reminders and escalation: timers of an approval, that survive a crash and end with it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.core.state.requests import CLI
from tests.engine.lab import Lab
from tests.engine.runtime.approvals.test_approval_rules import (
    ANN,
    BOB,
    DAN,
    asking,
    ended,
    item,
    person,
    refused,
    say,
)
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

BOSS = person("boss", role="admin")
NUDGED: dict[str, Any] = {
    "eligible": ["user:ann"],
    "reminders": [1_000, 5_000, 90_000],
    "escalation": {
        "after_ms": 10_000,
        "to": ["role:admin", "=memory.note == 1 ? ['user:dan'] : []"],
    },
}


async def nudged(lab: Lab, after_s: float) -> dict[str, list[int]]:
    """Return which reminders and escalations there were, by when after the opening they came."""
    await asyncio.sleep(after_s)
    opened = lab.events("InterruptOpened")[0].at
    return {
        name: [event.at - opened for event in lab.events(f"Interrupt{name}")]
        for name in ("Reminded", "Escalated")
    }


@virtually
async def test_reminders_and_escalation_come_in_time() -> None:
    """C93: Each once, at its time; a reminder after the deadline never."""
    lab = asking(NUDGED, ANN, BOSS, timeout_ms=60_000)
    await lab.start()

    assert await nudged(lab, 3) == {"Reminded": [1_000], "Escalated": []}
    assert await nudged(lab, 20) == {"Reminded": [1_000, 5_000], "Escalated": [10_000]}
    assert await nudged(lab, 100) == {"Reminded": [1_000, 5_000], "Escalated": [10_000]}
    state, _sent = await ended(lab)
    assert state == "failed"


@virtually
async def test_nothing_fires_after_the_approval_is_closed() -> None:
    """C93: A decision ends what would have reminded of it."""
    lab = asking(NUDGED, ANN)
    await lab.start()
    await nudged(lab, 2)
    await say(lab, ANN)

    assert await nudged(lab, 200) == {"Reminded": [1_000], "Escalated": []}
    state = await lab.runner.settled("r")
    assert state.timers == {}


@virtually
async def test_what_fell_due_while_nobody_ran_reminds_once() -> None:
    """C93: Timers survive a restart; several reminders that were missed are one."""
    lab = asking(NUDGED, ANN)
    await lab.start()
    await lab.runner.close()
    await asyncio.sleep(7)
    await lab.crash()

    assert len((await nudged(lab, 1))["Reminded"]) == 1
    assert item(lab).reminded == 2
    assert (await nudged(lab, 10))["Escalated"] == [10_000]
    await asyncio.sleep(80)
    assert item(lab).reminded == 3


@virtually
async def test_a_missed_deadline_is_not_preceded_by_reminders() -> None:
    """C93: Nobody is reminded of what can no longer be decided."""
    lab = asking(NUDGED, ANN, timeout_ms=20_000)
    await lab.start()
    await lab.runner.close()
    await asyncio.sleep(60)
    await lab.crash()

    assert await nudged(lab, 1) == {"Reminded": [], "Escalated": []}
    assert (await ended(lab)) == ("failed", 0)


@virtually
async def test_who_it_was_escalated_to_may_decide_from_then_on() -> None:
    """C96: Not before; expressions are computed when it happens; four eyes still hold."""
    lab = asking({**NUDGED, "four_eyes": ["starter"]}, ANN, BOSS)
    await lab.start(started_by="dan")

    assert await refused(lab, BOSS) == "NotEligible"
    await nudged(lab, 11)
    assert item(lab).escalated == ("role:admin", "user:dan")
    assert await refused(lab, DAN) == "NotEligible"
    assert await refused(lab, BOB) == "NotEligible"
    await say(lab, BOSS)
    assert (await ended(lab)) == ("completed", 1)


@pytest.mark.parametrize("rule", ["all", "per_group"])
def test_who_it_was_escalated_to_stands_in_for_one_who_did_not_decide(rule: str) -> None:
    """C96: One more person fills one empty place, not all of them."""

    @virtually
    async def play() -> None:
        policy = {**NUDGED, "rule": rule, "eligible": ["user:ann", "user:bob", "user:dan"]}
        lab = asking(policy, ANN, BOB, DAN, BOSS)
        await lab.start()
        await say(lab, ANN)
        await nudged(lab, 11)
        await say(lab, BOSS)

        assert (await ended(lab))[0] == "waiting"
        await say(lab, BOB)
        assert (await ended(lab)) == ("completed", 1)

    play()


@virtually
async def test_a_run_that_ends_takes_its_reminders_with_it() -> None:
    """Nothing follows the terminal event, as the protocol's invariants have it."""
    lab = asking(NUDGED, ANN)
    await lab.start()
    await lab.runner.cancel("r", CLI.id)
    await nudged(lab, 200)

    assert (await lab.runner.settled("r")).status == "cancelled"
    assert lab.events("InterruptReminded") == []
