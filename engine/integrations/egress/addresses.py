"""Which internet addresses are public. Addresses are judged, never the text of a host name.

`ipaddress.is_global` alone is not enough: it calls the NAT64 and 6to4 forms of a metadata address,
IPv4-compatible loopback, multicast and 192.0.0.8 global on some versions of Python.
"""

from __future__ import annotations

from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

_DENIED: tuple[Network, ...] = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
        "::/8",
        "64:ff9b:1::/48",
        "100::/64",
        "2001:2::/48",
        "2001:db8::/32",
        "3fff::/20",
        "5f00::/16",
        "fc00::/7",
        "fe80::/10",
        "fec0::/10",
        "ff00::/8",
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")
_COMPATIBLE = IPv6Network("::/96")
_METADATA = frozenset(
    ip_address(text) for text in ("169.254.169.254", "168.63.129.16", "100.100.100.200")
)


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
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > 0xFFFF):
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
            and inner not in _METADATA
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
        and address not in _METADATA
        and not any(address in network for network in _DENIED if network.version == address.version)
    )
