"""Targets: one strict parse of a URL, and the list of what is allowed beyond the public web."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import NamedTuple

import httpx2

from engine.integrations.egress.addresses import Address, Network
from engine.integrations.egress.failures import EgressRefused

MAX_URL = 8192
"""Longest URL, in characters."""

_URL = re.compile(r"(https?)://(\[[0-9A-Fa-f:.]+\]|[^/?#\[\]:@]+)(?::([0-9]{1,5}))?([/?#].*)?")
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029]")
_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?\.?")
_DEFAULT_PORTS = {"http": 80, "https": 443}


class Origin(NamedTuple):
    """Scheme, host (lower case ASCII, no final dot) and port: what an allow-list entry names."""

    scheme: str
    host: str
    port: int


class Target(NamedTuple):
    """A parsed URL: where it leads, and the path and query that are sent."""

    origin: Origin
    path: str

    def __str__(self) -> str:
        """The URL, without credentials because none are ever in it."""
        scheme, host, port = self.origin
        shown = f"[{host}]" if ":" in host else host
        suffix = "" if port == _DEFAULT_PORTS[scheme] else f":{port}"
        return f"{scheme}://{shown}{suffix}{self.path}"

    @property
    def authority(self) -> str:
        """What the `Host` header says."""
        return str(self).split("/", 3)[2]


class VettedTarget(NamedTuple):
    """A target with the addresses that were judged; connections go to these and no others."""

    target: Target
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AllowList:
    """What an operator or owner allows beyond public addresses on ports 80 and 443."""

    origins: frozenset[Origin] = frozenset()
    """Exact origins: any port, and addresses of the own network."""
    private: frozenset[Origin] = frozenset()
    """Exact origins of a workspace: any port, and private ranges, but never this machine itself."""
    networks: tuple[Network, ...] = field(default=())
    """Private ranges that every host may resolve to; the operator's settings only."""

    @classmethod
    def of(cls, urls: Iterable[str], networks: Iterable[str] = ()) -> AllowList:
        """Return the list for origins written as URLs and ranges written as CIDR."""
        return cls(
            frozenset(parse_target(url).origin for url in urls),
            networks=tuple(ip_network(text) for text in networks),
        )

    def joined(self, other: AllowList) -> AllowList:
        """Return what either list allows."""
        return AllowList(
            self.origins | other.origins,
            self.private | other.private,
            tuple(dict.fromkeys(self.networks + other.networks)),
        )

    def allows_address(self, address: Address) -> bool:
        """Say whether `address` lies in one of the ranges."""
        return any(address in net for net in self.networks if net.version == address.version)


def parse_target(url: str) -> Target:
    """Return the parts of an absolute http(s) URL.

    Raises `EgressRefused` for anything else: other schemes, user-info, backslashes, control
    characters, blanks, percent signs in the host, an empty host, and whatever a second parser
    reads differently.
    """
    if len(url) > MAX_URL:
        raise EgressRefused(f"a URL may have {MAX_URL} characters")
    if _FORBIDDEN.search(url):
        raise EgressRefused("a URL may not contain blanks, control characters or backslashes")
    found = _URL.fullmatch(_lower_scheme(url))
    if found is None:
        raise EgressRefused("only http and https URLs of the form scheme://host/path are allowed")
    scheme, host = found[1], _host(found[2])
    port = int(found[3]) if found[3] else _DEFAULT_PORTS[scheme]
    if not 0 < port < 65536:
        raise EgressRefused(f"port {port} does not exist")
    rest = (found[4] or "").partition("#")[0]
    try:
        shown = f"[{host}]" if ":" in host else host
        parsed = httpx2.URL(f"{scheme}://{shown}:{port}{rest}")
        path = parsed.raw_path.decode("ascii")
    except (httpx2.InvalidURL, ValueError) as refused:
        raise EgressRefused(f"the URL cannot be read: {refused}") from refused
    if parsed.userinfo or parsed.host.rstrip(".") != host.rstrip("."):
        raise EgressRefused("the URL can be read in two ways")
    return Target(Origin(scheme, host.rstrip("."), port), path)


def _lower_scheme(url: str) -> str:
    scheme, separator, rest = url.partition("://")
    return f"{scheme.lower()}{separator}{rest}"


def _host(written: str) -> str:
    if written.startswith("["):
        return written[1:-1].lower()
    try:
        host = written.encode("idna").decode("ascii").lower()
    except UnicodeError as refused:
        raise EgressRefused(f"{written!r} is no host name") from refused
    if not _HOST.fullmatch(host):
        raise EgressRefused(f"{written!r} is no host name")
    return host
