"""A kind of channel: which addresses it takes, and what is posted there for a message."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

import orjson

from engine.integrations.channels.message import Message
from engine.integrations.egress import EgressRefused, Origin, Target, parse_target

TAIL: Final = 4
"""Characters of an address that its hint ends with."""


class AddressInvalid(ValueError):
    """The address cannot be one of this kind; `path` is the part at fault."""

    def __init__(self, message: str, path: str = "address") -> None:
        super().__init__(message)
        self.message = message
        self.path = path


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message goes; `key` is a token that some services ask for beside the address."""

    address: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Post:
    """One POST; `secret` are headers that go nowhere else."""

    url: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    secret: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Kind:
    """`check(place, allowed)` gives what may be shown of an address; it raises `AddressInvalid`.

    `allowed` are origins that an operator allows beyond the service's own hosts. `write` is None
    for what is not posted to a service in words.
    """

    check: Callable[[Place, Collection[Origin]], str]
    write: Callable[[Place, Message], Post] | None = None


def as_json(url: str, value: object, secret: Mapping[str, str] | None = None) -> Post:
    """Return a POST of JSON."""
    return Post(url, orjson.dumps(value), {"Content-Type": "application/json"}, secret or {})


def https_target(place: Place, allowed: Collection[Origin]) -> Target:
    """Return an address of one's own: https, or an allowed origin. Raises `AddressInvalid`."""
    target = parsed(place.address)
    if target.origin.scheme != "https" and target.origin not in allowed:
        raise AddressInvalid("begin it with https://")
    return target


def parsed(address: str) -> Target:
    """Return the parts of an address. Raises `AddressInvalid`."""
    try:
        return parse_target(address)
    except EgressRefused as refused:
        raise AddressInvalid(refused.message) from None


def hint_of(target: Target) -> str:
    """Return host and last characters of an address that is a secret itself."""
    return f"{target.origin.host}/…{target.path.rstrip('/')[-TAIL:]}"
