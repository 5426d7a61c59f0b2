"""What a person is shown of a call: in doubt, or failed with what was sent and what came back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.integrations.egress import AllowList, Egress
from tests.contract.harness import doc, node, run, tool
from tests.engine.integrations.test_http_call import answer, serving


async def posted(reply: bytes | None, **config: Any) -> tuple[Any, str]:
    """Run one POST against a server that answers so; None breaks the connection."""
    async with serving(lambda _: reply) as server:
        egress = Egress(AllowList.of([server.url]))
        body = {"order": 7, "api_key": "s3cr3t-1"}
        call = {"url": f"{server.url}/pay?id=7", "method": "POST", "body": body, **config}
        request = node("pay", "http_request", config=call)
        return await asyncio.to_thread(run, doc([request]), egress=egress), server.url


async def test_a_request_in_doubt_says_what_was_sent_when_and_under_which_key() -> None:
    done, url = await posted(None)

    [item] = done.report["interrupts"]
    asked = item["request"]
    assert (asked["method"], asked["url"]) == ("POST", f"{url}/pay?id=7")
    assert asked["body"] == '{"order":7,"api_key":"[hidden]"}'
    assert asked["attempt"] == 1
    assert asked["sent_at"].endswith("Z")
    assert len(asked["idempotency_key"]) == 64
    assert "s3cr3t-1" not in str(asked)


def test_a_tool_in_doubt_says_its_arguments_when_it_was_sent_and_under_which_key() -> None:
    tools = {"send": [{"result": 1, "delay_ms": 3000, "effect_class": "unsafe"}]}
    call = tool("t", "send", config={"arguments": {"to": "ann"}}, policy={"timeout_ms": 300})

    parked = run(doc([call]), {"tools": tools})

    asked = parked.report["interrupts"][0]["request"]
    assert (asked["tool"], asked["arguments"]) == ("send", {"to": "ann"})
    assert asked["sent_at"].endswith("Z")
    assert len(asked["idempotency_key"]) == 64


@pytest.mark.parametrize("status", ["422 Unprocessable Content", "400 Bad Request"])
async def test_a_failed_request_shows_what_was_sent_and_what_came_back(status: str) -> None:
    done, url = await posted(answer({"why": "no stock", "token": "s3cr3t-2"}, status))

    error = done.report["error"]
    assert error["code"] == "HttpRejected"
    assert error["detail"]["request"] == {
        "method": "POST",
        "url": f"{url}/pay?id=7",
        "body": '{"order":7,"api_key":"[hidden]"}',
    }
    assert error["detail"]["answer"] == {
        "status": int(status[:3]),
        "body": '{"why":"no stock","token":"[hidden]"}',
    }
