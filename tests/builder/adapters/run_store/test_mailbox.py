"""What was asked of a run has its effect, whatever died between the commit and the owner."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from engine.core.decide.transition import Transition
from engine.core.errors import RequestRefused, StoreError
from engine.core.state.requests import CLI, Answer
from engine.core.state.run_state import OpenInterrupt
from engine.local import Local
from engine.runtime.mailbox import verbs, wishes
from engine.runtime.mailbox.box import MAX_TRIES
from engine.runtime.stores.requests import Request, Told, Wish, granted
from engine.runtime.system import SystemClock
from tests.builder.store_world import (
    WAITING,
    Installation,
    installation,
    start,
    store_of,
)
from tests.engine import posted

__all__ = ["installation"]
POST = 'INSERT INTO builder_request (run, kind, payload, "by", created) VALUES (?, ?, ?, ?, ?)'


def post(installation: Installation, wish: Wish, *, at: int | None = None) -> None:
    """Commit a wish as a web process does that dies before it rings."""
    created = SystemClock().now() if at is None else at
    row = ("r1", wish.kind, json.dumps(wish.payload), wish.by, created)
    installation.look.change(POST, row)


async def asked(local: Local) -> OpenInterrupt:
    [opened] = (await local.runner.settled("r1")).interrupts.values()
    return opened


def approval(opened: OpenInterrupt, decision: str = "approved") -> Wish:
    said = Answer("", opened.content_hash, decision)
    return wishes.answer(opened.request_id, said, CLI)


def answers(installation: Installation) -> list[Any]:
    rows = installation.look.rows("SELECT answer FROM builder_request ORDER BY id")
    return [None if answer is None else json.loads(answer) for (answer,) in rows]


async def waiting(installation: Installation) -> tuple[Local, OpenInterrupt]:
    local = await installation.process(WAITING)
    await start(local, WAITING, "r1")
    return local, await asked(local)


async def test_an_answer_outlives_the_process_that_was_to_apply_it(
    installation: Installation,
) -> None:
    """I7."""
    local, opened = await waiting(installation)
    await local.runner.close()
    post(installation, approval(opened))

    again = await installation.process(WAITING)
    await again.runner.recover()
    state = await again.runner.settled("r1")

    assert state.status == "completed"
    assert state.resolved[opened.request_id]["decision"] == "approved"
    [told] = answers(installation)
    assert told["granted"]["decision"] == "approved"
    await again.runner.close()


async def test_a_scan_finds_what_the_bell_missed(installation: Installation) -> None:
    local, opened = await waiting(installation)
    post(installation, approval(opened))
    assert (await asked(local)).request_id == opened.request_id

    await local.runner.recovery.scan()

    assert (await local.runner.settled("r1")).status == "completed"
    await local.runner.close()


@pytest.mark.parametrize("first", ["cancel", "answer"])
async def test_what_was_asked_first_comes_first(installation: Installation, first: str) -> None:
    local, opened = await waiting(installation)
    await local.runner.close()
    both = [approval(opened), wishes.cancel("ann", "enough")]
    for wish in sorted(both, key=lambda wish: wish.kind != first):
        post(installation, wish)

    again = await installation.process(WAITING)
    await again.runner.recover()
    state = await again.runner.settled("r1")

    assert state.status == "cancelled"
    outcome = {"cancel": "superseded", "answer": "answered"}[first]
    assert state.resolved[opened.request_id]["outcome"] == outcome
    assert all(answers(installation))
    await again.runner.close()


async def test_a_request_is_applied_once_by_bells_and_scans_together(
    installation: Installation,
) -> None:
    local, _opened = await waiting(installation)
    await local.runner.close()
    for _ in range(5):
        post(installation, wishes.cancel("ann", "enough"))
    again = await installation.process(WAITING)
    box = again.runner.mailbox

    await asyncio.gather(*(box.look("r1") for _ in range(4)), box.scan(), again.runner.recover())

    events = await again.store.events("r1")
    assert [e.type for e in events].count("RunEnding") == 1
    assert answers(installation) == [granted({})] * 5
    await again.runner.close()


async def test_who_asks_in_the_process_itself_needs_no_row(installation: Installation) -> None:
    local, opened = await waiting(installation)
    token = local.runner.token(opened.request_id)
    told = await local.runner.answer(
        opened.request_id, Answer(token, opened.content_hash, "approved"), CLI
    )

    assert (told["decision"], told["request_id"]) == ("approved", opened.request_id)
    assert (await local.runner.settled("r1")).status == "completed"
    assert answers(installation) == []
    await local.runner.close()


async def test_of_a_run_that_nobody_executes_what_was_asked_comes_before(
    installation: Installation,
) -> None:
    local, opened = await waiting(installation)
    await local.runner.close()
    post(installation, wishes.cancel("ann", "enough"))

    again = await installation.process(WAITING)
    token = again.runner.token(opened.request_id)
    with pytest.raises(RequestRefused) as refused:
        await again.runner.answer(
            opened.request_id, Answer(token, opened.content_hash, "approved"), CLI
        )

    assert refused.value.code in ("AlreadyDecided", "InterruptClosed")
    assert (await again.runner.settled("r1")).status == "cancelled"
    assert answers(installation) == [granted({})]
    await again.runner.close()


async def test_an_ended_run_answers_too(installation: Installation) -> None:
    local, opened = await waiting(installation)
    await local.runner.cancel("r1", "ann")
    await local.runner.settled("r1")
    await local.runner.close()
    post(installation, approval(opened))

    again = await installation.process(WAITING)
    await again.runner.recover()

    assert answers(installation)[-1]["refused"]["code"] == "AlreadyDecided"
    await again.runner.close()


async def test_one_that_the_engine_stumbles_over_blocks_nobody(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was recorded half-way is gone, the run goes on, and what came later has its effect."""

    async def stumble(_host: Any, _request: Request) -> Callable[[Transition], Told]:
        def verb(tx: Transition) -> Told:
            tx.append("WorkflowStateSet", None, {"name": "n", "value": "half-way"})
            raise ZeroDivisionError

        return verb

    local, opened = await waiting(installation)
    monkeypatch.setitem(verbs.KINDS, "stumble", stumble)
    reported: list[BaseException] = []
    monkeypatch.setattr(local.runner.services, "report", reported.append, raising=False)
    post(installation, Wish("stumble", {}, "ann"))
    post(installation, approval(opened))

    await local.runner.mailbox.look("r1")

    assert (await local.runner.settled("r1")).status == "completed"
    first, second = answers(installation)
    assert (list(first), list(second)) == (["failed"], ["granted"])
    assert [type(error) for error in reported] == [ZeroDivisionError]
    assert "half-way" not in str([e.data for e in await local.store.events("r1")])
    await local.runner.close()


async def test_what_cannot_be_written_is_given_up_at_last(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    local, opened = await waiting(installation)
    real, refused = store_of(local)._persist, [0]

    async def persist(batch: Any) -> None:
        if any(e.type == "InterruptResolved" for e in batch.events):
            refused[0] += 1
            raise StoreError("no column holds it")
        await real(batch)

    monkeypatch.setattr(local.store, "_persist", persist)
    monkeypatch.setattr(local.store, "_persist_at_once", lambda _batch: False)
    post(installation, approval(opened))

    for _ in range(MAX_TRIES + 1):
        with suppress(StoreError):  # whoever takes the run over tries it as well
            await local.runner.mailbox.look("r1")

    assert refused == [MAX_TRIES]
    assert list(answers(installation)[0]) == ["failed"]
    assert (await asked(local)).request_id == opened.request_id
    await local.runner.close()


async def test_whoever_asks_hears_what_became_of_it(installation: Installation) -> None:
    local, opened = await waiting(installation)
    post(installation, wishes.answer(opened.request_id, Answer("", decision="maybe"), CLI))
    post(installation, approval(opened))

    heard = [await local.runner.mailbox.answer_to("r1", n, 20) for n in (1, 2, 2)]

    assert heard[0] is not None
    assert heard[0]["refused"]["code"] == "AnswerInvalid"
    assert heard[1] == heard[2]
    with pytest.raises(RequestRefused):
        await posted.ask(local.runner, "r1", Wish("fly", {}, "ann"))
    await local.runner.close()


async def test_nobody_waits_for_a_process_that_ends(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    local, opened = await waiting(installation)
    monkeypatch.setattr(local.store.requests, "open", _nothing_found)
    post(installation, approval(opened))
    asked_for = asyncio.ensure_future(local.runner.mailbox.answer_to("r1", 1, 600))
    await asyncio.sleep(0)

    await local.runner.close()

    assert await asyncio.wait_for(asked_for, 20) is None
    assert await local.runner.mailbox.answer_to("r1", 1, 600) is None


async def _nothing_found(_run_id: str) -> list[Request]:
    return []
