"""The servers of the operator's file as sources. The file is read again when it changes; while it
cannot be read, the servers that it named before stay.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from builder.adapters.credentials import credentials_of
from builder.adapters.tools.broken_source import BrokenSource
from builder.adapters.tools.mcp_entry import McpEntry, McpFile
from builder.adapters.tools.mcp_file import read_mcp_file
from engine.integrations.egress import Egress
from engine.integrations.tools.mcp import HttpServer, McpSource
from engine.integrations.tools.toolset import ToolSource

log = logging.getLogger("graphwright.tools")
MAX_SESSIONS: Final = 500
"""Sources that are kept, one for each workspace where a credential is sent; the oldest ends."""


class OperatorSources:
    """The file's servers as sources; call it as `engine.integrations.tools.toolset.WorkspaceSources`.

    A server that gets no credential serves everybody through one session. Where one is sent, each
    workspace has a session of its own, with its own credential of that name.
    """

    def __init__(self, path: Path, egress: Egress) -> None:
        self._path = path
        self._egress = egress
        self._stamp: tuple[Any, ...] | None = None
        self._kept: dict[tuple[str, str | None], tuple[McpEntry, ToolSource]] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        self.file = McpFile()
        self._look()

    async def __call__(self, workspace_id: str | None) -> Sequence[ToolSource]:
        """Return the sources of a workspace, in the order of the file."""
        self._look()
        return [self._source(entry, workspace_id) for entry in self.file.entries]

    def is_trusted(self, source: str) -> bool:
        """Return whether the operator trusts the first definitions of this source."""
        return any(entry.name == source and entry.trusted for entry in self.file.entries)

    async def aclose(self) -> None:
        """End every session."""
        for key in list(self._kept):
            self._leave(key)
        if self._leaving:
            await asyncio.wait(self._leaving)

    def _look(self) -> None:
        """Read the file again if it is not the one that was read."""
        stamp = _stamp_of(self._path)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        found = read_mcp_file(self._path)
        if found.problem is not None:
            log.error("%s", found.problem)
            self.file = McpFile(self.file.entries, found.problem)
            return
        for entry in found.entries:
            if entry.problem is not None:
                log.error("%s", entry.problem)
        self.file = found
        current = {entry.name: entry for entry in found.entries}
        for key, (entry, _source) in list(self._kept.items()):
            if current.get(entry.name) != entry:
                self._leave(key)

    def _source(self, entry: McpEntry, workspace_id: str | None) -> ToolSource:
        server = entry.server
        if server is None:
            return BrokenSource(entry.name, entry.problem or "")
        own = workspace_id if isinstance(server, HttpServer) and server.has_secrets else None
        key = (entry.name, own)
        known = self._kept.get(key)
        if known is not None:
            return known[1]
        if len(self._kept) >= MAX_SESSIONS:
            self._leave(next(iter(self._kept)))
        source = McpSource(
            entry.name,
            server,
            trusted=entry.trusted,
            effects=entry.effects,
            egress=self._egress,
            credentials=credentials_of(own),
        )
        self._kept[key] = (entry, source)
        return source

    def _leave(self, key: tuple[str, str | None]) -> None:
        source = self._kept.pop(key)[1]
        if isinstance(source, McpSource):
            task = asyncio.ensure_future(source.aclose())
            self._leaving.add(task)
            task.add_done_callback(self._leaving.discard)


def _stamp_of(path: Path) -> tuple[Any, ...]:
    try:
        found = path.stat()
    except OSError as error:
        return (error.errno,)
    return (found.st_mtime_ns, found.st_size, found.st_ino)
