"""The servers that the file of MCP servers names, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from engine.core.effects import EffectClass
from engine.integrations.tools.mcp import HttpServer, McpServer, StdioServer


@dataclass(frozen=True, slots=True)
class McpEntry:
    """One server of the file; `problem` says why it cannot be used, and then `server` is None."""

    name: str
    server: McpServer | None = None
    trusted: bool = False
    effects: Mapping[str, EffectClass] = field(default_factory=dict)
    problem: str | None = None

    @property
    def kind(self) -> str:
        """Return `http` or `program`; empty where the file does not say it rightly."""
        if self.server is None:
            return ""
        return "http" if isinstance(self.server, HttpServer) else "program"

    @property
    def where(self) -> str:
        """Return the address without query, or the program's name: nothing that may be secret."""
        if isinstance(self.server, HttpServer):
            parts = urlsplit(self.server.url)
            return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        return Path(self.server.command).name if isinstance(self.server, StdioServer) else ""


@dataclass(frozen=True, slots=True)
class McpFile:
    """What the file says; with a `problem` it could not be read at all."""

    entries: tuple[McpEntry, ...] = ()
    problem: str | None = None
