"""Hosted providers, over a transport that answers in their wire form."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from engine.core.errors import ProviderError
from engine.core.node_types.conversation import Message, ToolCall, Usage
from engine.integrations.models.chat import FREE, ChatResponse, ToolOffer
from engine.integrations.models.providers import anthropic, google, openai
from engine.integrations.models.pydantic_ai import Connection, DirectModel
from tests.engine.integrations.providers.calls import ask, origin

pytestmark = pytest.mark.asyncio
Handler = Callable[[httpx2.Request], httpx2.Response]
SCHEMA = {
    "type": "object",
    "properties": {"topic": {"type": "string"}},
    "required": ["topic"],
    "additionalProperties": False,
}
ADD = ToolOffer("add", "Adds.", {"type": "object", "properties": {"a": {"type": "integer"}}})
CLAUDE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-5",
    "content": [{"type": "text", "text": "Hello"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 12, "output_tokens": 4},
}
GEMINI = {
    "candidates": [
        {"content": {"role": "model", "parts": [{"text": "Hello"}]}, "finishReason": "STOP"}
    ],
    "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 2, "totalTokenCount": 11},
    "modelVersion": "gemini-2.5-flash",
}
CHAT = {
    "id": "c",
    "object": "chat.completion",
    "created": 0,
    "model": "gpt-4o-mini",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": '{"topic": "x"}'},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12},
}


async def say(connection: Connection, handler: Handler, request: Any) -> ChatResponse:
    model = DirectModel(connection, lambda: FREE, lambda: httpx2.MockTransport(handler))
    try:
        return await model.complete(request, origin(), None)
    finally:
        await model.aclose()


def recording(
    answer: Any, seen: list[httpx2.Request], status: int = 200, **headers: str
) -> Handler:
    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx2.Response(status, json=answer, headers=named)

    return handler


async def test_openai_sends_key_cap_and_strict_schema() -> None:
    """V12."""
    seen: list[httpx2.Request] = []
    request = ask("q", schema=SCHEMA, max_output_tokens=33)

    response = await say(openai.connect("gpt-4o-mini", "sk-1"), recording(CHAT, seen), request)

    body = json.loads(seen[0].content)
    assert str(seen[0].url) == "https://api.openai.com/v1/chat/completions"
    assert seen[0].headers["authorization"] == "Bearer sk-1"
    assert seen[0].headers["idempotency-key"] == "key-1"
    assert body["max_completion_tokens"] == 33
    assert body["response_format"]["json_schema"]["strict"] is True
    assert (response.structured, response.usage) == ({"topic": "x"}, Usage(7, 5))


async def test_anthropic_speaks_messages_with_tools() -> None:
    seen: list[httpx2.Request] = []
    called = {
        **CLAUDE,
        "stop_reason": "tool_use",
        "content": [{"type": "tool_use", "id": "t1", "name": "add", "input": {"a": 1}}],
    }
    request = ask("q", system="rules", tools=(ADD,), max_output_tokens=44)

    response = await say(
        anthropic.connect("claude-sonnet-5", "ak-1"), recording(called, seen), request
    )

    body = json.loads(seen[0].content)
    assert seen[0].headers["authorization"] == "Bearer ak-1"
    assert seen[0].headers["idempotency-key"] == "key-1"
    assert body["max_tokens"] == 44
    assert "rules" in json.dumps(body["system"])
    assert response.tool_calls == (ToolCall("t1", "add", {"a": 1}),)
    assert response.usage == Usage(12, 4)


async def test_anthropic_model_without_native_schema_gets_it_described() -> None:
    """V12."""
    seen: list[httpx2.Request] = []
    connection = anthropic.connect("claude-3-haiku-20240307", "ak-1")

    response = await say(connection, recording(CLAUDE, seen), ask("q", schema=SCHEMA))

    assert len(seen) == 1
    assert "JSON Schema" in seen[0].content.decode()
    assert (response.text, response.structured) == ("Hello", None)


async def test_google_speaks_gemini_and_gets_no_idempotency_key() -> None:
    seen: list[httpx2.Request] = []
    request = ask("q", system="rules", schema=SCHEMA, max_output_tokens=55)

    response = await say(
        google.connect("gemini-2.5-flash", "g-1"), recording(GEMINI, seen), request
    )

    body = json.loads(seen[0].content)
    assert seen[0].headers["x-goog-api-key"] == "g-1"
    assert "idempotency-key" not in seen[0].headers
    assert body["generationConfig"]["maxOutputTokens"] == 55
    assert response.text == "Hello"
    assert response.usage == Usage(9, 2)


@pytest.mark.parametrize(
    "connection",
    [
        openai.connect("gpt-4o", "s-1"),
        anthropic.connect("claude-sonnet-5", "s-1"),
        google.connect("gemini-2.5-flash", "s-1"),
    ],
    ids=["openai", "anthropic", "google"],
)
@pytest.mark.parametrize(
    ("status", "code"), [(401, "ProviderRejected"), (429, "ProviderUnavailable")]
)
async def test_errors_keep_status_and_wait_and_are_never_repeated(
    connection: Connection, status: int, code: str
) -> None:
    """C29, C31."""
    seen: list[httpx2.Request] = []
    answer = {"type": "error", "error": {"type": "x", "code": status, "message": "bad key s-1"}}

    with pytest.raises(ProviderError) as caught:
        await say(connection, recording(answer, seen, status, Retry_After="3"), ask("q"))

    assert (caught.value.status, caught.value.code) == (status, code)
    assert caught.value.retry_after_ms == 3000
    assert len(seen) == 1
    assert "s-1" not in str(caught.value)


async def test_broken_connection_is_unavailable() -> None:
    def handler(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("refused", request=request)

    with pytest.raises(ProviderError) as caught:
        await say(anthropic.connect("claude-sonnet-5", "s-1"), handler, ask("q"))

    assert (caught.value.status, caught.value.retryable) == (None, True)


async def test_conversation_keeps_its_turns_at_anthropic() -> None:
    seen: list[httpx2.Request] = []
    base = ask("q", tools=(ADD,))
    turns = (
        *base.messages,
        Message("assistant", "let me add", tool_calls=(ToolCall("t1", "add", {"a": 1}),)),
        Message("tool", "1", tool_call_id="t1", tool_name="add"),
    )

    request = type(base)(base.model, turns, tools=(ADD,))
    await say(anthropic.connect("claude-sonnet-5", "s"), recording(CLAUDE, seen), request)

    messages = json.loads(seen[0].content)["messages"]
    assert [m["role"] for m in messages] == ["user", "assistant", "user"]
    assert messages[2]["content"][0]["tool_use_id"] == "t1"
