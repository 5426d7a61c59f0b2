"""What a call gave whose run another worker has by now: told by a row, booked once, and in its place."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from builder.adapters.run_store.apart.worker_store import WorkerStore
from engine.local import Local
from engine.runtime.stores.call_outcome import outcome_of
from engine.runtime.system import TurnsForAll
from engine.scripted.script import Script
from tests.builder.store_world import (
    Installation,
    agent,
    installation,
    lives,
    spec,
    start,
    store_of,
)

__all__ = ["installation"]
MAIL = spec(
    [{"id": "send", "type": "tool", "config": {"tool_id": "mail", "arguments": {}}}],
    [("__start__", "send")],
)
LATE = "SELECT payload, answer FROM builder_request WHERE kind = 'outcome' ORDER BY id"


def mailing(delay_ms: int, effect: str = "unsafe") -> Script:
    """Return a script whose one tool answers after a while."""
    reply = {"result": {"sent": True}, "delay_ms": delay_ms, "effect_class": effect}
    return Script.model_validate({"tools": {"mail": [reply]}, "repeat_last": True})


async def taken_from(installation: Installation) -> tuple[Local, Local]:
    """Return a worker that still sends what another one, who took its run, asks a person about."""
    first = await installation.process(MAIL, kind=WorkerStore, script=mailing(700))
    await start(first, MAIL, "r1")
    await asyncio.sleep(0.1)
    assert first.runner.under_way.runs == {"r1"}
    second = await installation.process(MAIL, kind=WorkerStore, script=mailing(0))
    lives(installation, store_of(second))
    assert await second.runner.recovery.scan() == 1  # nobody knows the first to live
    waiting = await second.runner.settled("r1")
    assert [opened.kind for opened in waiting.interrupts.values()] == ["in_doubt"]
    return first, second


async def told(installation: Installation, count: int = 1) -> list[Any]:
    """Return what was left for whoever has the run, once it is."""
    async with asyncio.timeout(20):
        while len(rows := installation.look.rows(LATE)) < count:  # noqa: ASYNC110  another process
            await asyncio.sleep(0.02)
    return rows


async def test_what_a_worker_learns_that_lost_its_run_ends_the_doubt(
    installation: Installation,
) -> None:
    """I5, I7: nobody has to be asked about a call that was answered, and it is not made again."""
    first, second = await taken_from(installation)
    await told(installation)

    await second.runner.mailbox.scan()
    ended = await second.runner.settled("r1")

    assert (ended.status, ended.outputs["send"]) == ("completed", {"sent": True})
    [closed] = ended.resolved.values()
    assert (closed["outcome"], closed["decision"]) == ("answered", "happened")
    assert "by" not in closed
    [[_payload, answer]] = installation.look.rows(LATE)
    assert json.loads(answer) == {"granted": {"counts": True}}
    for worker in (first, second):
        await worker.runner.close()


async def test_a_late_outcome_counts_once(installation: Installation) -> None:
    first, second = await taken_from(installation)
    [[payload, _none]] = await told(installation)
    again = outcome_of(json.loads(payload))
    await second.runner.mailbox.scan()
    await second.runner.settled("r1")
    before = len(await second.store.events("r1"))

    store = store_of(second)
    store.facts.keep("r1", [again])
    await store.hand_over("r1")
    await second.runner.mailbox.scan()

    assert [json.loads(answer) for _payload, answer in installation.look.rows(LATE)] == [
        {"granted": {"counts": True}},
        {"granted": {"counts": False}},
    ]
    assert len(await second.store.events("r1")) == before
    for worker in (first, second):
        await worker.runner.close()


async def test_the_answer_of_a_first_send_says_nothing_of_a_second(
    installation: Installation,
) -> None:
    """An outcome names its intent: one that came after it has an outcome of its own."""
    first, second = await taken_from(installation)
    [[payload, _none]] = await told(installation)
    outcome = outcome_of(json.loads(payload))
    state = await second.store.warm("r1")
    assert state.activations["send#1"].steps[(1, outcome.path)].seq == outcome.seq

    earlier = replace(outcome, seq=outcome.seq - 1)
    counts = [
        await second.store.transact("r1", None, said.counts, flush=False)
        for said in (earlier, outcome)
    ]

    assert counts == [False, True]
    for worker in (first, second):
        await worker.runner.close()


async def test_what_could_not_be_left_is_left_by_the_next_scan(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await taken_from(installation)
    store = store_of(first)
    connect = store.writer._connect
    monkeypatch.setattr(store.writer, "_connect", _away)
    async with asyncio.timeout(20):
        while not store.facts:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert installation.look.rows(LATE) == []
    monkeypatch.setattr(store.writer, "_connect", connect)

    await first.runner.recovery.scan()

    assert len(await told(installation)) == 1
    for worker in (first, second):
        await worker.runner.close()


ASKING = spec([agent("ask")], [("__start__", "ask")])


def writing(text: str, delay_ms: int) -> Script:
    """Return a script whose model answers after a while."""
    reply = {"text": text, "delay_ms": delay_ms}
    return Script.model_validate({"default": [reply], "repeat_last": True})


class Gate(TurnsForAll):
    """Turns that are given once it is open."""

    def __init__(self) -> None:
        self.asked, self.opened = asyncio.Event(), asyncio.Event()

    async def take(self, *_call: Any) -> None:
        """Wait for it."""
        self.asked.set()
        await self.opened.wait()


async def test_what_is_told_while_one_waits_for_a_turn_is_not_asked_again(
    installation: Installation,
) -> None:
    """C34: a call that a former owner made is answered while the new one waits to make it again."""
    first = await installation.process(ASKING, kind=WorkerStore, script=writing("first", 700))
    await start(first, ASKING, "r1")
    await asyncio.sleep(0.1)
    assert first.runner.under_way.runs == {"r1"}
    second = await installation.process(ASKING, kind=WorkerStore, script=writing("second", 0))
    second.runner.services.turns = gate = Gate()
    lives(installation, store_of(second))
    assert await second.runner.recovery.scan() == 1  # nobody knows the first to live
    async with asyncio.timeout(20):
        await gate.asked.wait()
    await told(installation)
    await second.runner.mailbox.scan()

    gate.opened.set()
    ended = await second.runner.settled("r1")

    assert (ended.status, ended.outputs["ask"]) == ("completed", "first")
    sent = [event for event in await second.store.events("r1") if event.type == "StepIntended"]
    assert len(sent) == 1
    for worker in (first, second):
        await worker.runner.close()


def _away() -> Any:
    raise OSError("the database is away")
