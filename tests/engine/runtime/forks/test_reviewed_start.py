"""A fork with another input where an approval reviewed fields of the start (`input.salary`)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import RequestRefused
from engine.core.state.requests import CLI, Answer, ForkRun
from engine.core.state.run_state import RunState
from engine.local import Local
from tests.contract.harness import approval, doc, fn, started


async def offered() -> tuple[Local, list[Any]]:
    """Return a run that sent an offer after its salary was approved, and what was sent."""
    sent: list[Any] = []

    def send(ctx: Any, params: Any) -> Any:
        sent.append(ctx.view.input["salary"])
        return {}

    nodes = [
        fn("draft"),
        approval("ok", review_keys=["input.salary"]),
        fn("send", reads=["input"]),
    ]
    document = doc(nodes, ["__start__ -> draft -> ok -> send"])
    handlers = {"draft": lambda ctx, params: {}, "send": send}
    local, _ = await started(
        document, handlers=handlers, trial={"input": {"salary": 100, "cv": "A"}}
    )
    await approve(local, "r")
    assert sent == [100]
    return local, sent


async def approve(local: Local, run_id: str) -> RunState:
    [request_id] = (await local.runner.store.warm(run_id)).interrupts
    answer = Answer(local.runner.token(request_id), decision="approved")
    await local.runner.answer(request_id, answer, CLI)
    return await local.runner.settled(run_id)


async def fork(local: Local, at: str, **changes: Any) -> RunState:
    request = ForkRun(local.runner.entropy.new_id(), at, "ann", **changes)
    return await local.runner.settled(await local.runner.forks.fork("r", request))


async def asked(local: Local, run_id: str) -> list[dict[str, Any]]:
    events = await local.store.events(run_id, 0, 1000)
    return [dict(each.data) for each in events if each.type == "InterruptOpened"]


async def test_no_other_input_comes_in_behind_the_approval() -> None:
    """C33: What was approved for one salary is not sent with another."""
    local, sent = await offered()

    for salary in (900, None):
        with pytest.raises(RequestRefused) as refused:
            await fork(local, "send", input={"salary": salary, "cv": "A"})
        assert refused.value.code == "ForkAfterApproval"

    assert sent == [100]
    await local.runner.close()


@pytest.mark.parametrize("at", ["draft", "ok"])
async def test_the_approval_is_asked_anew_with_the_other_input(at: str) -> None:
    """C33, C92: It shows the new value under another hash, and only that is sent."""
    local, sent = await offered()

    state = await fork(local, at, input={"salary": 900, "cv": "A"})

    assert (state.status, sent) == ("waiting", [100])
    [before] = await asked(local, "r")
    after = (await asked(local, state.run_id))[-1]
    assert dict(after["request"]["data"]) == {"input.salary": 900}
    assert after["content_hash"] != before["content_hash"]
    assert (await approve(local, state.run_id)).status == "completed"
    assert sent == [100, 900]
    await local.runner.close()


async def test_with_the_same_input_what_was_approved_stands() -> None:
    """C33: A fork behind the approval without changes sends without asking again."""
    local, sent = await offered()

    state = await fork(local, "send")

    assert (state.status, sent) == ("completed", [100, 100])
    await local.runner.close()
