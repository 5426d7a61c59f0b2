"""Servers at an address by each protocol, over loopback with the forms of the real clients."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal
from typing import Any

import pytest

from engine.core.errors import ProviderError
from engine.core.node_types.conversation import Usage
from engine.integrations.egress import AllowList, Egress, parse_target
from engine.integrations.models.catalog import ModelCatalog
from engine.integrations.models.chat import ChatResponse, Price, ToolOffer
from engine.integrations.models.model_lists import Server, ask
from engine.integrations.models.servers.capabilities import Capabilities
from engine.integrations.models.servers.endpoint import Endpoint
from engine.integrations.models.servers.protocols import PROTOCOLS, Protocol
from tests.engine.integrations.providers.calls import ask as question
from tests.engine.integrations.providers.calls import origin
from tests.fake_openai import FakeOpenAI, send

pytestmark = pytest.mark.asyncio
SCHEMA = {
    "type": "object",
    "properties": {"topic": {"type": "string"}},
    "required": ["topic"],
    "additionalProperties": False,
}
ADD = ToolOffer("add", "Adds.", {"type": "object", "properties": {"a": {"type": "integer"}}})
RESPONSE: dict[str, Any] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 0,
    "status": "completed",
    "model": "m",
    "output": [
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "Hello", "annotations": []}],
        }
    ],
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
    "usage": {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 0},
        "output_tokens": 2,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 12,
    },
}
MESSAGE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [{"type": "text", "text": "Hello"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 6, "cache_read_input_tokens": 4, "output_tokens": 2},
}
GEMINI = {
    "candidates": [
        {"content": {"role": "model", "parts": [{"text": "Hello"}]}, "finishReason": "STOP"}
    ],
    "usageMetadata": {
        "promptTokenCount": 10,
        "cachedContentTokenCount": 4,
        "candidatesTokenCount": 2,
        "totalTokenCount": 12,
    },
    "modelVersion": "m",
}
LISTS: dict[str, Any] = {
    "/v1/models?limit=1000": {"data": [{"id": "m", "type": "model"}]},
    "/v1beta/models?pageSize=1000": {
        "models": [
            {"name": "models/m", "supportedGenerationMethods": ["generateContent"]},
            {"name": "models/embed", "supportedGenerationMethods": ["embedContent"]},
        ]
    },
}
ANSWERS: dict[str, dict[str, Any]] = {
    "/responses": RESPONSE,
    "/messages": MESSAGE,
    ":generateContent": GEMINI,
}


class FakeServer(FakeOpenAI):
    """It speaks every protocol; `asked` are the questions, with path, headers and body."""

    asked: list[tuple[str, dict[str, str], dict[str, Any]]]

    async def elsewhere(self, path: str, headers: dict[str, str], body: bytes, writer: Any) -> bool:
        if path in LISTS:
            return send(writer, 200, LISTS[path])
        end = next((end for end in ANSWERS if path.endswith(end)), None)
        if end is None:
            return await super().elsewhere(path, headers, body, writer)
        self.asked.append((path, headers, json.loads(body)))
        return send(writer, 200, ANSWERS[end])


@asynccontextmanager
async def serving(protocol: Protocol, **more: Any) -> AsyncIterator[tuple[FakeServer, Endpoint]]:
    server = FakeServer([{"text": "Hello"}], models=["m"])
    server.asked = []
    async with server:
        base = server.base_url
        if protocol in ("anthropic", "google"):
            base = base.removesuffix("/v1")
        yield server, Endpoint("acme", base, protocol=protocol, accepted="machine", **more)


async def answer(endpoint: Endpoint, secret: str | None = "k-1", **more: Any) -> ChatResponse:
    async def endpoints(_workspace: str | None) -> list[Endpoint]:
        return [endpoint]

    async def key(_provider: str, _workspace: str | None) -> str | None:
        return secret

    catalog = ModelCatalog(endpoints=endpoints, secret=key)
    try:
        model = await catalog.resolve("acme/m", agent_id=None, node_id="n", workspace_id="w")
        return await model.complete(question("q", **more), origin(), None)
    finally:
        await catalog.aclose()


SENT: dict[Protocol, tuple[str, str, str]] = {
    "openai_responses": ("/v1/responses", "authorization", "Bearer k-1"),
    "anthropic": ("/v1/messages", "authorization", "Bearer k-1"),
    "google": ("/v1beta/models/m:generateContent", "x-goog-api-key", "k-1"),
}


@pytest.mark.parametrize("protocol", list(SENT))
async def test_each_protocol_is_spoken_at_an_address(protocol: Protocol) -> None:
    path, name, value = SENT[protocol]
    async with serving(protocol, headers=(("X-Team", "blue"),)) as (server, endpoint):
        said = await answer(endpoint)

    (asked,) = server.asked
    assert asked[0] == path
    assert (asked[1][name], asked[1]["x-team"]) == (value, "blue")
    assert said.text == "Hello"
    assert said.usage == Usage(10, 2, 4)


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
async def test_models_are_listed_by_each_protocol(protocol: Protocol) -> None:
    async with serving(protocol) as (_server, endpoint):
        origin_of = parse_target(endpoint.base_url).origin
        egress = Egress(AllowList(frozenset({origin_of})))
        listed = await ask(endpoint.server("k-1"), egress)

    assert (listed.names, listed.problem) == (("m",), "")


@pytest.mark.parametrize("protocol", ["openai_responses", "anthropic"])
async def test_extra_fields_go_with_every_question(protocol: Protocol) -> None:
    async with serving(protocol, extra_body={"top_k": 4}) as (server, endpoint):
        await answer(endpoint)

    assert server.asked[0][2]["top_k"] == 4


async def test_extra_fields_go_to_chat_completions() -> None:
    async with serving("openai_chat", extra_body={"top_k": 4}) as (server, endpoint):
        await answer(endpoint)

    assert server.requests[0]["request"]["top_k"] == 4


async def test_responses_are_not_kept_at_the_server() -> None:
    async with serving("openai_responses") as (server, endpoint):
        await answer(endpoint)

    assert server.asked[0][2]["store"] is False


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
async def test_no_schema_is_asked_of_a_model_that_keeps_to_none(protocol: Protocol) -> None:
    can = {"m": Capabilities(schema=False)}
    async with serving(protocol, capabilities=can) as (server, endpoint):
        await answer(endpoint, schema=SCHEMA)

    sent = server.asked[0][2] if server.asked else server.requests[0]["request"]
    assert "JSON Schema" in json.dumps(sent)
    assert not {"response_format", "text", "output_config"} & set(sent)
    assert "responseJsonSchema" not in json.dumps(sent)


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
async def test_no_tools_are_asked_of_a_model_that_calls_none(protocol: Protocol) -> None:
    can = {"m": Capabilities(tools=False)}
    async with serving(protocol, capabilities=can) as (server, endpoint):
        with pytest.raises(ProviderError, match="takes no tools") as refused:
            await answer(endpoint, tools=(ADD,))

    assert (server.asked, server.requests) == ([], [])
    assert not refused.value.retryable
    assert not refused.value.sent


async def test_cached_input_has_its_own_price() -> None:
    price = Price(Decimal(10), Decimal(20), cached_per_million=Decimal(1))

    assert price.cost(Usage(10, 2, 4)) == (Decimal(60) + 4 + 40) / 1_000_000
    assert Price(Decimal(10), Decimal(20)).cost(Usage(10, 2, 4)) == Decimal(140) / 1_000_000


async def test_what_was_cached_stays_with_the_recorded_answer() -> None:
    said = ChatResponse("x", Usage(10, 2, 4))

    assert ChatResponse.from_json(said.to_json()).usage == Usage(10, 2, 4)
    assert "cached_tokens" not in Usage(10, 2).to_json()


HOSTILE: list[tuple[str, dict[str, Any], str]] = [
    ("html", {"status": 200, "type": "text/html", "body": "<html>"}, "cannot be read"),
    ("nonsense", {"status": 200, "type": "application/json", "body": "{"}, "cannot be read"),
    ("deep", {"status": 200, "type": "application/json", "body": "[" * 5000}, "cannot be read"),
    ("large", {"status": 200, "type": "text/plain", "body": " " * 5_000_000}, "cannot be read"),
    ("other", {"status": 200, "type": "application/json", "body": "[1]"}, "no list of models"),
    ("key", {"status": 401, "type": "application/json", "body": "{}"}, "refuses the key"),
    ("broken", {"status": 500, "type": "application/json", "body": "{}"}, "answers 500"),
]


class HostileServer(FakeOpenAI):
    """A server whose list of models is none."""

    raw: dict[str, Any]
    location = ""

    async def _exchange(self, reader: Any, writer: Any) -> bool:
        await reader.readuntil(b"\r\n\r\n")
        body = self.raw["body"].encode()
        head = f"HTTP/1.1 {self.raw['status']} X\r\nContent-Type: {self.raw['type']}\r\n"
        head += f"Location: {self.location}\r\n" if self.location else ""
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        return False


class SilentServer(FakeOpenAI):
    """A server that takes what it is asked and says nothing until it is let."""

    async def _exchange(self, reader: Any, writer: Any) -> bool:
        await self.charged.wait()
        return False


async def listed_by(raw: dict[str, Any], location: str = "", timeout_s: float = 10.0) -> Any:
    server = HostileServer()
    server.raw, server.location = raw, location
    async with server:
        origin_of = parse_target(server.base_url).origin
        egress = Egress(AllowList(frozenset({origin_of})))
        return await ask(Server("openai_chat", server.base_url), egress, timeout_s)


@pytest.mark.parametrize(
    ("raw", "words"), [case[1:] for case in HOSTILE], ids=[c[0] for c in HOSTILE]
)
async def test_a_list_that_is_none_is_told_in_words(raw: dict[str, Any], words: str) -> None:
    listed = await listed_by(raw)

    assert listed.names is None
    assert words in listed.problem


async def test_of_ten_thousand_models_some_are_shown_and_all_can_be_called() -> None:
    names = [f"model-{number}" for number in range(10_000)]
    odd: list[Any] = [{"id": 7}, {"id": ""}, {"id": "x" * 300}, {"id": "a\nb"}, "text", None]
    body = json.dumps({"data": [*odd, *({"id": name} for name in names)]})
    listed = await listed_by({"status": 200, "type": "application/json", "body": body})

    assert listed.names == tuple(names[:1000])
    assert (listed.more, listed.has("model-9999")) == (True, True)


async def test_a_redirect_is_not_followed() -> None:
    raw = {"status": 302, "type": "text/plain", "body": ""}
    listed = await listed_by(raw, "http://169.254.169.254/latest/meta-data/")

    assert listed.names is None
    assert "not followed" in listed.problem


async def test_a_server_that_says_nothing_is_not_waited_for() -> None:
    async with SilentServer() as server:
        origin_of = parse_target(server.base_url).origin
        egress = Egress(AllowList(frozenset({origin_of})))
        listed = await ask(Server("openai_chat", server.base_url), egress, 0.05)
        server.charged.set()

    assert "did not come in time" in listed.problem


def events(*told: dict[str, Any]) -> dict[str, Any]:
    lines = [f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in told]
    return {"status": 200, "type": "text/event-stream", "body": "".join(lines)}


PART = {"type": "output_text", "text": "", "annotations": []}
ITEM = {**RESPONSE["output"][0], "content": []}
AT = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
BEGUN = {**RESPONSE, "status": "in_progress", "output": [], "usage": None}
STREAM = (
    {"type": "response.created", "sequence_number": 0, "response": BEGUN},
    {
        "type": "response.output_item.added",
        "sequence_number": 1,
        "output_index": 0,
        "item": {**ITEM, "status": "in_progress"},
    },
    {"type": "response.content_part.added", "sequence_number": 2, **AT, "part": PART},
    {
        "type": "response.output_text.delta",
        "sequence_number": 3,
        **AT,
        "delta": "Hel",
        "logprobs": [],
    },
    {
        "type": "response.output_text.delta",
        "sequence_number": 4,
        **AT,
        "delta": "lo",
        "logprobs": [],
    },
    {"type": "response.completed", "sequence_number": 5, "response": RESPONSE},
)


async def streamed(raw: dict[str, Any]) -> tuple[list[str], ChatResponse]:
    heard: list[str] = []
    server = HostileServer()
    server.raw = raw
    async with server:
        base = server.base_url
        endpoint = Endpoint("acme", base, protocol="openai_responses", accepted="machine")

        async def endpoints(_workspace: str | None) -> list[Endpoint]:
            return [endpoint]

        catalog = ModelCatalog(endpoints=endpoints)
        model = await catalog.resolve("acme/m", agent_id=None, node_id="n", workspace_id="w")
        try:
            said = await model.complete(question("q"), origin(), heard.append)
        finally:
            await catalog.aclose()
    return heard, said


async def test_responses_are_heard_as_they_come() -> None:
    heard, said = await streamed(events(*STREAM))

    assert heard == ["Hel", "lo"]
    assert (said.text, said.usage) == ("Hello", Usage(10, 2, 4))


async def test_a_response_that_breaks_off_is_none() -> None:
    with pytest.raises(ProviderError):
        await streamed(events(*STREAM[:-1]))
