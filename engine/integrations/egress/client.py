"""One HTTP call out: vetted, pinned, bounded in time and size; redirects judged like targets."""

from __future__ import annotations

import asyncio
import re
import socket
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

import httpx2

from engine.integrations.egress.addresses import (
    Address,
    is_neighbour,
    is_own_network,
    is_public,
    parse_address,
)
from engine.integrations.egress.allow_list import AllowList
from engine.integrations.egress.dialing import connected, tcp_origin
from engine.integrations.egress.failures import EgressRefused, HttpUnavailable
from engine.integrations.egress.headers import is_header_name
from engine.integrations.egress.origins import opener, written
from engine.integrations.egress.purposes import PORTS, Purpose
from engine.integrations.egress.targets import Origin, Target, VettedTarget
from engine.integrations.egress.transport import (
    CONNECT_TIMEOUT,
    IDLE_TIMEOUT,
    MAX_RESPONSE,
    PinnedTransport,
)
from engine.integrations.egress.urls import parse_target

Resolver = Callable[[str, int], Awaitable[list[str]]]

MAX_REDIRECTS = 3
"""Redirects that a caller may allow."""
MAX_RATIO = 100
"""Bytes that one compressed byte may become."""
TOTAL_TIMEOUT = 60.0
"""Seconds of one call, redirects and reading included, unless its caller says another number."""
LONGEST_CALL = 600.0
"""Seconds that a caller may allow one call."""

_WEB = frozenset({80, 443})
_OURS = frozenset(
    [
        "host",
        "content-length",
        "transfer-encoding",
        "connection",
        "upgrade",
        "te",
        "trailer",
        "expect",
        "keep-alive",
        "accept-encoding",
        "proxy-connection",
    ]
)
_SECRET = re.compile(
    r"authorization|cookie|api-?key|token|secret|password|credential", re.IGNORECASE
)
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True)
class EgressResponse:
    """What came back, whatever its status. Header names are lower case, the last of each wins."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str = ""


@dataclass(slots=True)
class _Call:
    method: str
    target: Target
    headers: dict[str, str]
    secrets: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    patience_s: float = TOTAL_TIMEOUT

    def redirected(self, status: int, target: Target) -> _Call:
        """Return the next call; another origin gets neither credentials nor body."""
        method, body = self.method, self.body
        if status == 303 or (status in (301, 302) and method == "POST"):
            method, body = ("HEAD" if method == "HEAD" else "GET"), None
        headers, secrets = self.headers, self.secrets
        if target.origin != self.target.origin:
            body, secrets = None, {}
            headers = {name: text for name, text in headers.items() if not _SECRET.search(name)}
        if body is None:
            headers = {
                name: text
                for name, text in headers.items()
                if not name.lower().startswith("content-")
            }
        return _Call(method, target, headers, secrets, body, self.patience_s)


class Egress:
    """Calls out for one workspace: its allow-list, and the resolver that everyone uses.

    `own_addresses` are public addresses of this installation, refused like private ones. Where it is
    `closed`, nothing private is opened beside its own list.
    """

    def __init__(
        self,
        allow: AllowList | None = None,
        resolver: Resolver | None = None,
        *,
        own_addresses: frozenset[str] = frozenset(),
        max_response: int = MAX_RESPONSE,
        closed: bool = False,
    ) -> None:
        self.closed = closed
        self.allow = allow or AllowList()
        self._resolve = resolver or system_resolver
        self._own = frozenset(parse_address(text) for text in own_addresses)
        self._max_response = max_response

    def allowing(self, more: AllowList) -> Egress:
        """Return an egress that allows `more` beside what this one does; nothing private if closed."""
        return self._with(self.allow.joined(more.without_private() if self.closed else more))

    async def vet(self, url: str) -> VettedTarget:
        """Return the target with its addresses, all of them judged.

        Raises `EgressRefused` if the URL, the port or any one address is not allowed, and
        `HttpUnavailable` if the name cannot be resolved.
        """
        target = parse_target(url)
        return VettedTarget(target, await self._judged(target.origin, self.allow, _WEB))

    def serving(self, purpose: Purpose) -> Egress:
        """Return an egress for one purpose: what is allowed for another one alone stays closed."""
        return self._with(self.allow.serving(purpose))

    def _with(self, allow: AllowList) -> Egress:
        other = Egress(allow, self._resolve, max_response=self._max_response, closed=self.closed)
        other._own = self._own
        return other

    async def dial(self, host: str, port: int, purpose: Purpose) -> socket.socket:
        """Return a blocking socket to a host, all of whose addresses were judged before.

        Public hosts answer on the ports of the purpose (`purposes.PORTS`), whatever else on
        `tcp://host:port` of the allow-list. Raises `EgressRefused`, `HttpUnavailable`.
        """
        origin = tcp_origin(host, port)
        ports = PORTS.get(purpose, frozenset())
        addresses = await self._judged(origin, self.allow.serving(purpose), ports)
        return await connected(addresses, port)

    async def _judged(
        self, origin: Origin, allow: AllowList, ports: frozenset[int]
    ) -> tuple[str, ...]:
        listed, private = origin in allow.origins, origin in allow.private
        if not (listed or private or origin in allow.ports) and origin.port not in ports:
            message = f"port {origin.port} of {origin.host!r} is not on the allow-list"
            raise EgressRefused(message, detail=self._opened_by(written(origin)))
        addresses = [parse_address(text) for text in await self._addresses(origin)]
        for address in addresses:
            if not self._may_reach(address, listed, private):
                message = f"{origin.host!r} leads to an address that is not public"
                raise EgressRefused(message, detail=self._opened_by(addresses))
        return tuple(dict.fromkeys(map(str, addresses)))

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: bytes | None = None,
        timeout_s: float = TOTAL_TIMEOUT,
        follow_redirects: int = 0,
        credential_headers: Mapping[str, str] | None = None,
    ) -> EgressResponse:
        """Return the answer to one call; a status other than 2xx is an answer too.

        It takes up to `timeout_s`, silence of the other side included, and `LONGEST_CALL` at most.
        `credential_headers` go to the first origin only. Raises `EgressRefused` for whatever is
        not allowed, `HttpUnavailable` (retryable) for timeouts and broken connections.
        """
        secrets = _checked_headers(credential_headers or {})
        taken = {name.lower() for name in secrets}
        plain = _checked_headers(headers or {})
        call = _Call(
            _checked_method(method),
            parse_target(_with_query(url, query)),
            {name: text for name, text in plain.items() if name.lower() not in taken},
            secrets,
            body,
            min(timeout_s, LONGEST_CALL),
        )
        left = min(follow_redirects, MAX_REDIRECTS)
        try:
            async with asyncio.timeout(call.patience_s):
                return await self._follow(call, left)
        except TimeoutError as late:
            raise HttpUnavailable("the answer did not come in time", sent=True) from late

    def transport(self, library: Any = httpx2, **limits: Any) -> Any:
        """Return an asynchronous transport for `httpx2` (or `httpx`, given as `library`).

        `limits` are `max_response` in bytes and `read_timeout` in seconds.
        """
        return PinnedTransport(self.vet, library, **limits)

    def client(
        self, library: Any = httpx2, *, timeout: float = IDLE_TIMEOUT, **options: Any
    ) -> Any:
        """Return an `AsyncClient` of the library that can reach nothing but vetted targets.

        `timeout` is how many seconds the other side may be silent.
        """
        return library.AsyncClient(
            transport=self.transport(library, read_timeout=timeout),
            timeout=timeout,
            trust_env=False,
            follow_redirects=False,
            **options,
        )

    async def _addresses(self, origin: Origin) -> list[str]:
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                found = await self._resolve(origin.host, origin.port)
        except (OSError, TimeoutError, UnicodeError) as failed:
            raise HttpUnavailable(f"{origin.host!r} cannot be resolved", sent=False) from failed
        if not found:
            raise HttpUnavailable(f"{origin.host!r} has no address", sent=False)
        return found

    def _opened_by(self, addresses: Iterable[Address]) -> dict[str, Any]:
        return {"opened_by": opener(addresses, self._own, closed=self.closed)}

    def _may_reach(self, address: Address, listed: bool, private: bool) -> bool:
        if address in self._own:
            return listed
        if is_public(address) or self.allow.allows_address(address):
            return True
        return (listed and is_own_network(address)) or (private and is_neighbour(address))

    async def _follow(self, call: _Call, left: int) -> EgressResponse:
        while True:
            answer = await self._once(call)
            location = answer.headers.get("location")
            if answer.status not in _REDIRECTS or location is None or left == 0:
                return answer
            left -= 1
            call = call.redirected(answer.status, parse_target(urljoin(answer.url, location)))

    async def _once(self, call: _Call) -> EgressResponse:
        url = str(call.target)
        vetted = await self.vet(url)
        request = httpx2.Request(
            call.method,
            url,
            headers={**call.headers, **call.secrets, "Accept-Encoding": "gzip"},
            content=call.body,
        )
        transport = _OneCall(vetted, call.patience_s)
        try:
            response = await transport.handle_async_request(request)
            try:
                received = await self._read(call, response)
            finally:
                await response.aclose()
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as failed:
            raise HttpUnavailable(
                f"no connection to {call.target.authority}", sent=False
            ) from failed
        except httpx2.TransportError as failed:
            raise HttpUnavailable(
                f"the connection to {call.target.authority} broke", sent=True
            ) from failed
        finally:
            await transport.aclose()
        return EgressResponse(response.status_code, _headers(response), received, url)

    async def _read(self, call: _Call, response: httpx2.Response) -> bytes:
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if call.method == "HEAD" or encoding in ("", "identity"):
            chunks: AsyncIterator[bytes] = response.aiter_raw()
        elif encoding in ("gzip", "x-gzip"):
            chunks = _unzipped(response.aiter_raw())
        else:
            raise EgressRefused(f"the answer is encoded as {encoding!r}, which nobody asked for")
        received = bytearray()
        async for chunk in chunks:
            received += chunk
            if len(received) > self._max_response:
                raise EgressRefused(f"the answer is larger than {self._max_response} bytes")
        return bytes(received)


class _OneCall(PinnedTransport):
    """A transport for one vetted target, which leaves decompression to the caller."""

    def __init__(self, vetted: VettedTarget, patience_s: float) -> None:
        super().__init__(_never, read_timeout=patience_s)
        self._vetted = vetted

    async def handle_async_request(self, request: object) -> Any:
        """Return the answer with its stream as it came."""
        return await self._first_that_connects(request, self._vetted)


async def _never(url: str) -> VettedTarget:
    raise EgressRefused(f"{url!r} was not vetted")


async def system_resolver(host: str, port: int) -> list[str]:
    """Return the addresses of `host` as the machine resolves it, odd spellings included."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


async def _unzipped(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the content of a gzip stream in small pieces; refuses bombs and broken streams."""
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    taken = given = 0
    async for chunk in chunks:
        taken += len(chunk)
        while chunk:
            try:
                piece = inflate.decompress(chunk, 65536)
            except zlib.error as broken:
                raise EgressRefused("the compressed answer is broken") from broken
            given += len(piece)
            if given > 65536 and given > MAX_RATIO * taken:
                raise EgressRefused(f"the answer unpacks to more than {MAX_RATIO} times its size")
            yield piece
            chunk = inflate.unconsumed_tail
            if inflate.eof:
                return


def _headers(response: httpx2.Response) -> dict[str, str]:
    return {name.lower(): text for name, text in response.headers.items()}


def _checked_method(method: str) -> str:
    if not re.fullmatch(r"[A-Z]{1,16}", method) or method in ("CONNECT", "TRACE"):
        raise EgressRefused(f"the method {method!r} is not allowed")
    return method


def _checked_headers(headers: Mapping[str, str]) -> dict[str, str]:
    for name, text in headers.items():
        if not is_header_name(name) or name.lower() in _OURS or name.lower()[:6] == "proxy-":
            raise EgressRefused(f"the header {name!r} cannot be set")
        if not text.isascii() or re.search(r"[\x00-\x08\x0a-\x1f\x7f]", text):
            raise EgressRefused(f"the header {name!r} has characters that cannot be sent")
    return dict(headers)


def _with_query(url: str, query: Mapping[str, Any] | None) -> str:
    if not query:
        return url
    before = url.partition("#")[0]
    joined = "&" if "?" in before else "?"
    return f"{before}{joined}{httpx2.QueryParams(query)}"
