"""Which internet addresses are public. Addresses are judged, never the text of a host name.

`ipaddress.is_global` alone is not enough: it calls the NAT64 and 6to4 forms of a metadata address,
IPv4-compatible loopback, multicast and 192.0.0.8 global on some versions of Python.
"""

from __future__ import annotations

from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    ip_address,
)
from typing import TypeAlias

from engine.integrations.egress.special_ranges import COMPATIBLE, DENIED, METADATA, NAT64

Address: TypeAlias = IPv4Address | IPv6Address


def parse_address(text: str) -> Address:
    """Return the address; the interface of a scoped one (`fe80::1%eth0`) is dropped."""
    return ip_address(text.partition("%")[0])


def unwrap(address: Address) -> list[Address]:
    """Return every address that a packet to `address` may reach: the IPv4 ones inside of it.

    Mapped, compatible, NAT64 and 6to4 forms stand for one; Teredo names its server and client.
    """
    if isinstance(address, IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address.sixtofour is not None:
        return [address.sixtofour]
    if address.teredo is not None:
        return list(address.teredo)
    if address in NAT64 or (address in COMPATIBLE and int(address) > 0xFFFF):
        return [IPv4Address(int(address) & 0xFFFFFFFF)]
    return [address]


def is_public(address: Address) -> bool:
    """Say whether `address`, with everything inside of it, is a public unicast address."""
    return all(_is_public(inner) for inner in unwrap(address))


def is_own_network(address: Address) -> bool:
    """Say whether an accepted entry may lead here: loopback and private ranges, not link-local.

    Metadata services of clouds are never meant by accepting a host name.
    """
    return all(
        _is_public(inner)
        or (
            (inner.is_private or inner in IPv4Network("100.64.0.0/10"))
            and not inner.is_link_local
            and not inner.is_multicast
            and not inner.is_unspecified
            and inner not in METADATA
        )
        for inner in unwrap(address)
    )


def is_neighbour(address: Address) -> bool:
    """Say whether a workspace's own entry may lead here: its network, never this machine itself."""
    return is_own_network(address) and not any(inner.is_loopback for inner in unwrap(address))


def _is_public(address: Address) -> bool:
    return (
        address.is_global
        and not address.is_multicast
        and not address.is_reserved
        and address not in METADATA
        and not any(address in network for network in DENIED if network.version == address.version)
    )
