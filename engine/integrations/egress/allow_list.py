"""What is allowed beyond the public web."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import ip_network

from engine.integrations.egress.addresses import Address
from engine.integrations.egress.dialing import TCP, tcp_origin
from engine.integrations.egress.failures import EgressRefused
from engine.integrations.egress.purposes import Purpose, parted
from engine.integrations.egress.special_ranges import Network
from engine.integrations.egress.targets import Origin
from engine.integrations.egress.urls import parse_target


@dataclass(frozen=True, slots=True)
class AllowList:
    """What an operator or owner allows beyond public addresses on ports 80 and 443."""

    origins: frozenset[Origin] = frozenset()
    """Exact origins: any port, and addresses of the own network."""
    private: frozenset[Origin] = frozenset()
    """Exact origins of a workspace: any port, and private ranges, but never this machine itself."""
    networks: tuple[Network, ...] = field(default=())
    """Private ranges that every host may resolve to; the operator's settings only."""
    scoped: frozenset[tuple[Purpose, Origin]] = frozenset()
    """Exact origins that are allowed for one purpose alone."""
    ports: frozenset[Origin] = frozenset()
    """Exact origins that may be called at any port, as long as they lead to the public net."""

    @classmethod
    def of(cls, urls: Iterable[str], networks: Iterable[str] = ()) -> AllowList:
        """Return the list for origins written as URLs and ranges written as CIDR.

        `tcp://host:port` is what is dialled; `model=http://host:port` is for that purpose alone.
        """
        entries = [parted(url) for url in urls]
        return cls(
            frozenset(_origin(url) for purpose, url in entries if purpose is None),
            networks=tuple(ip_network(text) for text in networks),
            scoped=frozenset((purpose, _origin(url)) for purpose, url in entries if purpose),
        )

    def serving(self, purpose: Purpose) -> AllowList:
        """Return what is allowed for a purpose: what is for all, and what is for that alone."""
        more = frozenset(origin for each, origin in self.scoped if each == purpose)
        return AllowList(self.origins | more, self.private, self.networks, ports=self.ports)

    def without_private(self) -> AllowList:
        """Return what is left of it where nothing private is to be opened: ports of public hosts."""
        return AllowList(ports=self.ports | self.origins | self.private)

    def joined(self, other: AllowList) -> AllowList:
        """Return what either list allows."""
        return AllowList(
            self.origins | other.origins,
            self.private | other.private,
            tuple(dict.fromkeys(self.networks + other.networks)),
            self.scoped | other.scoped,
            self.ports | other.ports,
        )

    def allows_address(self, address: Address) -> bool:
        """Say whether `address` lies in one of the ranges."""
        return any(address in net for net in self.networks if net.version == address.version)


def _origin(url: str) -> Origin:
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.lower() != TCP:
        return parse_target(url).origin
    host, _, port = rest.rpartition(":")
    if not port.isascii() or not port.isdecimal():
        raise EgressRefused("say the port: tcp://host:port")
    return tcp_origin(host, int(port))
