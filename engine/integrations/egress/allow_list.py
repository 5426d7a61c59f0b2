"""What is allowed beyond the public web."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import ip_network

from engine.integrations.egress.addresses import Address
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
