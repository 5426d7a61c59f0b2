"""Asking back: the clock of an approval stops, and goes on with what was left."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from typing import Any

import pytest

from engine.core.errors import RequestRefused
from engine.core.state.requests import Actor, Asks
from tests.engine import asking_back
from tests.engine.lab import Lab
from tests.engine.runtime.approvals.test_approval_rules import (
    ANN,
    BOB,
    CAT,
    DAN,
    EVE,
    asking,
    ended,
    item,
    say,
)
from tests.engine.runtime.approvals.test_approval_timers import nudged
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

DAY = 86_400
NUDGED: dict[str, Any] = {
    "reminders": [5_000],
    "escalation": {"after_ms": 10_000, "to": ["role:admin"]},
}
OTTO = replace(EVE, id="otto", roles=frozenset({"viewer"}))
"""Starts the run."""


async def ask(lab: Lab, by: Actor = ANN, to: Actor = OTTO, question: str = "Which bank?") -> Any:
    request = item(lab).request_id
    return await asking_back.ask_back(lab.runner, "r", request, Asks(to, question), by)


async def reply(lab: Lab, by: Actor = OTTO, text: str = "The old one") -> Any:
    return await asking_back.answer_back(lab.runner, "r", item(lab).request_id, text, by)


async def take_back(lab: Lab, by: Actor = BOB) -> Any:
    return await asking_back.take_back(lab.runner, "r", item(lab).request_id, by)


async def code(doing: Awaitable[Any]) -> str:
    with pytest.raises(RequestRefused) as caught:
        await doing
    return caught.value.code


async def opened(policy: dict[str, Any] | None = None, **config: Any) -> Lab:
    lab = asking(policy or {}, ANN, BOB, CAT, **config)
    await lab.start(started_by="otto")
    return lab


@virtually
async def test_the_clock_stands_still_until_the_reply() -> None:
    """C93: Deadline, reminder and escalation come with what was left of them."""
    lab = await opened(NUDGED, timeout_ms=20_000)
    first = item(lab)
    hash_before = first.content_hash
    await asyncio.sleep(2)
    await ask(lab)
    await asyncio.sleep(DAY)
    assert item(lab).expires_at is None

    await reply(lab)

    assert lab.events("InterruptReminded") == lab.events("InterruptEscalated") == []
    now = lab.clock.now()
    assert item(lab).expires_at == now + 18_000
    assert item(lab).content_hash == hash_before
    late = DAY * 1000
    assert await nudged(lab, 9) == {"Reminded": [late + 5_000], "Escalated": [late + 10_000]}
    await asyncio.sleep(12)
    assert (await ended(lab))[0] == "failed"
    [end] = lab.events("InterruptResolved")
    assert end.at == first.opened_at + late + 20_000


@virtually
async def test_after_seven_days_the_clock_runs_on_by_itself() -> None:
    """C93: Also where no process was there at that moment: nothing is given away."""
    lab = await opened(timeout_ms=20_000)
    await ask(lab)
    await lab.runner.close()
    await asyncio.sleep(7 * DAY + 15)
    await lab.crash()
    await asyncio.sleep(1)

    assert item(lab).asked_back is None
    assert lab.events("InterruptAnsweredBack")[0].data["outcome"] == "lapsed"
    assert await code(reply(lab)) == "NotAskedBack"
    assert await code(ask(lab, question="And now?")) == "AskedBackEnough"
    await asyncio.sleep(6)
    assert (await ended(lab))[0] == "failed"


@virtually
async def test_several_questions_stop_it_for_seven_days_together() -> None:
    """C93: What an earlier question took is gone."""
    lab = await opened(timeout_ms=20_000)
    await ask(lab)
    await asyncio.sleep(6 * DAY)
    await reply(lab)
    await ask(lab, question="And the other?")
    await asyncio.sleep(DAY + 10)

    assert item(lab).asked_back is None
    assert item(lab).stopped_ms == 7 * DAY * 1000


@virtually
async def test_a_crash_keeps_what_was_left() -> None:
    """C93: The log is enough to go on."""
    lab = await opened(NUDGED, timeout_ms=20_000)
    await asyncio.sleep(2)
    await ask(lab)
    await lab.crash()
    await asyncio.sleep(DAY)
    await lab.crash()
    await reply(lab)

    assert item(lab).expires_at == lab.clock.now() + 18_000
    assert await say(lab, ANN)
    assert (await ended(lab)) == ("completed", 1)


@virtually
async def test_whoever_may_decide_still_may() -> None:
    """C96: A question back decides nothing and holds nobody up; an approval counts once."""
    lab = await opened()
    await ask(lab)
    await say(lab, BOB)

    assert (await ended(lab)) == ("completed", 1)
    state = await lab.runner.settled("r")
    assert state.timers == {}
    request = lab.events("InterruptOpened")[0].data["request_id"]
    late = asking_back.answer_back(lab.runner, "r", request, "Too late", OTTO)
    assert await code(late) == "InterruptClosed"


@virtually
async def test_a_cancelled_run_takes_the_question_with_it() -> None:
    """Nothing follows the terminal event."""
    lab = await opened()
    await ask(lab)
    await lab.runner.cancel("r", "ann")
    await asyncio.sleep(8 * DAY)

    assert (await lab.runner.settled("r")).status == "cancelled"
    assert lab.events("InterruptAnsweredBack") == []


@virtually
async def test_two_who_ask_at_once_ask_once() -> None:
    """C96: One question at a time; the same again is the same."""
    lab = await opened()
    both = await asyncio.gather(ask(lab), ask(lab, BOB, question="Why?"), return_exceptions=True)

    assert [one.code for one in both if isinstance(one, RequestRefused)] == ["AlreadyAskedBack"]
    asked = item(lab).asked_back
    assert asked is not None
    await ask(lab, ANN if asked.by == "ann" else BOB, question=asked.question)
    assert len(lab.events("InterruptAskedBack")) == 1
    await reply(lab)
    await reply(lab)
    assert len(lab.events("InterruptAnsweredBack")) == 1


@virtually
async def test_the_question_can_be_taken_back() -> None:
    """C93: The clock goes on, and somebody else can be asked."""
    lab = await opened(timeout_ms=20_000)
    await ask(lab)
    await asyncio.sleep(60)
    await take_back(lab)
    await take_back(lab)

    assert item(lab).expires_at == lab.clock.now() + 20_000
    await ask(lab, to=EVE)
    assert item(lab).asked_times == 2


@virtually
async def test_who_asks_whom() -> None:
    """C96: Who may decide asks the starter or an author; only who was asked answers."""
    lab = await opened({"eligible": ["user:ann", "user:bob"]})

    assert await code(ask(lab, CAT)) == "NotEligible"
    assert await code(ask(lab, to=DAN)) == "AskNotPossible"
    assert await code(ask(lab, to=ANN)) == "AskNotPossible"
    assert await code(ask(lab, question="  ")) == "AnswerInvalid"
    assert await code(ask(lab, question="x" * 5_000)) == "AnswerInvalid"
    await ask(lab)
    assert await code(reply(lab, DAN)) == "NotEligible"
    assert await code(take_back(lab, CAT)) == "NotEligible"
    await reply(lab)


@virtually
async def test_a_question_asked_of_a_person_by_a_node_is_not_asked_back() -> None:
    """Only approvals have a reviewer's clock."""
    from tests.engine.lab import single

    lab = Lab(single("t_interrupt"))
    await lab.start(started_by="otto")

    assert await code(ask(lab)) == "AskNotPossible"
