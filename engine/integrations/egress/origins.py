"""What an origin says of itself before it is called: the one judge of addresses that people type.

A name is judged by its addresses at each call. Here is seen what is written as an address, in any
of the spellings that the system takes, and the names that always mean this machine.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from typing import Literal, TypeAlias

from engine.integrations.egress.addresses import (
    Address,
    is_neighbour,
    is_own_network,
    is_public,
    parse_address,
    unwrap,
)
from engine.integrations.egress.failures import EgressRefused
from engine.integrations.egress.targets import Origin
from engine.integrations.egress.urls import parse_target

Opener: TypeAlias = Literal["workspace", "operator", "nobody"]


def opener(addresses: Iterable[Address], own: frozenset[Address], *, closed: bool) -> Opener:
    """Return who can open these addresses: a workspace its network, the operator this machine too.

    `own` are addresses of this installation; where it is `closed`, all that is private is the operator's.
    """
    found: Opener = "workspace"
    for address in addresses:
        if not (is_public(address) or is_own_network(address)):
            return "nobody"
        here = address in own or not (is_public(address) or is_neighbour(address))
        if here or (closed and not is_public(address)):
            found = "operator"
    return found


def written(origin: Origin) -> list[Address]:
    """Return the addresses that an origin says without being looked up; none for most names."""
    return [parse_address("127.0.0.1")] if _is_localhost(origin) else _numeric(origin)


def is_never_called(origin: Origin) -> bool:
    """Say whether it is a link-local or metadata address, which nobody may accept."""
    return not all(is_public(address) or is_own_network(address) for address in _numeric(origin))


def leads_here(origin: Origin) -> bool:
    """Say whether it is this machine, a link-local or a metadata address."""
    return _is_localhost(origin) or not all(
        is_public(address) or is_neighbour(address) for address in _numeric(origin)
    )


def is_private(origin: Origin) -> bool:
    """Say whether it is anything but the public net: this machine and its network."""
    return _is_localhost(origin) or not all(is_public(address) for address in _numeric(origin))


def is_unheard(url: str) -> bool:
    """Say whether nobody between can read or change what is sent: HTTPS, or this machine itself."""
    try:
        origin = parse_target(url).origin
    except EgressRefused:
        return False
    return origin.scheme == "https" or _is_loopback(origin)


def _is_localhost(origin: Origin) -> bool:
    return origin.host == "localhost" or origin.host.endswith(".localhost")


def _is_loopback(origin: Origin) -> bool:
    found = [inner for address in _numeric(origin) for inner in unwrap(address)]
    return origin.host == "localhost" or (bool(found) and all(inner.is_loopback for inner in found))


def _numeric(origin: Origin) -> list[Address]:
    """Return the addresses that a host is written as, none for a name."""
    try:
        found = socket.getaddrinfo(origin.host, origin.port, flags=socket.AI_NUMERICHOST)
    except OSError:
        return []
    return [parse_address(str(entry[4][0])) for entry in found]
