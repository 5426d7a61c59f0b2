"""The one way out: connections go where was judged, and carry no more than they may."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest

from engine.integrations.egress import AllowList, Egress, EgressRefused, HttpUnavailable
from tests.engine.names import resolver

pytestmark = pytest.mark.asyncio


PUBLIC = "93.184.216.34"


Answer = tuple[int, dict[str, str], bytes]


class Server:
    """A loopback server that records requests and answers by path."""

    def __init__(self, answers: dict[str, Answer]) -> None:
        self.answers = answers
        self.seen: list[tuple[str, dict[str, str], bytes]] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.seen.append((head[0], headers, body))
        path = head[0].split()[1].partition("?")[0]
        if path == "/hang":
            await reader.read()
        elif path == "/drop":
            writer.close()
            return
        else:
            status, extra, content = self.answers[path]
            lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(content)}", "Connection: close"]
            lines += [f"{name}: {text}" for name, text in extra.items()]
            writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
            await writer.drain()
        writer.close()


@asynccontextmanager
async def serving(**answers: Answer) -> AsyncIterator[Server]:
    server = Server({f"/{name}": answer for name, answer in answers.items()})
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()


def reaching(*ports: int, **options: Any) -> Egress:
    urls = [f"http://{host}:{port}" for port in ports for host in ("a.test", "b.test")]
    return Egress(
        AllowList.of(urls), resolver(a_test=["127.0.0.1"], b_test=["127.0.0.1"]), **options
    )


async def test_a_call_reaches_the_judged_address_under_its_own_name() -> None:
    async with serving(x=(418, {"X-A": "1"}, b"tea")) as server:
        answer = await reaching(server.port).request(
            "POST",
            f"http://a.test:{server.port}/x",
            query={"q": "ä b"},
            headers={"X-Q": "1", "authorization": "mine"},
            credential_headers={"Authorization": "Bearer s"},
            body=b"{}",
        )

    line, headers, body = server.seen[0]
    assert (answer.status, answer.body, answer.headers["x-a"]) == (418, b"tea", "1")
    assert line == "POST /x?q=%C3%A4+b HTTP/1.1"
    assert headers["host"] == f"a.test:{server.port}"
    assert headers["authorization"] == "Bearer s"
    assert (headers["accept-encoding"], headers["x-q"], body) == ("gzip", "1", b"{}")


async def test_the_name_is_resolved_once_so_rebinding_gains_nothing() -> None:
    lookups = []

    async def resolve(host: str, _port: int) -> list[str]:
        lookups.append(host)
        return ["127.0.0.1"] if len(lookups) == 1 else [PUBLIC]

    async with serving(x=(200, {}, b"")) as server:
        allow = AllowList.of([f"http://a.test:{server.port}"])
        await Egress(allow, resolve).request("GET", f"http://a.test:{server.port}/x")

    assert lookups == ["a.test"] and len(server.seen) == 1


async def test_the_environments_proxy_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    async with serving(x=(200, {}, b"ok")) as server:
        egress, url = reaching(server.port), f"http://a.test:{server.port}/x"
        assert (await egress.request("GET", url)).body == b"ok"
        async with egress.client() as client:
            assert (await client.get(url)).content == b"ok"


async def test_redirects_are_off_unless_allowed() -> None:
    async with serving(x=(302, {"Location": "/y"}, b""), y=(200, {}, b"y")) as server:
        egress, url = reaching(server.port), f"http://a.test:{server.port}/x"

        assert (await egress.request("GET", url)).status == 302
        assert (await egress.request("GET", url, follow_redirects=1)).body == b"y"


async def test_at_most_three_redirects_are_followed() -> None:
    async with serving(x=(302, {"Location": "/x"}, b"")) as server:
        url = f"http://a.test:{server.port}/x"
        answer = await reaching(server.port).request("GET", url, follow_redirects=99)

    assert answer.status == 302 and len(server.seen) == 4


@pytest.mark.parametrize("location", ["http://127.0.0.1/", "http://[::1]:1/", "file:///etc/passwd"])
async def test_a_redirect_is_judged_like_a_target(location: str) -> None:
    async with serving(x=(302, {"Location": location}, b"")) as server:
        with pytest.raises((EgressRefused, HttpUnavailable)):
            await reaching(server.port).request(
                "GET", f"http://a.test:{server.port}/x", follow_redirects=3
            )


@pytest.mark.parametrize("status", [302, 307, 308])
async def test_another_origin_gets_neither_credentials_nor_body(status: int) -> None:
    async with serving(y=(200, {}, b"")) as server:
        server.answers["/x"] = (status, {"Location": f"http://b.test:{server.port}/y"}, b"")
        await reaching(server.port).request(
            "POST",
            f"http://a.test:{server.port}/x",
            headers={"Cookie": "c", "X-Api-Key": "k", "X-Plain": "p", "Content-Type": "text/plain"},
            credential_headers={"X-Anything": "secret"},
            body=b"private",
            follow_redirects=3,
        )

    _, headers, body = server.seen[1]
    assert body == b""
    assert headers["x-plain"] == "p"
    assert not {"cookie", "x-api-key", "x-anything", "authorization", "content-type"} & set(headers)


async def test_the_same_origin_keeps_credentials_and_body() -> None:
    async with serving(x=(307, {"Location": "/y"}, b""), y=(200, {}, b"")) as server:
        await reaching(server.port).request(
            "PUT",
            f"http://a.test:{server.port}/x",
            credential_headers={"Authorization": "s"},
            body=b"b",
            follow_redirects=1,
        )

    line, headers, body = server.seen[1]
    assert (line.split()[0], headers["authorization"], body) == ("PUT", "s", b"b")


async def test_gzip_is_unpacked_and_other_encodings_are_refused() -> None:
    packed = gzip.compress(b"hello" * 100)
    async with serving(
        z=(200, {"Content-Encoding": "gzip"}, packed), b=(200, {"Content-Encoding": "br"}, b"x")
    ) as server:
        egress, base = reaching(server.port), f"http://a.test:{server.port}"

        assert (await egress.request("GET", f"{base}/z")).body == b"hello" * 100
        with pytest.raises(EgressRefused, match="br"):
            await egress.request("GET", f"{base}/b")


async def test_bombs_broken_streams_and_large_answers_are_refused() -> None:
    zipped = {"Content-Encoding": "gzip"}
    async with serving(
        bomb=(200, zipped, gzip.compress(b"\0" * 5_000_000)),
        broken=(200, zipped, b"no gzip at all"),
        large=(200, {}, b"x" * 2000),
    ) as server:
        egress = reaching(server.port, max_response=1000)
        for path in ("bomb", "broken", "large"):
            with pytest.raises(EgressRefused):
                await egress.request("GET", f"http://a.test:{server.port}/{path}")
        with pytest.raises(EgressRefused, match="100 times"):
            await reaching(server.port).request("GET", f"http://a.test:{server.port}/bomb")


async def test_a_silent_or_broken_other_side_is_unavailable() -> None:
    async with serving() as server:
        egress, base = reaching(server.port), f"http://a.test:{server.port}"
        for path in ("hang", "drop"):
            with pytest.raises(HttpUnavailable) as caught:
                await egress.request("GET", f"{base}/{path}", timeout_s=0.2)
            assert caught.value.sent and caught.value.retryable
    with pytest.raises(HttpUnavailable) as refused:
        await egress.request("GET", f"{base}/x")
    assert not refused.value.sent


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil"},
        {"Content-Length": "5"},
        {"Transfer-Encoding": "chunked"},
        {"Proxy-Authorization": "x"},
        {"X-A": "a\r\nX-B: b"},
        {"X A": "a"},
        {"": "a"},
        {"X-A": "ä"},
    ],
)
async def test_headers_that_could_change_the_request_are_refused(headers: dict[str, str]) -> None:
    with pytest.raises(EgressRefused):
        await reaching(1).request("GET", "http://a.test:1/", headers=headers)


@pytest.mark.parametrize("method", ["CONNECT", "TRACE", "get", "GET /x", ""])
async def test_odd_methods_are_refused(method: str) -> None:
    with pytest.raises(EgressRefused):
        await reaching(1).request(method, "http://a.test:1/")


@pytest.mark.parametrize("library", [httpx2, httpx])
async def test_other_peoples_clients_are_pinned_too(library: Any) -> None:
    async with serving(x=(200, {}, b"ok"), z=(200, {"Content-Encoding": "gzip"}, b"x")) as server:
        egress, base = reaching(server.port), f"http://a.test:{server.port}"
        async with egress.client(library) as client:
            assert (await client.post(f"{base}/x", content=b"hi")).text == "ok"
            async with client.stream("GET", f"{base}/x") as stream:
                assert [chunk async for chunk in stream.aiter_bytes()] == [b"ok"]
            for url in ("http://127.0.0.1/", f"http://c.test:{server.port}/", f"{base}/z"):
                with pytest.raises((EgressRefused, HttpUnavailable)):
                    await client.get(url)

    line, headers, body = server.seen[0]
    assert (headers["host"], headers["accept-encoding"]) == (f"a.test:{server.port}", "identity")
    assert (line, body) == ("POST /x HTTP/1.1", b"hi")


async def test_the_next_address_is_tried_when_one_does_not_answer() -> None:
    async with serving(x=(200, {}, b"ok")) as server:
        origin = f"http://a.test:{server.port}"
        names = resolver(a_test=["127.0.0.77", "127.0.0.1"])
        answer = await Egress(AllowList.of([origin]), names).request("GET", f"{origin}/x")

    assert answer.body == b"ok"
