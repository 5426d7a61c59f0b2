"""What may be said of a workspace's own source of tools: its name, address, headers, credential."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from builder.adapters.tools.mcp_file import NAME, TAKEN
from builder.base.errors import InvalidInput, Unprocessable
from builder.models import Credential
from builder.services.addresses import OPERATORS, needs_operator
from engine.integrations.egress import EgressRefused, parse_target
from engine.integrations.egress.headers import is_header_name
from engine.integrations.egress.origins import is_never_called

MAX_HEADERS: Final = 20
HeaderValue = str | dict[str, str]
"""A text, or `{"credential": name}`."""
_OURS: Final = frozenset(
    {"accept", "accept-encoding", "connection", "content-length", "content-type", "cookie"}
    | {"expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"}
)
_SECRET: Final = re.compile(r"authorization|api-?key|token|secret|password", re.IGNORECASE)


def check_name(slug: str) -> None:
    """Raise `InvalidInput` for what cannot name a source."""
    if not NAME.match(slug) or "__" in slug or slug in TAKEN:
        raise InvalidInput(
            "letters, digits, - and single _, up to 32; not " + " or ".join(sorted(TAKEN)),
            path="name",
        )


def checked_address(url: str, *, path: str) -> str:
    """Return an address that may be called, as far as that can be seen before it is.

    Names are judged by their addresses at each call. Raises `InvalidInput`, and `Unprocessable`
    `AddressNotAllowed` for this machine and for what nobody may call.
    """
    try:
        target = parse_target(url.strip())
    except EgressRefused as refused:
        raise InvalidInput(refused.message, path=path) from None
    origin = target.origin
    why = OPERATORS if is_never_called(origin) else needs_operator(origin, "tool")
    if why is not None:
        raise Unprocessable(
            f"{origin.scheme}://{origin.host}:{origin.port} may not be called: {why}",
            code="AddressNotAllowed",
        )
    return str(target)


def check_headers(headers: Mapping[str, HeaderValue]) -> None:
    """Raise `InvalidInput` for headers that cannot be sent, or hold a secret in plain sight."""
    if len(headers) > MAX_HEADERS:
        raise InvalidInput(f"up to {MAX_HEADERS} headers", path="headers")
    for name, value in headers.items():
        if not is_header_name(name) or name.lower() in _OURS or name.lower().startswith("proxy-"):
            raise InvalidInput(f"the header {name[:80]!r} cannot be set", path="headers")
        if not isinstance(value, str):
            continue
        if not value.isascii() or not value.isprintable():
            raise InvalidInput(
                f"the header {name!r} has characters that cannot be sent", path="headers"
            )
        if _SECRET.search(name):
            raise InvalidInput(
                f"{name!r} carries a secret: store it under Credentials and name that here",
                path="headers",
            )


def check_credentials(workspace_id: str, names: Iterable[str]) -> None:
    """Raise `InvalidInput` for a credential that the workspace has not."""
    wanted = {name for name in names if name}
    known = Credential.objects.filter(workspace=workspace_id, name__in=wanted)
    missing = sorted(wanted - set(known.values_list("name", flat=True)))
    if missing:
        raise InvalidInput(
            f"there is no credential {missing[0]!r}: store it under Settings, Credentials first",
            path="credential",
        )
