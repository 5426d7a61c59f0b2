"""Turns of model calls: who waits has sent nothing and holds nothing, and every turn is given on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.core.node_types.registry import NodeTypes
from engine.runtime.mailbox import wishes
from engine.scripted.models import ScriptedModels
from engine.scripted.script import Script
from tests.engine import posted
from tests.engine.lab import Lab, document, in_virtual_time

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
ASK = {"id": "a", "type": "agent", "config": {"agent_id": "ann", "prompt": "Go."}}
MORE = {"repeat_last": True}
BUSY = {"error": {"status": 500, "message": "busy"}}


class Turns:
    """Gives turns once it is open, and knows who has one."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.asked: list[tuple[str, str, str]] = []
        self.paused: list[tuple[Any, ...]] = []
        self.held = 0

    async def take(self, _workspace_id: str | None, run_id: str, key: str, model: str) -> int:
        self.asked.append((run_id, key.partition("#")[0], model))
        await self.open.wait()
        self.held += 1
        return self.held

    async def wants_money(self, _workspace_id: str | None, *_call: str) -> None:
        return None

    def over(self, turn: int | None) -> None:
        assert turn is not None
        self.held -= 1

    async def pause(self, *call: Any) -> None:
        self.paused.append(call)


class Line(Lab):
    """A laboratory whose calls stand in line."""

    def __init__(self, answers: list[dict[str, Any]], **fields: Any) -> None:
        self.turns = Turns()
        self.scripted = ScriptedModels(Script.parse({"default": answers}))
        super().__init__(document([ASK], "__start__ > a", **fields))

    def boot(self, types: NodeTypes) -> None:
        super().boot(types)
        self.runner.models = self.scripted
        self.runner.services.turns = self.turns


def test_who_waits_has_sent_nothing_and_holds_no_money() -> None:
    """After a crash it asks for its turn anew, and the call is made once."""

    async def play() -> None:
        lab = Line([{"text": "Done."}])
        await lab.begin()
        await asyncio.sleep(60)
        state = lab.store.peek("r")
        assert state is not None

        assert state.status == "running"
        assert state.held_tokens == 0
        assert lab.events("StepIntended") == []
        await lab.crash()
        await asyncio.sleep(60)
        lab.turns.open.set()
        ended = await lab.runner.settled("r")

        assert ended.status == "completed"
        assert len(lab.scripted.calls) == 1
        assert [run for run, _key, _model in lab.turns.asked] == ["r", "r"]
        assert {model for _run, _key, model in lab.turns.asked} == {
            lab.scripted.calls[0].request.model
        }
        assert lab.turns.held == 0

    in_virtual_time(play)


def test_every_turn_is_given_on_whatever_comes_of_the_call() -> None:
    async def play() -> None:
        lab = Line([BUSY, BUSY, {"text": "Done."}])
        lab.turns.open.set()
        state = await lab.start()

        assert state.status == "completed"
        assert len(lab.turns.asked) == 3, "each try stands in line for itself"
        assert lab.turns.held == 0

    in_virtual_time(play)


def test_a_call_that_no_budget_covers_gives_its_turn_on() -> None:
    async def play() -> None:
        lab = Line([{"text": "Done."}], limits={"max_token_budget": 1})
        lab.turns.open.set()
        state = await lab.start()

        assert state.status in ("failed", "waiting")
        assert lab.turns.asked
        assert lab.turns.held == 0
        assert lab.scripted.calls == []

    in_virtual_time(play)


def test_a_run_that_waits_for_its_turn_is_cancelled_at_once() -> None:
    async def play() -> None:
        lab = Line([{"text": "Done."}])
        await lab.begin()
        await asyncio.sleep(1)
        await posted.ask(lab.runner, "r", wishes.cancel("ann", None))
        state = await lab.runner.settled("r")

        assert state.status == "cancelled"
        assert lab.scripted.calls == []

    in_virtual_time(play)


def slow_down(**asked: int) -> dict[str, Any]:
    return {"error": {"status": 429, "message": "slow down", **asked}}


def test_a_provider_that_asks_for_a_pause_is_called_by_nobody_until_it_is_over() -> None:
    """Other runs wait: they have sent nothing, held no money and used up no attempt."""

    async def play() -> None:
        lab = Lab(document([{**ASK, "failure_policy": {"max_retries": 1}}], "__start__ > a"))
        lab.runner.models = models = ScriptedModels(
            Script.parse({"default": [slow_down(retry_after_ms=40_000), {"text": "Done."}]} | MORE)
        )
        await lab.begin("r1")
        await asyncio.sleep(1)
        for n in range(2, 12):
            await lab.begin(f"r{n}")
        await asyncio.sleep(38)
        assert len(models.calls) == 1, "nobody asks before it wants to be asked"
        assert lab.events("StepIntended", run_id="r2") == []
        for n in range(1, 12):
            assert (await lab.runner.settled(f"r{n}")).status == "completed"
            assert len(lab.events("AttemptFailed", run_id=f"r{n}")) == (n == 1)
        assert len(models.calls) == 12

    in_virtual_time(play)


def test_others_wait_for_five_minutes_at_most() -> None:
    async def play() -> None:
        lab = Lab(document([{**ASK, "failure_policy": {"max_retries": 1}}], "__start__ > a"))
        lab.runner.models = models = ScriptedModels(
            Script.parse({"default": [slow_down(retry_after_ms=3_000_000), {"text": "Hi"}]} | MORE)
        )
        await lab.begin("r1")
        await asyncio.sleep(1)
        await lab.begin("r2")
        await asyncio.sleep(298)
        assert len(models.calls) == 1
        assert (await lab.runner.settled("r2")).status == "completed"
        assert lab.clock.now() - lab.events("RunStarted", run_id="r1")[0].at < 301_000

    in_virtual_time(play)


@pytest.mark.parametrize(
    ("failure", "paused"),
    [
        (slow_down(retry_after_ms=700), [(None, "local/default", 700)]),
        (slow_down(), []),
        ({"error": {"status": 503, "message": "away", "retry_after_ms": 700}}, []),
    ],
)
def test_only_who_is_asked_too_often_and_says_for_how_long_gets_a_pause(
    failure: dict[str, Any], paused: list[Any]
) -> None:
    async def play() -> None:
        lab = Line([failure, {"text": "Done."}])
        lab.turns.open.set()

        assert (await lab.start()).status == "completed"
        assert lab.turns.paused == paused

    in_virtual_time(play)


def test_an_attempt_that_was_told_when_to_ask_again_does_not_count() -> None:
    """C31: For a while: then they count as any others."""

    async def play() -> None:
        told = [slow_down(retry_after_ms=10_000)] * 10
        lab = Line([*told, BUSY, {"text": "Done."}])
        lab.turns.open.set()
        state = await lab.start()

        assert state.status == "completed"
        failed = [event.data for event in lab.events("AttemptFailed")]
        assert [each.get("uncounted", False) for each in failed] == [True] * 10 + [False]
        assert all(each["attempt"] < each["max_attempts"] for each in failed)

    in_virtual_time(play)


@pytest.mark.parametrize(
    ("wait_ms", "policy", "attempts"),
    [
        (1_000, {"max_retries": 1}, 22),
        (200_000, {"max_retries": 1}, 6),
        (1_000, {"max_retries": 0}, 1),
    ],
)
def test_the_patience_with_a_provider_that_is_asked_too_often_ends(
    wait_ms: int, policy: dict[str, int], attempts: int
) -> None:
    """C31: After twenty such answers, or a quarter of an hour; at once where no retry is wanted."""

    async def play() -> None:
        ask = {**ASK, "failure_policy": policy}
        lab = Lab(document([ask], "__start__ > a"))
        lab.runner.models = models = ScriptedModels(
            Script.parse({"default": [slow_down(retry_after_ms=wait_ms)]} | MORE)
        )
        state = await lab.start()

        assert state.status == "failed"
        assert state.error is not None
        assert state.error["code"] == "ProviderUnavailable"
        assert len(models.calls) == attempts

    in_virtual_time(play)
