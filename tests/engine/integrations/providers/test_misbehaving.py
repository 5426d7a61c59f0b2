"""Servers that do not keep to the protocol: endless, giant, silent, no answer at all, or away."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from engine.core.errors import Cancelled, ProviderError, ProviderFault
from engine.core.node_types.conversation import Usage
from engine.integrations.egress import AllowList, Egress, EgressRefused
from engine.integrations.models.chat import FREE, ChatResponse, WireLimits, most_answer_bytes
from engine.integrations.models.heard import STOP_TOKENS, Heard
from engine.integrations.models.providers import compatible
from engine.integrations.models.pydantic_ai import DirectModel, model_transport
from tests.engine.integrations.providers.calls import ask, origin
from tests.fake_openai import FakeOpenAI

pytestmark = pytest.mark.asyncio
CAP = 64
STREAMED = pytest.mark.parametrize("streamed", [False, True])
QUICK = WireLimits(connect_s=1, first_byte_s=0.5, idle_s=0.3, total_s=2)


async def say(
    base_url: str,
    *,
    streamed: bool = True,
    limits: WireLimits | None = None,
    on_delta: Callable[[str], None] = lambda _piece: None,
) -> ChatResponse:
    egress = Egress(AllowList.of([base_url]))
    connection = compatible.connect("local", "fake-small", base_url, "sk-mine")
    model = DirectModel(connection, lambda: FREE, lambda: model_transport(egress), limits)
    try:
        request = ask("q", max_output_tokens=CAP)
        return await model.complete(request, origin(), on_delta if streamed else None)
    finally:
        await model.aclose()


async def failing(reply: dict[str, Any], **how: Any) -> ProviderError:
    async with FakeOpenAI([reply]) as server:
        with pytest.raises(ProviderError) as caught:
            await say(server.base_url, **how)
    return caught.value


async def test_endless_answer_is_cut_and_the_provider_told_to_stop() -> None:
    heard: list[str] = []
    async with FakeOpenAI([{"text": "on and on ", "forever": True}]) as server:
        with pytest.raises(ProviderFault) as caught:
            await say(server.base_url, on_delta=heard.append)
        async with asyncio.timeout(5):
            await server.broken_off.wait()

    assert caught.value.code == "ProviderOverrun"
    assert not caught.value.retryable
    assert caught.value.sent
    assert len("".join(heard)) <= most_answer_bytes(CAP)


async def test_what_has_come_is_noted_and_a_settled_call_is_broken_off() -> None:
    """I6: What can have been generated is known while the answer comes, and stops growing."""
    pieces: list[str] = []
    heard = Heard(pieces.append, lambda: len(pieces) < 3)
    async with FakeOpenAI([{"text": "on and on ", "forever": True}]) as server:
        with pytest.raises(Cancelled):
            await say(server.base_url, on_delta=heard)
        async with asyncio.timeout(5):
            await server.broken_off.wait()

    used = heard.most(Usage(1_000, 100_000))
    assert len(pieces) == 3
    assert used is not None
    assert used.input_tokens == 1_000
    assert used.output_tokens > len("".join(pieces).encode()) + STOP_TOKENS


@STREAMED
async def test_giant_answer_is_not_taken_in(streamed: bool) -> None:
    failure = await failing({"text": "x" * 20_000_000}, streamed=streamed)

    assert failure.code == "ProviderOverrun"


@STREAMED
async def test_giant_arguments_of_a_tool_are_not_taken_in(streamed: bool) -> None:
    call = {"name": "add", "arguments": {"a": "x" * 4_000}}

    failure = await failing({"tool_calls": [call]}, streamed=streamed)

    assert failure.code == "ProviderOverrun"


async def test_one_endless_line_is_not_taken_in() -> None:
    spent = time.process_time()
    line = "data: " + "x" * 20_000_000
    raw = {"status": 200, "type": "text/event-stream", "body": line}

    failure = await failing({"raw": raw})

    assert failure.code == "ProviderOverrun"
    assert time.process_time() - spent < 5


async def test_answer_at_its_cap_is_whole() -> None:
    async with FakeOpenAI([{"text": "word " * CAP}]) as server:
        response = await say(server.base_url)

    assert response.text == "word " * CAP


@STREAMED
@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        ("text/html", "<!DOCTYPE html>\n<html><title>Sign in</title>", "page of HTML: Sign in"),
        ("text/html", "\n\n<h1>It works</h1>\n<p>", "page of HTML: <h1>It works</h1>"),
        ("application/json", '{"choices": [', '{"choices": ['),
        ("application/json", '{"ok": true}', '{"ok": true}'),
        ("text/plain", "Backend starting\nplease wait", "Backend starting"),
    ],
)
async def test_what_is_no_answer_is_named_by_its_first_line(
    kind: str, body: str, words: str, streamed: bool
) -> None:
    failure = await failing({"raw": {"status": 200, "type": kind, "body": body}}, streamed=streamed)

    assert failure.code == "ProviderUnreadable"
    assert words in failure.message
    assert not failure.retryable
    assert failure.sent


async def test_broken_json_in_a_stream_is_named() -> None:
    body = 'data: {"choices": oops}\n\ndata: [DONE]\n\n'

    failure = await failing({"raw": {"status": 200, "type": "text/event-stream", "body": body}})

    assert failure.code == "ProviderUnreadable"
    assert "broken JSON" in failure.message


@STREAMED
async def test_error_page_is_named_with_its_status(streamed: bool) -> None:
    page = "<html><head><title>502 Bad Gateway</title></head>" + "<p>x</p>" * 900
    failure = await failing(
        {"raw": {"status": 502, "type": "text/html", "body": page}}, streamed=streamed
    )

    assert (failure.status, failure.retryable) == (502, True)
    assert "status 502: the server answered a page of HTML: 502 Bad Gateway" in failure.message


@STREAMED
async def test_silent_server_is_given_up_before_its_answer_begins(streamed: bool) -> None:
    spent = time.process_time()

    failure = await failing({"delay_ms": 60_000}, streamed=streamed, limits=QUICK)

    assert (failure.code, failure.retryable) == ("ProviderUnavailable", True)
    assert "did not begin within 0.5 s" in failure.message
    assert failure.sent
    assert time.process_time() - spent < 5


async def test_server_that_falls_silent_is_given_up() -> None:
    failure = await failing({"text": "one two three", "silent_after": 2}, limits=QUICK)

    assert "nothing more came for 0.3 s" in failure.message


async def test_answer_that_drips_is_given_up_after_the_whole_time() -> None:
    drip = {"text": "a b c d e f g h", "forever": True, "piece_delay_ms": 100}

    failure = await failing(drip, limits=QUICK)

    assert "took longer than 2 s" in failure.message


async def test_server_that_is_down_was_sent_nothing() -> None:
    async with FakeOpenAI() as server:
        base_url = server.base_url

    with pytest.raises(ProviderError) as caught:
        await say(base_url)

    assert not caught.value.sent
    assert caught.value.retryable
    assert base_url in caught.value.message


async def test_name_that_is_nowhere_was_sent_nothing() -> None:
    with pytest.raises(ProviderError) as caught:
        await say("http://nobody.invalid/v1")

    assert not caught.value.sent


async def test_server_without_the_tls_it_promises_was_sent_nothing() -> None:
    async with FakeOpenAI() as server:
        with pytest.raises(ProviderError) as caught:
            await say(server.base_url.replace("http:", "https:"))

    assert not caught.value.sent
    assert server.requests == []


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "127.1",
        "2130706433",
        "0x7f000001",
        "[::1]",
        "169.254.169.254",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::a9fe:a9fe]",
        "10.0.0.1",
        "0.0.0.0",
        "[fe80::1]",
    ],
)
async def test_addresses_that_nobody_allowed_are_refused(host: str) -> None:
    connection = compatible.connect("local", "m", f"http://{host}/v1")
    model = DirectModel(connection, lambda: FREE)

    with pytest.raises(EgressRefused):
        await model.complete(ask("q"), origin(), None)


async def test_proxies_of_the_environment_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with FakeOpenAI([{"text": "direct"}]) as server:
        response = await say(server.base_url)

    assert response.text == "direct"


async def test_redirects_are_not_followed() -> None:
    elsewhere = {"status": 302, "type": "text/plain", "body": json.dumps("moved")}

    failure = await failing({"raw": elsewhere})

    assert failure.status == 302
