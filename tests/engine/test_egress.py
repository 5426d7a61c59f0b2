"""The one way out: addresses are judged, never names; connections go where was judged."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import Any

import httpx
import httpx2
import pytest

from engine.egress import AllowList, Egress, EgressRefused, HttpUnavailable, is_public, parse_target
from engine.egress.client import system_resolver

pytestmark = pytest.mark.asyncio

PUBLIC = "93.184.216.34"


def resolver(**hosts: list[str]) -> Callable[[str, int], Awaitable[list[str]]]:
    async def resolve(host: str, port: int) -> list[str]:
        return hosts.get(host.replace(".", "_"), [])

    return resolve


async def any_host_is(address: str, host: str = "x.example") -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        return [address]

    await Egress(resolver=resolve).vet(f"http://{host}/")


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "198.18.0.1",
        "198.51.100.7",
        "203.0.113.7",
        "224.0.0.1",
        "239.1.2.3",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:0:127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "2002:a9fe:a9fe::1",
        "2002:7f00:1::1",
        "2001:0:7f00:1::",
        "2001:0:4136:e378:8000:63bf:80ff:fffe",
        "2001:db8::1",
        "2001:2::1",
        "3fff::1",
        "5f00::1",
        "100::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
    ],
)
async def test_an_address_that_is_not_public_is_refused(address: str) -> None:
    with pytest.raises(EgressRefused):
        await any_host_is(address)


@pytest.mark.parametrize(
    "address", [PUBLIC, "1.1.1.1", "2606:4700::1111", "64:ff9b::5db8:d822", "2002:5db8:d822::1"]
)
async def test_a_public_address_is_reached(address: str) -> None:
    await any_host_is(address)
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "host",
    [
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "127.1",
        "127.0.1",
        "0177.0.0.1",
        "017700000001",
        "0",
        "１２７.０.０.１",
        "127。0。0。1",
        "127．0．0．1",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:0:0:1]",
        "127.0.0.1",
        "127.0.0.1.",
    ],
)
async def test_every_spelling_of_loopback_is_refused_by_what_it_resolves_to(host: str) -> None:
    with pytest.raises((EgressRefused, HttpUnavailable)):
        await Egress(resolver=system_resolver).vet(f"http://{host}/")


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://x.example/",
        "gopher://x.example/",
        "//x.example/",
        "http:/x.example",
        "http://",
        "http:///path",
        "http://user@x.example/",
        "http://user:pass@x.example/",
        "http://x.example@127.0.0.1/",
        "http://x.example:80@127.0.0.1/",
        "http://x.example\\@127.0.0.1/",
        "http://x.example\\.evil/",
        "http://x.example/\r\nHost: y",
        "http://x.example/ a",
        "http://x.exam\tple/",
        "http://x.exa\nmple/",
        "http://x.example\x00/",
        "http://x%2eexample/",
        "http://127%2e0.0.1/",
        "http://[fe80::1%25eth0]/",
        "http://[::1/",
        "http://[::1]x/",
        "http://x.example:0/",
        "http://x.example:65536/",
        "http://x.example:99999/",
        "http://x.example:8x/",
        "http://x.example:8080/",
        "http://.x.example/",
        "http://x..example/",
        "http://x.example\u2028/",
        " http://x.example/",
        "http://" + "a" * 9000 + "/",
        "javascript:alert(1)",
        "",
    ],
)
async def test_a_url_that_can_be_misread_is_refused(url: str) -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        return [PUBLIC]

    with pytest.raises(EgressRefused):
        await Egress(resolver=resolve).vet(url)


async def test_one_bad_address_among_good_ones_refuses_all() -> None:
    egress = Egress(resolver=resolver(x_example=[PUBLIC, "10.0.0.1"]))

    with pytest.raises(EgressRefused):
        await egress.vet("https://x.example/")


async def test_an_unknown_host_is_unavailable_and_nothing_was_sent() -> None:
    with pytest.raises(HttpUnavailable) as caught:
        await Egress(resolver=resolver()).vet("https://x.example/")

    assert caught.value.retryable and not caught.value.sent


async def test_the_allow_list_names_exact_origins() -> None:
    names = resolver(ollama_lan=["10.0.0.5"], other_lan=["10.0.0.5"], meta=["169.254.169.254"])
    allow = AllowList.of(["http://ollama.lan:11434", "http://meta"])
    egress = Egress(allow, names)

    assert (await egress.vet("http://OLLAMA.lan.:11434/x")).addresses == ("10.0.0.5",)
    for url in (
        "https://ollama.lan:11434/",
        "http://ollama.lan:11435/",
        "http://ollama.lan/",
        "http://other.lan:11434/",
        "http://meta/",
    ):
        with pytest.raises(EgressRefused):
            await egress.vet(url)


async def test_operators_may_allow_ranges_but_not_ports() -> None:
    egress = Egress(AllowList.of([], ["10.1.0.0/16"]), resolver(a=["10.1.2.3"], b=["10.2.2.3"]))

    assert (await egress.vet("http://a/")).addresses == ("10.1.2.3",)
    with pytest.raises(EgressRefused):
        await egress.vet("http://b/")
    with pytest.raises(EgressRefused):
        await egress.vet("http://a:8080/")


async def test_own_public_addresses_are_refused() -> None:
    egress = Egress(resolver=resolver(x_example=[PUBLIC]), own_addresses=frozenset({PUBLIC}))

    with pytest.raises(EgressRefused):
        await egress.vet("https://x.example/")


async def test_a_target_is_written_back_as_it_was_read() -> None:
    target = parse_target("HTTPS://Ex.Ample.:443/a b?x=1#frag".replace(" ", "%20"))

    assert str(target) == "https://ex.ample/a%20b?x=1"
    assert target.authority == "ex.ample"


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
