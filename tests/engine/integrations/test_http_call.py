"""The HTTP call: what is sent, what comes back, and what each failure means."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine.core.effects import EffectClass
from engine.core.errors import NodeError, OutcomeUnknown
from engine.integrations.egress import AllowList, Egress, EgressRefused
from engine.integrations.egress.http_call import HttpCall, send

Reply = Callable[[str], bytes | None]


@dataclass
class Server:
    """Answers each request with what `reply` makes of its path; None breaks the connection."""

    url: str = ""
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)

    @property
    def last(self) -> tuple[str, dict[str, str], bytes]:
        return self.requests[-1]

    def egress(self, **options: Any) -> Egress:
        return Egress(AllowList.of([self.url]), **options)


@asynccontextmanager
async def serving(reply: Reply) -> AsyncIterator[Server]:
    server = Server()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        server.requests.append((head[0].rpartition(" ")[0], headers, body))
        answer = reply(head[0].split(" ")[1])
        if answer is not None:
            writer.write(answer)
            await writer.drain()
        writer.close()

    listening = await asyncio.start_server(handle, "127.0.0.1", 0)
    server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    try:
        yield server
    finally:
        listening.close()
        await listening.wait_closed()


def answer(body: Any = b"", status: str = "200 OK", **headers: str) -> bytes:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {"Content-Type": "application/json"} if not isinstance(body, bytes) else {}
    given |= {name.replace("_", "-"): text for name, text in headers.items()}
    lines = [f"{name}: {text}" for name, text in given.items()]
    head = "\r\n".join([f"HTTP/1.1 {status}", f"Content-Length: {len(content)}", *lines])
    return head.encode() + b"\r\n\r\n" + content


async def test_a_json_answer_and_the_safe_headers_come_back() -> None:
    reply = answer({"a": [1]}, ETag="x1", Set_Cookie="session=1", Server="nginx", X_Request_Id="r")
    async with serving(lambda _: reply) as server:
        result = await send(server.egress(), HttpCall(f"{server.url}/a?b=1"), "key-1")

    assert result == {
        "status": 200,
        "headers": {
            "content-length": "10",
            "content-type": "application/json",
            "etag": "x1",
            "x-request-id": "r",
        },
        "body": {"a": [1]},
        "url": f"{server.url}/a?b=1",
    }


@pytest.mark.parametrize(
    ("reply", "body"),
    [
        (answer(b"plain"), "plain"),
        (answer(b"{]", Content_Type="application/json"), "{]"),
        (answer(b'{"a": 1}', Content_Type="text/plain"), '{"a": 1}'),
        (answer(b'{"a": 1}', Content_Type="application/problem+json"), {"a": 1}),
        (answer(b'{"a": 1}'), {"a": 1}),
        (answer("ä".encode("latin-1"), Content_Type="text/html; charset=latin-1"), "ä"),
        (answer(b"\xff\x00", Content_Type="image/png; charset=nonsense"), "\ufffd\ufffd"),
        (answer(b'{"a": NaN}', Content_Type="application/json"), '{"a": NaN}'),
        (answer(b"", "204 No Content"), ""),
    ],
)
async def test_a_body_is_json_if_it_is_else_text(reply: bytes, body: Any) -> None:
    async with serving(lambda _: reply) as server:
        result = await send(server.egress(), HttpCall(server.url), "key-1")

    assert result["body"] == body


async def test_the_request_is_sent_as_configured() -> None:
    async with serving(lambda _: answer({})) as server:
        call = HttpCall(
            f"{server.url}/orders",
            method="post",
            headers={"X-Count": 3, "X-None": None},
            query={"q": "a b", "ok": True, "ids": [1, 2], "none": None},
            body={"b": 1, "a": None},
        )
        await send(server.egress(), call, "key-1")
        line, headers, body = server.last

    assert line == "POST /orders?q=a+b&ok=true&ids=1&ids=2"
    assert headers["x-count"] == "3"
    assert "x-none" not in headers
    assert headers["content-type"] == "application/json"
    assert json.loads(body) == {"b": 1, "a": None}


@pytest.mark.parametrize(
    ("method", "own", "sent"),
    [
        ("GET", {}, None),
        ("POST", {}, "key-1"),
        ("DELETE", {}, "key-1"),
        ("POST", {"idempotency-key": "order-7"}, "order-7"),
    ],
)
async def test_the_idempotency_key_is_sent(method: str, own: dict[str, str], sent: str) -> None:
    async with serving(lambda _: answer({})) as server:
        await send(server.egress(), HttpCall(server.url, method, headers=own), "key-1")

    assert server.last[1].get("idempotency-key") == sent


@pytest.mark.parametrize(
    ("status", "code", "retryable"),
    [
        ("408 Request Timeout", "HttpUnavailable", True),
        ("429 Too Many Requests", "HttpUnavailable", True),
        ("500 Internal Server Error", "HttpUnavailable", True),
        ("503 Service Unavailable", "HttpUnavailable", True),
        ("400 Bad Request", "HttpRejected", False),
        ("401 Unauthorized", "HttpRejected", False),
        ("404 Not Found", "HttpRejected", False),
        ("422 Unprocessable Content", "HttpRejected", False),
    ],
)
async def test_a_status_says_whether_a_retry_helps(status: str, code: str, retryable: bool) -> None:
    """C29."""
    async with serving(lambda _: answer(b"why", status)) as server:
        with pytest.raises(NodeError) as failed:
            await send(server.egress(), HttpCall(f"{server.url}/a?token=1", "POST"), "key-1")

    assert (failed.value.code, failed.value.retryable) == (code, retryable)
    detail = failed.value.detail
    assert (detail["status"], detail["body"]) == (int(status[:3]), "why")
    assert detail["request"] == {"method": "POST", "url": f"{server.url}/a?token=[hidden]"}
    assert detail["answer"] == {"status": int(status[:3]), "body": "why"}
    assert "token" not in failed.value.message


async def test_no_secret_by_name_is_in_what_is_kept_of_a_refusal() -> None:
    said = b'{"error": "closed", "access_token": "s3cret"}'
    async with serving(lambda _: answer(said, "400 Bad Request")) as server:
        with pytest.raises(NodeError) as failed:
            await send(server.egress(), HttpCall(server.url, "POST"), "key-1")

    assert "closed" in failed.value.detail["body"]
    assert "s3cret" not in str(failed.value.detail)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Retry_After": "7"}, 7000),
        ({"Retry_After": "999999999999"}, 24 * 3600 * 1000),
        ({"Retry_After": "soon"}, None),
        ({}, None),
        (
            {
                "Date": "Sat, 21 Nov 2026 10:00:00 GMT",
                "Retry_After": "Sat, 21 Nov 2026 10:01:30 GMT",
            },
            90_000,
        ),
        ({"Retry_After": "Sat, 21 Nov 2026 10:01:30 GMT"}, None),
    ],
)
async def test_retry_after_is_honoured(headers: dict[str, str], expected: int | None) -> None:
    async with serving(lambda _: answer(b"", "503 Busy", **headers)) as server:
        with pytest.raises(NodeError) as failed:
            await send(server.egress(), HttpCall(server.url), "key-1")

    assert failed.value.retry_after_ms == expected


@pytest.mark.parametrize(
    ("method", "effect", "code"),
    [
        ("GET", None, "HttpUnavailable"),
        ("POST", None, "OutcomeUnknown"),
        ("POST", EffectClass.READ, "HttpUnavailable"),
        ("PUT", EffectClass.KEYED, "OutcomeUnknown"),
        ("GET", EffectClass.UNSAFE, "OutcomeUnknown"),
    ],
)
async def test_a_connection_that_breaks_after_sending(
    method: str, effect: EffectClass | None, code: str
) -> None:
    async with serving(lambda _: None) as server:
        call = HttpCall(server.url, method, effect_class=effect)
        with pytest.raises(NodeError) as failed:
            await send(server.egress(), call, "key-1")

    assert failed.value.code == code
    assert len(server.requests) == 1


async def test_a_call_that_was_never_sent_is_not_in_doubt() -> None:
    async with serving(lambda _: None) as server:
        egress, url = server.egress(), server.url

    with pytest.raises(NodeError) as failed:
        await send(egress, HttpCall(url, "POST"), "key-1")

    assert failed.value.code == "HttpUnavailable"
    assert not isinstance(failed.value, OutcomeUnknown)


async def test_time_and_size_are_bounded() -> None:
    half = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"
    gate = asyncio.Event()

    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(half)
        await gate.wait()
        writer.close()

    listening = await asyncio.start_server(hold, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    call = HttpCall(url, "POST", timeout_s=0.1)
    with pytest.raises(OutcomeUnknown, match="in time"):
        await send(Egress(AllowList.of([url])), call, "key-1")
    gate.set()
    listening.close()
    async with serving(lambda _: answer(b"x" * 2000)) as server:
        with pytest.raises(EgressRefused, match="larger"):
            await send(server.egress(max_response=1000), HttpCall(server.url), "key-1")


async def test_a_target_that_is_not_allowed_is_never_asked() -> None:
    async with serving(lambda _: answer({})) as server:
        with pytest.raises(EgressRefused):
            await send(Egress(), HttpCall(server.url), "key-1")

    assert server.requests == []


async def test_a_credential_is_sent_and_replaced_by_its_name() -> None:
    secret = "tok-1234567890"

    async def credentials(name: str, url: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {secret}"}

    reply = answer({"seen": f"Bearer {secret}"}, X_Request_Id=f"for-{secret}")
    async with serving(lambda _: reply) as server:
        call = HttpCall(server.url, credential="crm")
        result = await send(server.egress(), call, "key-1", credentials)
        sent = server.last[1]["authorization"]

    assert sent == f"Bearer {secret}"
    assert result["body"] == {"seen": "[crm]"}
    assert secret not in json.dumps(result)
    assert secret not in json.dumps(call.to_json())


async def test_a_credential_never_shows_in_an_error() -> None:
    async def credentials(name: str, url: str) -> dict[str, str]:
        return {"X-Api-Key": "tok-1234567890"}

    async with serving(lambda _: answer(b"bad key tok-1234567890", "403 Forbidden")) as server:
        sent = {"note": "tok-1234567890", "password": "hunter2", "text": "x" * 5000}
        call = HttpCall(server.url, "POST", body=sent, credential="crm")
        with pytest.raises(NodeError) as failed:
            await send(server.egress(), call, "key-1", credentials)

    detail = failed.value.detail
    assert detail["body"] == detail["answer"]["body"] == "bad key [crm]"
    shown = detail["request"]["body"]
    assert '"note":"[crm]","password":"[hidden]"' in shown
    assert "hunter2" not in shown
    assert len(shown) < 1100


async def test_an_unknown_credential_stops_before_sending() -> None:
    async with serving(lambda _: answer({})) as server:
        with pytest.raises(NodeError) as failed:
            await send(server.egress(), HttpCall(server.url, credential="crm"), "key-1")

    assert failed.value.code == "NodeConfigInvalid"
    assert server.requests == []


async def test_only_reads_follow_redirects() -> None:
    def reply(path: str) -> bytes:
        return answer({"at": path}) if path == "/b" else answer(b"", "302 Found", Location="/b")

    async with serving(reply) as server:
        read = await send(server.egress(), HttpCall(f"{server.url}/a"), "key-1")
        written = await send(server.egress(), HttpCall(f"{server.url}/a", "POST"), "key-1")

    assert (read["status"], read["body"]) == (200, {"at": "/b"})
    assert read["url"] == f"{server.url}/b"
    assert written["status"] == 302
    assert written["headers"] == {"content-length": "0", "location": "/b"}
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("method", "declared", "expected"),
    [
        ("get", None, EffectClass.READ),
        ("HEAD", None, EffectClass.READ),
        ("POST", None, EffectClass.UNSAFE),
        ("POST", EffectClass.KEYED, EffectClass.KEYED),
    ],
)
def test_an_unknown_post_is_unsafe(
    method: str, declared: EffectClass | None, expected: EffectClass
) -> None:
    assert HttpCall("http://a.example", method, effect_class=declared).effect is expected
