"""What a run books, waits for and says when a model server misbehaves: over real connections."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from engine.core.errors import NodeError, ProviderError
from engine.core.graph.document import FailurePolicy, parse_document
from engine.core.state.events import Event
from engine.core.state.patience import PATIENCE_MS, PAUSES_MS, pause_for_server
from engine.core.state.requests import StartRun
from engine.core.state.run_state import Activation, RunState
from engine.integrations.egress import AllowList, Egress
from engine.integrations.models.chat import FREE
from engine.integrations.models.providers import compatible
from engine.integrations.models.pydantic_ai import DirectModel, model_transport
from engine.local import Local, make_local
from tests.contract.harness import agent, doc
from tests.fake_openai import FakeOpenAI

pytestmark = pytest.mark.asyncio
CAP = 64


class OneServer:
    """Whatever the name, the model is this server's."""

    def __init__(self, base_url: str) -> None:
        egress = Egress(AllowList.of([base_url]))
        connection = compatible.connect("local", "m", base_url)
        self.model = DirectModel(connection, lambda: FREE, lambda: model_transport(egress))

    async def resolve(self, model: str, **_who: Any) -> DirectModel:
        return self.model


async def begin(base_url: str, *, limits: dict[str, Any] | None = None, **fields: Any) -> Local:
    """Start a run of one agent that asks the server."""
    agents = [{"id": "x", "max_output_tokens": CAP}]
    document = doc([agent("a", **fields)], agents=agents, limits=limits or {})
    spec, problems = parse_document(document)
    assert spec is not None, problems
    local = make_local([spec], models=OneServer(base_url))
    start = StartRun(run_id="r", graph_id=spec.id, input="hi")
    await local.runner.start(start, local.graphs.program_of(spec))
    return local


async def events(local: Local, type_: str) -> list[Event]:
    return [e for e in await local.store.events("r", 0, 500) if e.type == type_]


async def state_of(local: Local) -> RunState:
    return await local.store.warm("r")


async def retrying(local: Local) -> Activation:
    """Return the node once its attempt has failed and it waits for the next."""
    async with asyncio.timeout(60):
        while True:
            state = await state_of(local)
            assert not state.terminal, state.error
            found = [a for a in state.activations.values() if a.status == "retrying"]
            if found:
                return found[0]
            await asyncio.sleep(0.01)


async def pass_time(local: Local) -> None:
    """Let the time pass until the next attempt is due, and make it."""
    act = await retrying(local)
    assert act.retry_at is not None
    local.clock.offset_ms += max(act.retry_at - local.clock.now(), 0)
    await local.runner.wake("r")


async def settled(local: Local) -> RunState:
    async with asyncio.timeout(60):
        return await local.runner.settled("r")


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ({"text": "on and on ", "forever": True}, "ProviderOverrun"),
        ({"raw": {"status": 200, "type": "text/html", "body": "<p>Hello"}}, "ProviderUnreadable"),
    ],
)
async def test_what_is_no_answer_is_asked_once_and_booked_as_held(
    reply: dict[str, Any], code: str
) -> None:
    async with FakeOpenAI([reply]) as server:
        local = await begin(server.base_url)
        state = await settled(local)

    assert state.error is not None
    assert state.error["code"] == code
    assert len(server.requests) == 1
    (intended,) = await events(local, "StepIntended")
    (failed,) = await events(local, "StepFailed")
    assert failed.data["error"]["code"] == code
    assert failed.data["presumed"] is True
    assert failed.data["tokens"] == intended.data["hold"]["tokens"] == state.spent_tokens
    assert state.held_tokens == 0


async def test_server_that_is_down_costs_nothing_and_is_waited_for() -> None:
    async with FakeOpenAI() as server:
        base_url, port = server.base_url, server.port
    local = await begin(base_url)

    for _outage in PAUSES_MS:
        act = await retrying(local)
        assert act.waits_for == "server"
        await pass_time(local)
    await retrying(local)
    async with FakeOpenAI([{"text": "back"}], port=port):
        await pass_time(local)
        state = await settled(local)

    assert state.status == "completed"
    assert state.outputs["a"] == "back"
    failures = await events(local, "AttemptFailed")
    assert [e.data["waits_for"] for e in failures] == ["server"] * len(failures)
    assert all(e.data["attempt"] < e.data["max_attempts"] for e in failures)
    assert all(e.data["tokens"] == 0 for e in await events(local, "StepFailed"))
    (made,) = await events(local, "StepCompleted")
    assert state.spent_tokens == made.data["tokens"]


async def test_server_that_stays_away_fails_the_run_after_the_authors_retries() -> None:
    async with FakeOpenAI() as server:
        base_url = server.base_url
    local = await begin(base_url, policy={"max_retries": 1})
    since = local.clock.now()

    async with asyncio.timeout(60):
        while not (state := await state_of(local)).terminal:
            if any(act.status == "retrying" for act in state.activations.values()):
                await pass_time(local)
            await asyncio.sleep(0.01)

    assert state.error is not None
    assert state.error["code"] == "ProviderUnavailable"
    waits = [e.data.get("waits_for") for e in await events(local, "AttemptFailed")]
    assert waits[-1] is None
    assert set(waits[:-1]) == {"server"}
    assert PATIENCE_MS * 0.8 < local.clock.now() - since < PATIENCE_MS * 1.5
    assert state.spent_tokens == 0


async def test_wait_that_a_server_asks_for_is_said() -> None:
    """C31."""
    busy = {"error": {"status": 429, "message": "slow down", "retry_after": 30}}
    async with FakeOpenAI([busy, {"text": "now"}]) as server:
        local = await begin(server.base_url)
        act = await retrying(local)
        assert act.waits_for == "retry_after"
        await pass_time(local)
        state = await settled(local)

    assert state.status == "completed"
    (failed,) = await events(local, "AttemptFailed")
    assert failed.data["waits_for"] == "retry_after"


def refused(*, sent: bool) -> ProviderError:
    return ProviderError("no connection", status=None, sent=sent)


@pytest.mark.parametrize(
    ("error", "retries", "waited"),
    [
        (refused(sent=False), 3, True),
        (refused(sent=False), 0, False),
        (refused(sent=True), 3, False),
        (ProviderError("busy", status=503), 3, False),
        (NodeError("HttpUnavailable", "x", retryable=True, detail={"sent": False}), 3, False),
    ],
)
async def test_only_servers_that_are_away_are_waited_for(
    error: NodeError, retries: int, waited: bool
) -> None:
    act = Activation("a#1", "a", 1)
    policy = FailurePolicy(max_retries=retries)

    assert (pause_for_server(policy, act, error, 0) is not None) is waited


async def test_run_out_of_time_ends_while_its_model_hangs() -> None:
    """C13."""
    async with FakeOpenAI([{"text": "x", "delay_ms": 3_600_000}]) as server:
        local = await begin(server.base_url, limits={"max_execution_time_ms": 2_000})
        async with asyncio.timeout(60):
            await server.charged.wait()
        started = time.monotonic()
        state = await settled(local)
        async with asyncio.timeout(5):
            await server.broken_off.wait()

    assert state.status == "timeout"
    assert time.monotonic() - started < 13
    assert state.held_tokens == 0
    assert state.spent_tokens > 0


SCHEMA = {
    "type": "object",
    "properties": {"topic": {"type": "string"}},
    "required": ["topic"],
    "additionalProperties": False,
}


async def test_answer_that_was_cut_says_so() -> None:
    async with FakeOpenAI([{"text": "Half an ans", "finish_reason": "length"}]) as server:
        state = await settled(local := await begin(server.base_url))

    assert state.status == "completed"
    assert state.outputs["a"] == "Half an ans"
    (done,) = await events(local, "StepCompleted")
    assert done.data["cut"] is True
    (node,) = await events(local, "NodeCompleted")
    assert node.data["metadata"]["finish_reason"] == "length"


async def test_answer_that_ended_by_itself_says_nothing() -> None:
    async with FakeOpenAI([{"text": "Whole."}]) as server:
        await settled(local := await begin(server.base_url))

    (done,) = await events(local, "StepCompleted")
    (node,) = await events(local, "NodeCompleted")
    assert "cut" not in done.data
    assert "finish_reason" not in node.data["metadata"]


async def test_structured_answer_that_was_cut_fails_with_that_cause() -> None:
    reply = {"text": '{"topic": "bil', "finish_reason": "length"}
    async with FakeOpenAI([reply]) as server:
        local = await begin(server.base_url, writes=["topic"], config={"result_schema": SCHEMA})
        state = await settled(local)

    assert state.error is not None
    assert state.error["code"] == "AnswerCut"
    assert f"max_output_tokens ({CAP})" in state.error["message"]
    assert len(server.requests) == 1


async def test_structured_answer_at_its_cap_that_is_whole_counts() -> None:
    async with FakeOpenAI([{"json": {"topic": "billing"}, "finish_reason": "length"}]) as server:
        local = await begin(server.base_url, writes=["topic"], config={"result_schema": SCHEMA})
        state = await settled(local)

    assert state.status == "completed"
    assert state.outputs["a"] == {"topic": "billing"}
