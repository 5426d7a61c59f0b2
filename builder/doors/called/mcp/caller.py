"""Who calls: put beside the request by the door, and read by what answers it."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any, Final

from builder.models import ApiToken, Membership

KEY: Final = "graphwright.caller"
MAX_BODY: Final = 1024 * 1024
"""How much a call may send, in bytes."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The member in whose name a program calls, and the token that it showed."""

    member: Membership
    token: ApiToken


def put(scope: MutableMapping[str, Any], caller: Caller) -> dict[str, Any]:
    """Return a request's scope with its caller."""
    return {**scope, KEY: caller}


def caller_of(request: Any) -> Caller:
    """Return the caller of an HTTP request that the transport hands on. Raises `LookupError`."""
    found = None if request is None else request.scope.get(KEY)
    if not isinstance(found, Caller):
        raise LookupError("a request without a caller has passed the door")
    return found
