"""The sources that workspaces named on the screen, made from their rows and made anew with them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from builder.adapters.credentials import credentials_of
from builder.adapters.egress import egress_allowing
from builder.adapters.threads import in_thread
from builder.adapters.tools.broken_source import BrokenSource
from builder.adapters.tools.own_grants import GrantBearer
from builder.adapters.tools.own_rows import (
    NO_SERVER,
    OwnHead,
    OwnRows,
    plain_headers,
    read_rows,
    read_source,
    secret_headers,
)
from builder.models import ToolSource as Row
from engine.integrations.egress import Egress
from engine.integrations.tools.mcp import HttpServer, McpSource, SecretHeader
from engine.integrations.tools.openapi import Api, OpenApiSource, Operation
from engine.integrations.tools.toolset import ToolSource

MAX_SESSIONS: Final = 500
"""Own sources of all workspaces that are kept; the one that was longest unused ends."""

_Stamp = tuple[int, tuple[str, ...]]


class OwnSources:
    """Sources by row. What another process changed holds from the next look-up on."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[_Stamp, ToolSource]] = OrderedDict()
        self._leaving: set[asyncio.Task[None]] = set()

    async def rows(self, workspace_id: str | None) -> OwnRows:
        """Return what the workspace's rows say now."""
        return OwnRows() if workspace_id is None else await in_thread(read_rows, workspace_id)

    async def sources(self, workspace_id: str | None, rows: OwnRows) -> Sequence[ToolSource]:
        """Return the sources of these rows, in the order in which they were made."""
        found = [await self._source(workspace_id, head, rows.allowed) for head in rows.heads]
        return [source for source in found if source is not None]

    async def aclose(self) -> None:
        """End every session."""
        for key in list(self._kept):
            self._leave(key)
        if self._leaving:
            await asyncio.wait(self._leaving)

    async def _source(
        self, workspace_id: str | None, head: OwnHead, allowed: tuple[str, ...]
    ) -> ToolSource | None:
        stamp = (head.revision, allowed)
        known = self._kept.get(head.key)
        if known is not None and known[0] == stamp:
            self._kept.move_to_end(head.key)
            return known[1]
        row = await in_thread(read_source, head.key)
        if row is None:
            return None
        known = self._kept.get(head.key)
        if known is not None and known[0] == stamp:  # made meanwhile, by who asked as early
            return known[1]
        made = _made(row, egress_allowing(allowed, "tool"), workspace_id)
        if head.key in self._kept:
            self._leave(head.key)
        if len(self._kept) >= MAX_SESSIONS:
            self._leave(next(iter(self._kept)))
        self._kept[head.key] = (stamp, made)
        return made

    def _leave(self, key: str) -> None:
        source = self._kept.pop(key)[1]
        if isinstance(source, McpSource):
            task = asyncio.ensure_future(source.aclose())
            self._leaving.add(task)
            task.add_done_callback(self._leaving.discard)


def _made(row: Row, egress: Egress, workspace_id: str | None) -> ToolSource:
    credentials = credentials_of(workspace_id)
    if row.kind == Row.Kind.MCP:
        secrets = {name: SecretHeader(each) for name, each in secret_headers(row).items()}
        bearer = GrantBearer(row.pk, row.slug, egress) if hasattr(row, "grant") else None
        headers: dict[str, str | SecretHeader] = {**plain_headers(row), **secrets}
        server = HttpServer(row.url, row.credential or None, headers, bearer)
        return McpSource(row.slug, server, egress=egress, credentials=credentials)
    if not row.url:
        return BrokenSource(row.slug, f"{row.slug}: {NO_SERVER}")
    api = Api(
        row.url,
        egress,
        credentials,
        row.credential or None,
        plain_headers(row),
        secret_headers(row),
    )
    return OpenApiSource(row.slug, [Operation.from_json(each) for each in row.operations], api)
