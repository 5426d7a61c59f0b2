"""The tools that a workspace may use: registered functions, the operator's servers, its own sources.

Programs are started from the operator's file only (`MCP_CONFIG`, by default `var/mcp.json`), never
from a graph, an import or the API. A workspace's own sources are addresses, reached by the egress.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from django.conf import settings

from builder.adapters.threads import in_thread
from builder.adapters.tools.acceptance import is_accepted
from builder.adapters.tools.mcp_entry import McpEntry, McpFile
from builder.adapters.tools.operator_sources import OperatorSources
from builder.adapters.tools.own_rows import OwnHead, OwnRows, read_rows
from builder.adapters.tools.own_sources import OwnSources
from builder.base.tool_sources import ListedSource, ListedSources
from engine.integrations.egress import Egress
from engine.integrations.tools.functions import DEFAULT
from engine.integrations.tools.protocol import ToolSpec
from engine.integrations.tools.settled import SettledSource
from engine.integrations.tools.toolset import SourceListing, Toolset, ToolSource


def workspace_tools(egress: Egress) -> WorkspaceTools:
    """Return the tools that workspaces of this installation may use. Call it on the engine's loop.

    Packages that offer tools are imported now; a broken one is left out and logged.
    """
    DEFAULT.load_entry_points()
    return WorkspaceTools(OperatorSources(Path(settings.MCP_CONFIG), egress))


class WorkspaceTools(Toolset):
    """Functions, the servers of the operator's file, which is at `operator`, and `own` sources.

    An own source of a name that the operator's file has too is left out: the file's goes first.
    """

    def __init__(self, operator: OperatorSources) -> None:
        async def accepted(workspace_id: str | None, spec: ToolSpec) -> bool:
            trusted = operator.is_trusted(spec.source)
            return await in_thread(is_accepted, workspace_id, spec, trusted)

        super().__init__([DEFAULT], of_workspace=self._named, accepted=accepted)
        self.operator = operator
        self.own = OwnSources()

    async def aclose(self) -> None:
        """End every session."""
        await self.operator.aclose()
        await self.own.aclose()

    async def _named(self, workspace_id: str | None) -> Sequence[ToolSource]:
        """Return the sources that somebody named, as people set their tools."""
        rows = await self.own.rows(workspace_id)
        operators = list(await self.operator(workspace_id))
        taken = {each.name for each in operators}
        own = await self.own.sources(workspace_id, _free(rows, taken))
        return [
            SettledSource(each, rows.settings.get(each.name, {})) for each in (*operators, *own)
        ]


async def listed_sources(
    tools: Toolset, workspace_id: str | None, *, patience_s: float
) -> ListedSources:
    """Return every source with its tools or its problem, after at most `patience_s` seconds."""
    listings = await tools.listed(workspace_id=workspace_id, patience_s=patience_s)
    own = tools.own if isinstance(tools, WorkspaceTools) else OwnSources()
    return _described(tools, listings, (await own.rows(workspace_id)).heads)


def sources_at_hand(tools: Toolset, workspace_id: str) -> ListedSources:
    """Return the sources as they are before one was asked, from a thread that may read rows.

    Functions are there, and all others are starting.
    """
    functions = SourceListing(DEFAULT.name, DEFAULT.specs, DEFAULT.vetted)
    entries = _file_of(tools).entries
    own = read_rows(workspace_id).heads
    names = dict.fromkeys([*(each.name for each in entries), *(each.slug for each in own)])
    return _described(tools, [functions, *map(SourceListing.starting, names)], own)


def _free(rows: OwnRows, taken: set[str]) -> OwnRows:
    return replace(rows, heads=tuple(each for each in rows.heads if each.slug not in taken))


def _file_of(tools: Toolset) -> McpFile:
    return tools.operator.file if isinstance(tools, WorkspaceTools) else McpFile()


def _described(
    tools: Toolset, listings: Sequence[SourceListing], own: Sequence[OwnHead]
) -> ListedSources:
    file = _file_of(tools)
    heads = {head.slug: head for head in own}
    entries = {entry.name: entry for entry in file.entries}
    return ListedSources(
        tuple(_listed(each, entries.get(each.source), heads.get(each.source)) for each in listings),
        Path(settings.MCP_CONFIG).name,
        file.problem,
    )


def _listed(found: SourceListing, entry: McpEntry | None, head: OwnHead | None) -> ListedSource:
    plain = ListedSource(
        found.source,
        vetted=found.vetted,
        tools=found.tools,
        problem=found.problem,
        pending=found.pending,
        code=found.code,
    )
    if entry is not None:
        return replace(plain, kind=entry.kind, where=entry.where, trusted=entry.trusted)
    if head is not None:
        kind = "openapi" if head.kind == "openapi" else "http"
        return replace(plain, kind=kind, where=head.where, own=True)
    return plain
