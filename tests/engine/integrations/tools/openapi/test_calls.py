"""Calls of OpenAPI tools: each argument arrives where the document says, and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from engine.core.effects import EffectClass
from engine.core.errors import NodeError, OutcomeUnknown, ToolFailed
from engine.core.values.json import freeze
from engine.integrations.egress import AllowList, Egress, EgressRefused
from engine.integrations.tools.openapi import OpenApiSource, read_catalog
from engine.integrations.tools.openapi.source import Api, OpenApiTool
from tests.engine.integrations.tools.openapi.shop import recording, text_of
from tests.engine.integrations.tools.origins import origin


async def vault(name: str, url: str) -> Mapping[str, str]:
    if "127.0.0.1" not in url:
        raise NodeError("NodeConfigInvalid", f"credential {name!r} is not bound there")
    return {"Authorization": f"Bearer secret-of-{name}"}


def source(url: str, **options: Any) -> OpenApiSource:
    egress = Egress(AllowList.of([url] if url.startswith("http://127.0.0.1:") else []))
    return OpenApiSource(
        "shop", read_catalog(text_of()).operations, Api(url, egress, vault, **options)
    )


async def call(made: OpenApiSource, name: str, **arguments: Any) -> Any:
    tool = await made.find(name)
    assert tool is not None
    return await tool.call(freeze(arguments), origin())


async def test_path_query_and_headers_arrive_encoded_as_the_document_says() -> None:
    async with recording() as shop:
        made = source(
            f"{shop.url}/v1",
            headers={"X-Team": "blue"},
            credential="bot",
            secret_headers={"X-Shop-Key": "key"},
        )
        answer = await call(
            made,
            "getOrder",
            id="a/b c?é",
            fields=["x", "y&z"],
            tags=["p", "q"],
            filter={"state": "open", "n": 3},
            **{"X-Trace": "t-1"},
        )

    [sent] = shop.calls
    assert answer == {"status": 200, "body": {"ok": True}}
    assert (sent["method"], sent["path"]) == ("GET", "/v1/orders/a%2Fb%20c%3F%C3%A9")
    assert (
        sent["query"] == "fields=x&fields=y%26z&tags=p%2Cq&filter%5Bstate%5D=open&filter%5Bn%5D=3"
    )
    headers = sent["headers"]
    assert (headers["x-team"], headers["x-trace"]) == ("blue", "t-1")
    assert headers["authorization"] == "Bearer secret-of-bot"
    assert headers["x-shop-key"] == "Bearer secret-of-key"
    assert sent["body"] == ""


async def test_a_body_arrives_as_json_under_the_key_of_the_call() -> None:
    async with recording() as shop:
        await call(source(shop.url), "create_order", body={"amount": 2.5, "note": None})

    [sent] = shop.calls
    assert (sent["method"], sent["path"], json.loads(sent["body"])) == (
        "POST",
        "/orders",
        {"amount": 2.5, "note": None},
    )
    assert sent["headers"]["content-type"] == "application/json"
    assert sent["headers"]["idempotency-key"] == "key-1"


@pytest.mark.parametrize("value", ["", ".", ".."])
async def test_no_value_of_a_path_leads_to_another_operation(value: str) -> None:
    async with recording() as shop:
        with pytest.raises(ToolFailed, match="shop/getOrder") as refused:
            await call(source(shop.url), "getOrder", id=value)

    assert not refused.value.retryable
    assert shop.calls == []


async def test_arguments_that_the_tool_has_not_are_told_before_anything_is_sent() -> None:
    async with recording() as shop:
        with pytest.raises(ToolFailed, match="no argument 'colour'; it takes X-Trace"):
            await call(source(shop.url), "getOrder", id="1", colour="red")
        with pytest.raises(ToolFailed, match="'body' is required"):
            await call(source(shop.url), "create_order")
        with pytest.raises(ToolFailed, match="no header takes"):
            await call(source(shop.url), "getOrder", id="1", **{"X-Trace": "a\r\nX-Evil: 1"})

    assert shop.calls == []


async def test_a_refusal_of_the_server_is_told_without_the_secret() -> None:
    async with recording() as shop:
        shop.status, shop.content = 422, b'{"error": "secret-of-bot is not enough"}'
        with pytest.raises(ToolFailed) as refused:
            await call(source(shop.url, credential="bot"), "getOrder", id="1")
        assert refused.value.reported
        assert not refused.value.retryable
        assert "answered 422" in refused.value.message
        assert "[bot] is not enough" in refused.value.message

        shop.status = 503
        with pytest.raises(ToolFailed) as away:
            await call(source(shop.url), "getOrder", id="1")
        assert away.value.retryable


async def test_an_answer_that_is_too_large_is_refused() -> None:
    async with recording() as shop:
        shop.content = b'"' + b"x" * (11 * 1024 * 1024) + b'"'
        with pytest.raises(EgressRefused, match="larger than"):
            await call(source(shop.url), "getOrder", id="1")


async def test_a_credential_goes_to_no_other_host() -> None:
    with pytest.raises(NodeError, match="not bound there"):
        await call(source("https://evil.example", credential="bot"), "getOrder", id="1")


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254",
        "http://127.0.0.2",
        "http://[::1]",
        "http://[::ffff:127.0.0.1]",
        "http://0x7f.1",
        "http://2130706433",
        "http://10.0.0.1",
        "http://[64:ff9b::7f00:1]",
        "http://0",
        "http://localhost",
        "http://metadata.google.internal",
    ],
)
async def test_no_spelling_of_an_inner_address_is_called(url: str) -> None:
    with pytest.raises((EgressRefused, ToolFailed)) as refused:
        await call(source(url), "getOrder", id="1")

    assert "not public" in str(refused.value) or "cannot be resolved" in str(refused.value)


async def test_a_call_that_writes_and_is_not_answered_is_unknown_until_it_is_set_to_read() -> None:
    async with recording() as shop:
        shop.headers = {"content-length": "50"}
        tool = await source(shop.url).find("create_order")
        assert isinstance(tool, OpenApiTool)
        arguments = freeze({"body": {"amount": 1}})
        with pytest.raises(OutcomeUnknown):
            await tool.call(arguments, origin())
        with pytest.raises(ToolFailed):
            await tool.settled(EffectClass.READ, None).call(arguments, origin())
