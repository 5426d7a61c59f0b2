"""The tools of this installation: registered Python functions, and the operator's MCP servers.

MCP servers come from one file of the operator (`MCP_CONFIG`, by default `var/mcp.json`), never from
a graph, an import or the API:

    {"mcpServers": {"files": {"command": "files-server", "args": ["/srv"], "trusted": true},
                    "crm": {"url": "https://crm.example/mcp", "credential": "crm"}}}
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import close_old_connections

from builder.adapters.credentials import credentials_of
from builder.models import AcceptedTool
from engine.effects import EffectClass
from engine.egress import Egress
from engine.errors import RequestRefused
from engine.limits import parse_json
from engine.tool import ToolSpec
from engine.tools.functions import DEFAULT
from engine.tools.mcp import HttpServer, McpSource, StdioServer
from engine.toolset import Toolset

KNOWN = frozenset({"command", "args", "env", "cwd", "url", "credential", "trusted", "effects"})


def workspace_tools(egress: Egress) -> Toolset:
    """Return the tools that workspaces of this installation may use. Call it on the engine's loop.

    Packages that offer tools are imported now; a broken one is left out and logged.
    """
    DEFAULT.load_entry_points()
    sources = mcp_sources(Path(settings.MCP_CONFIG), egress)
    trusted = frozenset(source.name for source in sources if source.trusted)

    async def accepted(workspace_id: str | None, spec: ToolSpec) -> bool:
        return await asyncio.to_thread(_accepted, workspace_id, spec, spec.source in trusted)

    return Toolset([DEFAULT, *sources], accepted=accepted)


def mcp_sources(path: Path, egress: Egress) -> list[McpSource]:
    """Return the servers that the operator's file names. Raises `ImproperlyConfigured`."""
    if not path.exists():
        return []
    try:
        data: Any = parse_json(path.read_bytes())
    except RequestRefused as error:
        raise ImproperlyConfigured(f"{path.name}: {error.message}") from error
    servers = data.get("mcpServers") if isinstance(data, Mapping) else None
    if not isinstance(servers, Mapping):
        raise ImproperlyConfigured(f'{path.name} needs an object "mcpServers"')
    return [_source(path.name, name, entry, egress) for name, entry in servers.items()]


def _source(file: str, name: str, entry: Any, egress: Egress) -> McpSource:
    unknown = sorted(set(entry) - KNOWN) if isinstance(entry, Mapping) else ["?"]
    if unknown or ("command" in entry) == ("url" in entry):
        raise ImproperlyConfigured(
            f'{file}: server {name!r} needs either "command" or "url", and only {sorted(KNOWN)}'
        )
    if "command" in entry:
        server: Any = StdioServer(
            entry["command"],
            tuple(entry.get("args", ())),
            dict(entry.get("env", {})),
            entry.get("cwd"),
        )
    else:
        server = HttpServer(entry["url"], entry.get("credential"))
    effects = {tool: EffectClass(kind) for tool, kind in entry.get("effects", {}).items()}
    return McpSource(
        name,
        server,
        trusted=bool(entry.get("trusted")),
        effects=effects,
        egress=egress,
        credentials=credentials_of(None),
    )


def _accepted(workspace_id: str | None, spec: ToolSpec, trusted: bool) -> bool:
    """Say whether the workspace accepted this definition; a trusted source's first one counts."""
    close_old_connections()
    name = f"{spec.source}/{spec.name}"
    known = AcceptedTool.objects.filter(workspace=workspace_id, name=name).first()
    if known is None and trusted and workspace_id is not None:
        known, _ = AcceptedTool.objects.get_or_create(
            workspace_id=workspace_id, name=name, defaults={"hash": spec.hash}
        )
    return known is not None and known.hash == spec.hash
