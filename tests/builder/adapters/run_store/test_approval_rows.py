"""Approvals by several people on the real stores: rows, races and restarts, on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.errors import RequestRefused
from engine.core.state.requests import Actor, Answer
from engine.local import Local
from engine.runtime.system import SystemClock
from tests.builder.store_world import Installation, WatchedStore, installation, spec, start

__all__ = ["installation"]

PEOPLE = [
    Actor(name, name.title(), roles=frozenset({"reviewer"}), groups=frozenset(groups))
    for name, groups in (("ann", ["legal"]), ("bob", ["finance"]), ("cat", ["legal", "finance"]))
]
ANN, BOB, CAT = PEOPLE


class Directory:
    """Ann, Bob and Cat."""

    async def members(self, workspace_id: str | None) -> Sequence[Actor]:
        return PEOPLE


def graph(**policy: Any) -> Any:
    config = {"review_keys": ["note"], "editable_keys": ["note"], "policy": policy}
    review = {"id": "review", "type": "approval", "write_keys": ["note"], "config": config}
    return spec([review], [("__start__", "review")], initial_memory={"note": "a"})


async def watched(installation: Installation, asked: Any) -> tuple[Local, WatchedStore]:
    """A process whose rows are compared with the fold of the log after every commit (I11)."""
    local = await installation.process(asked, kind=WatchedStore)
    store = local.store
    assert isinstance(store, WatchedStore)
    store.seen, store.look, store.program = (
        set(),
        installation.look,
        local.graphs.program_of(asked),
    )
    local.runner.services.directory = Directory()
    return local, store


async def say(
    local: Local, run_id: str, who: Actor, decision: str = "approved", **more: Any
) -> Any:
    [opened] = (await local.store.warm(run_id)).interrupts.values()
    token = local.runner.token(opened.request_id)
    answer = Answer(token, opened.content_hash, decision, **more)
    return await local.runner.answer(opened.request_id, answer, who)


async def test_rows_follow_every_decision(installation: Installation) -> None:
    """I11: Decisions, edits, drops and timers in rows equal the fold, across a restart."""
    asked = graph(
        rule={"at_least": 2},
        eligible=["group:legal", "group:finance"],
        reminders=[60_000],
        escalation={"after_ms": 90_000, "to": ["role:admin"]},
    )
    local, store = await watched(installation, asked)
    run_id = await start(local, asked, "r1")
    await local.runner.settled(run_id)
    kinds = "SELECT kind FROM builder_timer ORDER BY kind"
    assert installation.look.rows(kinds) == [("escalate",), ("expire",), ("remind",)]
    assert installation.look.rows("SELECT principal FROM builder_asked ORDER BY principal") == [
        ("group:finance",),
        ("group:legal",),
    ]
    await say(local, run_id, ANN)
    await say(local, run_id, BOB, edits={"note": "b"})
    assert installation.look.rows("SELECT decided_by FROM builder_decision") == [("bob",)]
    await local.runner.close()
    store.close()

    again, store = await watched(installation, asked)
    await again.runner.recover()
    await say(again, run_id, CAT)
    state = await again.runner.settled(run_id)

    assert (state.status, state.memory["note"]) == ("completed", "b")
    assert store.compared > 0
    assert installation.look.rows(kinds) == []
    said = "SELECT decided_by, decision FROM builder_decision ORDER BY decided_by"
    assert installation.look.rows(said) == [("bob", "approved"), ("cat", "approved")]
    await again.runner.close()


@pytest.mark.parametrize("seed", range(6))
async def test_people_who_decide_at_once(installation: Installation, seed: int) -> None:
    """I7: Of three at once on two places two count, the third hears of it, and no click twice."""
    asked = graph(rule={"at_least": 2})
    local, _store = await watched(installation, asked)
    run_id = await start(local, asked, "r1")
    [opened] = (await local.runner.settled(run_id)).interrupts.values()
    answer = Answer(local.runner.token(opened.request_id), opened.content_hash, "approved")
    order = [PEOPLE[(seed + i) % 3] for i in range(3)]
    clicks = [who for who in order for _ in range(1 + seed % 2)]
    said = await asyncio.gather(
        *(local.runner.answer(opened.request_id, answer, who) for who in clicks),
        return_exceptions=True,
    )

    state = await local.runner.settled(run_id)
    told = {s.code for s in said if isinstance(s, RequestRefused)}
    rows = installation.look.rows("SELECT decided_by FROM builder_decision")
    assert (state.status, len(rows), told) == ("completed", 2, {"AlreadyDecided"})
    events = [e.data for e in await local.store.events(run_id) if e.type == "DecisionRecorded"]
    assert {e["by"] for e in events} == {row[0] for row in rows}
    assert len(events) == 2
    await local.runner.close()


async def test_reminders_and_escalation_are_in_the_rows(installation: Installation) -> None:
    """C93: The inbox finds who is asked from now on, and when people were reminded."""
    asked = graph(
        eligible=["user:ann"], reminders=[1_000], escalation={"after_ms": 2_000, "to": "role:x"}
    )
    local, store = await watched(installation, asked)
    run_id = await start(local, asked, "r1")
    await local.runner.settled(run_id)
    assert isinstance(store.clock, SystemClock)
    store.clock.offset_ms += 3_000
    await local.runner.wake(run_id)

    [row] = installation.look.rows(
        "SELECT reminded_at - opened_at, escalated_seq IS NOT NULL FROM builder_interrupt"
    )
    assert row[0] >= 3_000
    assert bool(row[1])
    principals = installation.look.rows("SELECT principal FROM builder_asked ORDER BY principal")
    assert principals == [("role:x",), ("user:ann",)]
    await local.runner.close()
