"""What is news for the house, in the commit that makes it so, on both databases."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from builder.adapters.run_store import house_rows
from engine.core.errors import UNDECIDED
from engine.core.state.events import Event
from engine.core.state.requests import Actor, Answer
from tests.builder.adapters.run_store.test_shared_budget_rows import GRAPH, SCRIPT, limit
from tests.builder.databases import HOME, Database
from tests.builder.store_world import WAITING, Installation, installation, spec, start

__all__ = ["installation"]

ANN = Actor("ann", "Ann", roles=frozenset({"reviewer"}))
BROKEN = spec(
    [{"id": "say", "type": "output", "read_keys": ["input"], "config": {"value": "1 / 0"}}],
    [("__start__", "say")],
)

QUIET = spec(
    [{"id": "say", "type": "output", "read_keys": ["input"], "config": {"value": "1 + 1"}}],
    [("__start__", "say")],
)


def news(look: Database) -> list[tuple[str, str, str, dict[str, Any]]]:
    rows = look.rows("SELECT kind, ref, run, data FROM builder_houseevent ORDER BY id")
    return [(kind, ref, run, json.loads(data)) for kind, ref, run, data in rows]


async def test_an_item_that_is_opened_and_decided_and_the_end_are_told(
    installation: Installation,
) -> None:
    local = await installation.process(WAITING)
    await start(local, WAITING, "r1")
    await local.runner.settled("r1")
    [opened] = (await local.store.warm("r1")).interrupts.values()
    until = {"kind": "approval", "until": opened.expires_at}
    token = local.runner.token(opened.request_id)
    answer = Answer(token, opened.content_hash, "approved")
    await local.runner.answer(opened.request_id, answer, ANN)
    await local.runner.settled("r1")
    await local.runner.close()

    assert news(installation.look) == [
        ("approval.opened", opened.request_id, "r1", until),
        ("approval.decided", opened.request_id, "r1", {"decision": "approved", "by": "ann"}),
        ("run.completed", "r1", "r1", {"status": "completed"}),
    ]
    assert {
        row[0] for row in installation.look.rows("SELECT workspace_id FROM builder_houseevent")
    } == {HOME}


async def test_a_failure_names_code_and_step_and_nothing_that_was_written(
    installation: Installation,
) -> None:
    local = await installation.process(BROKEN)
    await start(local, BROKEN, "r1")
    state = await local.runner.settled("r1")
    await local.runner.close()

    assert state.error is not None
    said = {"status": "failed", "code": state.error["code"], "node": "say"}
    assert news(installation.look) == [("run.failed", "r1", "r1", said)]


@pytest.mark.parametrize(("message", "said_no"), [("rejected: no", True), (UNDECIDED, False)])
def test_a_rejection_says_that_it_is_no_failure_of_the_workflow(
    message: str, said_no: bool
) -> None:
    error = {"code": "ApprovalRejected", "message": message}
    state = SimpleNamespace(status="failed", error=error)
    ended = Event(9, "RunFailed", 1, None, {})
    batch: Any = SimpleNamespace(run_id="r1", state=state, events=[ended])

    [(_, values)] = house_rows.of_end(1, batch)

    assert ("rejected" in json.loads(str(values[2]))) is said_no


async def test_marks_of_a_shared_budget_are_told_once_each(installation: Installation) -> None:
    name = limit(installation.look, tokens=200)
    local = await installation.process(GRAPH, script=SCRIPT)
    for run in ("r1", "r2"):
        await start(local, GRAPH, run)
        await local.runner.settled(run)
    await local.runner.close()

    marks = [one for one in news(installation.look) if one[0] == "budget.mark"]
    assert [said["percent"] for *_, said in marks] == [50, 75]
    assert {ref for _, ref, *_ in marks} == {f"workspace:{name}:total"}
    assert marks[0][3]["level"] == "workspace"


async def test_a_breakpoint_of_who_tries_a_workflow_is_no_news(installation: Installation) -> None:
    local = await installation.process(QUIET)
    await start(local, QUIET, "r1", started_by="ann", breakpoints=("say",))
    await local.runner.settled("r1")
    [opened] = (await local.store.warm("r1")).interrupts.values()
    before = news(installation.look)
    answer = Answer(local.runner.token(opened.request_id), decision="continue")
    await local.runner.answer(opened.request_id, answer, ANN, run_id="r1")
    await local.runner.settled("r1")
    await local.runner.close()

    assert (opened.kind, before) == ("breakpoint", [])
    assert [kind for kind, *_ in news(installation.look)] == ["run.completed"]
