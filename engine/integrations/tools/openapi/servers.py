"""The servers of a document, and the one that calls are pinned to."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urljoin

from engine.integrations.egress import EgressRefused, parse_target
from engine.integrations.tools.openapi.document import (
    Document,
    OpenApiRefused,
    mapping,
    sequence,
)

MAX_SERVERS: Final = 20
_VARIABLE: Final = re.compile(r"\{([^{}]{1,100})\}")


def servers_of(document: Document, address: str | None) -> list[str]:
    """Return the addresses that a document names, its variables at their defaults.

    A relative one starts from the `address` that the document came from; without, it is left out.
    """
    found: list[str] = []
    for each in sequence(document.data.get("servers"))[:MAX_SERVERS]:
        server = mapping(each)
        defaults = mapping(server.get("variables"))
        url = _VARIABLE.sub(
            lambda name, known=defaults: str(  # type: ignore[misc]
                mapping(known.get(name.group(1))).get("default", "")
            ),
            str(server.get("url") or "")[:2000],
        )
        try:
            found.append(checked_server(urljoin(address, url) if address else url))
        except (OpenApiRefused, ValueError):
            continue
    return list(dict.fromkeys(found))


def checked_server(url: str) -> str:
    """Return the address that paths are appended to. Raises `OpenApiRefused`."""
    try:
        target = str(parse_target(url.strip()))
    except EgressRefused as refused:
        raise OpenApiRefused(refused.message) from None
    if "?" in target:
        raise OpenApiRefused("the address of a server has no query")
    return target.rstrip("/")
