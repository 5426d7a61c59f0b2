"""`manage.py verify`: finds nothing in what the engine wrote, and each defect that is seeded."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson
import pytest

from builder.services.audit.chain import GENESIS, chained
from builder.services.verification.check import Looked, check
from builder.services.verification.snapshot import snapshot
from engine.core.state.requests import Answer
from engine.local import LocalGraphs
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from tests.builder.databases import AWAY, HOME, Database
from tests.builder.store_world import (
    BUSY,
    WAITING,
    Installation,
    approve,
    hold_of,
    installation,
    reserve,
    spec,
    start,
)
from tests.engine.runtime.approvals.test_approval_rules import ANN, BOB

__all__ = ["installation"]


async def verified(
    installation: Installation, graph: Any = BUSY, **narrow: str
) -> tuple[list[str], Looked]:
    """Return what disagrees, and how much was looked at."""
    graphs, looked = LocalGraphs([graph]), Looked()
    with snapshot(installation.look.dialect) as look:
        found = check(look, graphs, looked, **narrow)
        return [str(finding) async for finding in found], looked


def enter(look: Database, seqs: dict[int, str], run_id: str = "r", **more: Any) -> None:
    """Put actions of a run into its workspace's chain, as the audit thread does."""
    prev = GENESIS
    for n, (seq, action) in enumerate(seqs.items(), 1):
        ref = f"{run_id}:{seq}"
        detail = more if action == "interrupt.decided" else {}
        actor = "cli" if detail else None
        entry = {"action": action, "actor": actor, "detail": detail, "ref": ref}
        text = orjson.dumps(entry).decode()
        row = (HOME, n, prev, text, chained(prev, text), "2026-01-01 00:00:00+00:00", ref)
        look.change(
            "INSERT INTO builder_auditentry (workspace_id, n, prev_hash, entry, entry_hash, at, ref)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            row,
        )
        prev = chained(prev, text)
    look.change("DELETE FROM builder_pendingdeed")


def deeds_of(look: Database) -> dict[int, str]:
    """Return the seqs of what is pending, named as the audit thread names them."""
    seqs = [
        place % EVENTS_PER_RUN
        for (place,) in look.rows("SELECT place FROM builder_pendingdeed ORDER BY 1")
    ]
    return {seq: "run.started" if seq == 1 else "interrupt.decided" for seq in seqs}


async def done(installation: Installation) -> Database:
    """Play a run with calls, retries, a timer and an approval to its end; its actions are entered."""
    local = await installation.process()
    await start(local, BUSY, "r")
    await approve(local, "r")
    await local.runner.settled("r")
    await local.runner.quiet()
    await local.runner.close()
    look = installation.look
    [(content,)] = look.rows("SELECT content_hash FROM builder_interrupt")
    enter(look, deeds_of(look), decision="approved", content_hash=content)
    return look


async def test_what_the_engine_wrote_agrees(installation: Installation) -> None:
    look = await done(installation)

    found, looked = await verified(installation)

    assert found == []
    [(events,)] = look.rows("SELECT COUNT(*) FROM builder_runevent")
    assert (looked.runs, looked.events, looked.chains) == (1, events, 2)


async def test_a_run_under_way_agrees_at_every_moment(installation: Installation) -> None:
    local = await installation.process()
    await start(local, BUSY, "r")
    for _ in range(3):
        assert (await verified(installation))[0] == []
        await local.runner.settled("r")
    assert (await verified(installation))[0] == []
    await approve(local, "r")
    assert (await verified(installation))[0] == []
    await local.runner.close()


EVENT = f"(SELECT number * {EVENTS_PER_RUN} FROM builder_run WHERE id = 'r')"
TAIL = f"(SELECT MAX(place) FROM builder_runevent WHERE place < {EVENT} + {EVENTS_PER_RUN})"
SEEDED: list[tuple[str, str]] = [
    ("UPDATE builder_run SET status = 'failed'", "run r: status is 'failed'"),
    ("UPDATE builder_run SET spent_tokens = spent_tokens + 1", "run r: spent_tokens"),
    ("UPDATE builder_run SET spent_pico = 7", "run r: spent_pico"),
    ("UPDATE builder_run SET held_tokens = 3", "run r: held_tokens"),
    ("UPDATE builder_run SET ended_at = 1", "run r: ended_at"),
    ("UPDATE builder_run SET started_by = 'mallory'", "run r: started_by"),
    ("UPDATE builder_run SET error = '{}'", "run r: error"),
    ("UPDATE builder_run SET waiting_for = '[\"x\"]'", "run r: waiting_for"),
    ("UPDATE builder_run SET number = NULL", "run r: it has no number"),
    (f"DELETE FROM builder_runevent WHERE place = {EVENT} + 4", "run r at 4: the event is missing"),
    (
        f"DELETE FROM builder_runevent WHERE place = {TAIL}",
        "run r: status is 'completed' in its row",
    ),
    (
        "UPDATE builder_runevent SET type = 'NodeCompleted' WHERE type = 'StepIntended'",
        "cannot be read: KeyError",
    ),
    ("UPDATE builder_interrupt SET outcome = 'rejected'", "outcome is 'rejected' in its row"),
    ("UPDATE builder_interrupt SET decided_by = 'mallory'", "decided_by is 'mallory'"),
    ("UPDATE builder_interrupt SET status = 'open'", "status is 'open' in its row"),
    ("DELETE FROM builder_interrupt", "its log has it and no row does"),
    (
        "INSERT INTO builder_decision (interrupt_id, decided_by, decision, decided_at, seq) "
        "SELECT request_id, 'mallory', 'approved', 0, 1 FROM builder_interrupt",
        "of mallory: a row has it and its log does not",
    ),
    (
        f"INSERT INTO builder_activation (place, key, node, status, attempt, epoch) VALUES ({EVENT}, 'x#1', 'x', 'running', 1, 0)",
        "activation x#1: a row has it",
    ),
    (
        "INSERT INTO builder_timer (id, run, kind, fire_at) VALUES ('r:sleep:x', 'r', 'sleep', 1)",
        "timer sleep:x: a row has it",
    ),
    (
        "INSERT INTO builder_budgethold (id, run, key, budgets, tokens, pico, state) VALUES ('h', 'r', 'x', '[]', 1, 0, 'held')",
        "hold h: a row has it",
    ),
    ("UPDATE builder_spending SET tokens = tokens + 1", "spending of workspace home"),
    (
        "INSERT INTO builder_triggerspending (workspace_id, day, graph, trigger, calls, unpriced, "
        "tokens, pico) VALUES ('home', '2026-11-22', 'g', 't', 1, 0, 7, 0)",
        "spending of workspace home: 7 tokens in its sums of triggers, 0 by the logs",
    ),
    ("DELETE FROM builder_spending", "spending of workspace home: 0 tokens"),
    (
        "INSERT INTO builder_budget (id, level, workspace_id, spent_tokens, spent_pico, held_tokens, held_pico) "
        "VALUES ('run:r2', 'run', 'home', 5, 0, 0, 0)",
        "budget run:r2: spent 5 tokens",
    ),
    (
        "INSERT INTO builder_budget (id, level, workspace_id, spent_tokens, spent_pico, held_tokens, held_pico) "
        "VALUES ('w', 'workspace', 'home', 0, 0, 9, 0)",
        "budget w: held 9 tokens",
    ),
    ("DELETE FROM builder_auditentry WHERE n = 1", "entry 1: it is missing, 2 follows"),
    ("DELETE FROM builder_auditentry WHERE n = 2", "the audit log lacks this InterruptResolved"),
    ("UPDATE builder_auditentry SET prev_hash = 'x' WHERE n = 2", "entry 2: it does not follow"),
    (
        "UPDATE builder_auditentry SET entry = REPLACE(entry, 'approved', 'rejected')",
        "entry 2: it was changed",
    ),
    (
        "UPDATE builder_auditentry SET entry = REPLACE(entry, 'approved', 'rejected')",
        "decision is 'approved' in the log",
    ),
    (
        "UPDATE builder_auditentry SET ref = 'r:3' WHERE n = 2",
        "the audit log tells of an action that",
    ),
]


def unguarded(look: Database, text: str) -> None:
    """Execute what triggers and references would refuse, as somebody with the file can."""
    if "auditentry" in text and look.path is not None:
        for (name,) in look.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            look.change(f"DROP TRIGGER {name}")
    elif "auditentry" in text:
        look.change("ALTER TABLE builder_auditentry DISABLE TRIGGER USER")
    elif text == "DELETE FROM builder_interrupt":
        look.change("DELETE FROM builder_interruptcard")
        look.change("DELETE FROM builder_interruptfield")
    look.change(text)


@pytest.mark.parametrize(("defect", "told"), SEEDED, ids=[told[:44] for _, told in SEEDED])
async def test_each_defect_is_found(installation: Installation, defect: str, told: str) -> None:
    look = await done(installation)
    unguarded(look, defect)

    found, _ = await verified(installation)

    assert any(told in line for line in found), found


async def test_what_waits_is_compared_as_well(installation: Installation) -> None:
    """Live rows: a question, a hold, a budget and what is alive of a run that is not over."""
    local = await installation.process(WAITING)
    await start(local, WAITING, "r")
    await local.runner.settled("r")
    await reserve(local, "r", hold_of("r"))
    look = installation.look
    assert (await verified(installation, WAITING))[0] == []

    for defect, told in [
        ("UPDATE builder_budgethold SET tokens = 99", "hold r:h: tokens is 99"),
        ("UPDATE builder_budget SET held_tokens = 1", "budget run:r: held 1 tokens"),
        ("UPDATE builder_budget SET spent_tokens = 1", "budget run:r: spent 1 tokens"),
        ("UPDATE builder_interrupt SET content_hash = 'x'", "content_hash is 'x' in its row"),
        ("UPDATE builder_timer SET fire_at = 1", "due is 1 in its row"),
        ("DELETE FROM builder_timer", "its log has it and no row does"),
        ("UPDATE builder_activation SET status = 'queued'", "status is 'queued' in its row"),
        ("DELETE FROM builder_activation", "activation review#1: its log has it"),
        ("DELETE FROM builder_pendingdeed", "the audit log lacks this RunStarted"),
    ]:
        look.change(defect)
        found, _ = await verified(installation, WAITING)
        assert any(told in line for line in found), (defect, found)
    await local.runner.close()


async def test_votes_and_edits_agree_and_a_changed_vote_is_found(
    installation: Installation,
) -> None:
    policy = {"rule": {"at_least": 2}}
    config = {"review_keys": ["note"], "editable_keys": ["note"], "policy": policy}

    node = {"id": "review", "type": "approval", "write_keys": ["note"], "config": config}
    graph = spec([node], [("__start__", "review")], initial_memory={"note": 1})
    local = await installation.process(graph)
    await start(local, graph, "r", workspace_id=AWAY)

    async def say(who: Any, **more: Any) -> None:
        (opened,) = (await local.runner.settled("r")).interrupts.values()
        token = local.runner.token(opened.request_id)
        answer = Answer(token, opened.content_hash, "approved", **more)
        await local.runner.answer(opened.request_id, answer, who)

    await say(ANN)
    await say(BOB, edits={"note": "x" * 200_000})
    look = installation.look
    assert (await verified(installation, graph))[0] == []
    assert look.rows("SELECT decided_by, reason FROM builder_lapse") == [("ann", "content_changed")]

    look.change("UPDATE builder_decision SET decision = 'rejected'")
    found, _ = await verified(installation, graph, run_id="r")
    assert found == [line for line in found if "decision is 'rejected' in its row" in line] != []
    look.change("UPDATE builder_decision SET decision = 'approved'")
    await say(ANN)
    assert (await verified(installation, graph, workspace_id=AWAY))[0] == []
    assert look.rows("SELECT COUNT(*) FROM builder_lapse") == [(0,)]
    look.change("DELETE FROM builder_blob")
    found, _ = await verified(installation, graph)
    assert any("cannot be read" in line for line in found)
    await local.runner.close()


async def test_nothing_is_written_and_one_run_can_be_asked_for(installation: Installation) -> None:
    look = await done(installation)

    def state() -> str:
        tables = ("run", "runevent", "interrupt", "auditentry", "pendingdeed")
        rows = [look.rows(f"SELECT * FROM builder_{table} ORDER BY 1") for table in tables]
        return hashlib.sha256(repr(rows).encode()).hexdigest()

    before = state()
    found, looked = await verified(installation, run_id="r")
    assert (found, looked.runs, looked.chains) == ([], 1, 0)
    assert (await verified(installation, workspace_id=AWAY))[1].runs == 0
    assert state() == before
    with snapshot(look.dialect) as reading, pytest.raises(Exception, match=r"read-?\s?only"):
        reading.rows("DELETE FROM builder_pendingdeed")
