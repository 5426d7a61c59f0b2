"""Targets: one strict parse of a URL, and the list of what is allowed beyond the public web."""

from __future__ import annotations

from typing import NamedTuple

DEFAULT_PORTS = {"http": 80, "https": 443}


class Origin(NamedTuple):
    """Scheme, host (lower case ASCII, no final dot) and port: what an allow-list entry names."""

    scheme: str
    host: str
    port: int


class Target(NamedTuple):
    """A parsed URL: where it leads, and the path and query that are sent."""

    origin: Origin
    path: str

    def __str__(self) -> str:
        """The URL, without credentials because none are ever in it."""
        scheme, host, port = self.origin
        shown = f"[{host}]" if ":" in host else host
        suffix = "" if port == DEFAULT_PORTS[scheme] else f":{port}"
        return f"{scheme}://{shown}{suffix}{self.path}"

    @property
    def authority(self) -> str:
        """What the `Host` header says."""
        return str(self).split("/", 3)[2]


class VettedTarget(NamedTuple):
    """A target with the addresses that were judged; connections go to these and no others."""

    target: Target
    addresses: tuple[str, ...]
