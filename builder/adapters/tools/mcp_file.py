"""The operator's file of MCP servers (docs/tools.md has its form): parsed entry by entry."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from builder.adapters.tools.mcp_entry import McpEntry, McpFile
from builder.adapters.tools.mcp_form import Entry, said
from engine.core.effects import EffectClass
from engine.core.errors import RequestRefused
from engine.core.values.limits import parse_json
from engine.integrations.tools.mcp import HttpServer, McpServer, SecretHeader, StdioServer

MAX_FILE: Final = 1024 * 1024
MAX_SERVERS: Final = 100
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}\Z")
TAKEN: Final = frozenset({"python", "script"})
"""Sources that are always there."""


def read_mcp_file(path: Path) -> McpFile:
    """Return the servers that the file names; a missing one names none. Never raises."""
    try:
        with path.open("rb") as file:
            text = file.read(MAX_FILE + 1)
    except FileNotFoundError:
        return McpFile()
    except OSError as error:
        return McpFile(problem=f"{path.name} cannot be read: {error.strerror or error}")
    try:
        data: Any = parse_json(text, max_bytes=MAX_FILE)
    except RequestRefused as error:
        return McpFile(problem=f"{path.name} is not readable as JSON: {error.message}")
    servers = data.get("mcpServers") if isinstance(data, Mapping) else None
    if not isinstance(servers, Mapping):
        return McpFile(problem=f'{path.name} needs an object "mcpServers": {{"name": {{…}}}}')
    if len(servers) > MAX_SERVERS:
        return McpFile(problem=f"{path.name} names {len(servers)} servers; up to {MAX_SERVERS}")
    return McpFile(tuple(_entry(path.name, name, given) for name, given in servers.items()))


def _entry(file: str, name: str, given: Any) -> McpEntry:
    shown = name[:64]
    if not NAME.match(name) or "__" in name or name in TAKEN:
        return McpEntry(
            shown,
            problem=f"{file}: {shown!r} cannot name a source: letters, digits, - and single _, up "
            f"to 32, and not {' or '.join(sorted(TAKEN))}",
        )
    try:
        entry = Entry.model_validate(given)
    except ValidationError as error:
        return McpEntry(name, problem=f"{file}: {name}: {said(error)}")
    effects = {tool: EffectClass(kind) for tool, kind in entry.effects.items()}
    return McpEntry(name, _server(entry), entry.trusted, effects)


def _server(entry: Entry) -> McpServer:
    if entry.command is not None:
        return StdioServer(entry.command, tuple(entry.args), dict(entry.env), entry.cwd)
    headers = {
        name: value if isinstance(value, str) else SecretHeader(value.credential)
        for name, value in entry.headers.items()
    }
    return HttpServer(str(entry.url), entry.credential, headers)
