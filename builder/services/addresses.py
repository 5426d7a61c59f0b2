"""Which addresses a workspace may name beyond the public web: its own network, not this machine."""

from __future__ import annotations

import socket
from typing import Final

from django.conf import settings

from engine.integrations.egress import AllowList, EgressRefused, Origin, Purpose, parse_target
from engine.integrations.egress.addresses import (
    Address,
    is_neighbour,
    is_own_network,
    is_public,
    parse_address,
)
from engine.integrations.egress.purposes import parted

OPERATORS: Final = (
    "this machine, link-local and metadata addresses are the operator's to allow:"
    " EGRESS_ALLOW in the settings of the server"
)


def operator_allows(origin: Origin, purpose: Purpose = "node") -> bool:
    """Return whether the operator's settings name this exact origin for a purpose."""
    return origin in AllowList.of(settings.EGRESS_ALLOW).serving(purpose).origins


def never_called(origin: Origin) -> bool:
    """Return whether an origin is a link-local or metadata address, which nobody may accept."""
    return not all(is_public(address) or is_own_network(address) for address in _numeric(origin))


def refused_entry(entry: str) -> str | None:
    """Return why a workspace may not allow an origin, for one purpose or for all; None if it may."""
    if "*" in entry:
        return "name one host: patterns are not allowed"
    try:
        purpose, url = parted(entry)
        target = parse_target(url)
    except EgressRefused as refused:
        return refused.message
    if target.path not in ("", "/"):
        return "name scheme, host and port only, without a path"
    if leads_here(target.origin) and not operator_allows(target.origin, purpose or "node"):
        return OPERATORS
    return None


def leads_here(origin: Origin) -> bool:
    """Return whether an origin names this machine, a link-local or a metadata address.

    Names are judged by their addresses when they are called, not here.
    """
    host = origin.host
    if host == "localhost" or host.endswith(".localhost"):
        return True
    return not all(is_public(address) or is_neighbour(address) for address in _numeric(origin))


def _numeric(origin: Origin) -> list[Address]:
    """Return the addresses that a host is written as, none for a name."""
    try:
        found = socket.getaddrinfo(origin.host, origin.port, flags=socket.AI_NUMERICHOST)
    except OSError:
        return []
    return [parse_address(str(entry[4][0])) for entry in found]
