"""The tools of a workspace: sources in their order, names, and definitions that were accepted.

Order: the script's tools, then Python functions, then MCP sources. A bare name is the first
source's that has it; `source/name` is one source's; `source/*` is everything a source offers.

`ToolSpec.name` is what a model calls, and providers take letters, digits, `_` and `-` only. So a
tool that its bare name does not reach is offered as `source__name`, which `find` understands too.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from engine.core.errors import NodeError, ToolFailed
from engine.core.values.json import JsonObject, digest
from engine.integrations.models.chat import CallOrigin
from engine.integrations.tools.protocol import RESERVED_TOOL_NAMES, Tool, ToolSpec
from engine.integrations.tools.switched_off import SwitchedOff

Accepted = Callable[[str | None, ToolSpec], Awaitable[bool]]
"""`(workspace_id, spec) -> whether this definition may be used`; asked for sources that are not
`vetted`. `spec` has the server's own name of the tool, its source and its hash."""

SCRIPT = "script"
"""The source whose tools answer for those of others: its names may be written `source/name`."""

_OFFERED = re.compile(r"[A-Za-z0-9_-]{1,64}")
_JOIN = "__"


class ToolSource(Protocol):
    """Something that offers tools under names of its own."""

    @property
    def name(self) -> str: ...

    @property
    def vetted(self) -> bool:
        """Whether definitions come from a place that needs no acceptance."""
        ...

    def find(self, name: str) -> Awaitable[Tool | None]:
        """Return the tool of this name. Raises `ToolFailed` if the source cannot be reached."""
        ...

    def tools(self) -> Awaitable[Sequence[Tool]]:
        """Return every tool. Raises like `find`."""
        ...


WorkspaceSources = Callable[[str | None], Awaitable[Sequence[ToolSource]]]


class SeenDefinitions:
    """Accepted definitions, kept in memory; call it as `Accepted`.

    The first definition seen of a tool of a trusted source is accepted; everything else waits
    for `accept`.
    """

    def __init__(self, trusted: Sequence[str] = ()) -> None:
        self._trusted = frozenset(trusted)
        self._hashes: dict[tuple[str | None, str, str], str] = {}

    async def __call__(self, workspace_id: str | None, spec: ToolSpec) -> bool:
        """Say whether the definition is the accepted one."""
        key = (workspace_id, spec.source, spec.name)
        if key not in self._hashes and spec.source in self._trusted:
            self._hashes[key] = spec.hash
        return self._hashes.get(key) == spec.hash

    def accept(self, workspace_id: str | None, spec: ToolSpec) -> None:
        """Accept this definition in place of the one before."""
        self._hashes[(workspace_id, spec.source, spec.name)] = spec.hash


@dataclass(frozen=True, slots=True)
class SourceListing:
    """One source's tools as it defines them; `vetted` ones need no acceptance.

    A source without an answer has a `problem` instead, and the `code` of what went wrong;
    `pending` says that it may still come.
    """

    source: str
    tools: tuple[ToolSpec, ...]
    vetted: bool = False
    problem: str | None = None
    pending: bool = False
    code: str = ""

    @classmethod
    def starting(cls, source: str, *, vetted: bool = False) -> SourceListing:
        """Return the listing of a source that has not answered yet."""
        said = f"the tool source {source!r} is still starting"
        return cls(source, (), vetted, said, pending=True)


@dataclass(frozen=True, slots=True)
class _Offered:
    """A tool under the name that models and journals see."""

    spec: ToolSpec
    _tool: Tool

    async def call(self, arguments: JsonObject, origin: CallOrigin) -> Any:
        return await self._tool.call(arguments, origin)


class Toolset:
    """All sources joined; implements `engine.integrations.tools.protocol.Tools`.

    `shared` sources serve every workspace, `of_workspace` gives a workspace's own, which come
    after them. Without `accepted` nothing of an unvetted source is usable.
    """

    def __init__(
        self,
        shared: Sequence[ToolSource] = (),
        *,
        of_workspace: WorkspaceSources | None = None,
        accepted: Accepted | None = None,
    ) -> None:
        self._shared = tuple(shared)
        self._of_workspace = of_workspace
        self._accepted = SeenDefinitions() if accepted is None else accepted

    async def find(self, name: str, *, workspace_id: str | None) -> Tool | None:
        """Return the tool called `name`, `source/name` or `source__name`; None if there is none.

        Raises `NodeError` `ToolChanged` if its definition is not accepted, `ToolOff` if it is
        switched off, and `ToolFailed` if a source that must be asked cannot be reached: another source never steps in for it.
        """
        sources = await self._sources(workspace_id)
        found = await self._resolve(name, sources)
        if found is None:
            return None
        source, tool = found
        if isinstance(tool, SwitchedOff):
            raise tool.refusal()
        if not source.vetted:
            await self._refuse_unaccepted(workspace_id, source, tool.spec)
        return await self._offer(source, tool, sources)

    async def expand(self, pattern: str, *, workspace_id: str | None) -> list[ToolSpec]:
        """Return what `name`, `source/name` or `source/*` stands for; empty if nothing.

        What is switched off is no part of `source/*`. Raises like `find`.
        """
        if not pattern.endswith("/*"):
            tool = await self.find(pattern, workspace_id=workspace_id)
            return [] if tool is None else [tool.spec]
        sources = await self._sources(workspace_id)
        specs: dict[str, ToolSpec] = {}
        for source, tool in await self._everything(pattern[:-2], sources):
            if isinstance(tool, SwitchedOff):
                continue
            if not source.vetted:
                await self._refuse_unaccepted(workspace_id, source, tool.spec)
            offered = await self._offer(source, tool, sources)
            specs.setdefault(offered.spec.name, offered.spec)
        return list(specs.values())

    async def listed(
        self, *, workspace_id: str | None, patience_s: float | None = None
    ) -> list[SourceListing]:
        """Return what each source defines, all asked at once, in their order.

        One that cannot be reached says why instead, and one without an answer after
        `patience_s` seconds that it is still starting.
        """
        sources = await self._sources(workspace_id)
        return list(await asyncio.gather(*(_listing(source, patience_s) for source in sources)))

    async def _sources(self, workspace_id: str | None) -> list[ToolSource]:
        own = () if self._of_workspace is None else await self._of_workspace(workspace_id)
        return [*self._shared, *own]

    async def _resolve(
        self, name: str, sources: Sequence[ToolSource]
    ) -> tuple[ToolSource, Tool] | None:
        wanted, slash, bare = name.partition("/")
        owner = _owner(name, sources)
        for source in sources:
            if not slash or source.name == SCRIPT:
                found = await _pick(source, name, owner)
            elif source.name == wanted:
                found = await source.find(bare)
            else:
                continue
            if found is not None:
                return None if found.spec.name in RESERVED_TOOL_NAMES else (source, found)
        return None

    async def _everything(
        self, wanted: str, sources: Sequence[ToolSource]
    ) -> list[tuple[ToolSource, Tool]]:
        found: list[tuple[ToolSource, Tool]] = []
        for source in sources:
            if source.name == wanted:
                found += [(source, tool) for tool in await source.tools()]
            elif source.name == SCRIPT:
                scripted = await source.tools()
                found += [(source, t) for t in scripted if t.spec.name.startswith(f"{wanted}/")]
        return [(s, t) for s, t in found if t.spec.name not in RESERVED_TOOL_NAMES]

    async def _offer(self, source: ToolSource, tool: Tool, sources: Sequence[ToolSource]) -> Tool:
        """Return the tool under a name that leads back to it and that providers take."""
        if source.name == SCRIPT:
            return tool
        name = tool.spec.name
        if _OFFERED.fullmatch(name) and not await self._shadowed(source, name, sources):
            return tool
        return _Offered(replace(tool.spec, name=_joined_name(source, tool)), tool)

    async def _shadowed(self, source: ToolSource, name: str, sources: Sequence[ToolSource]) -> bool:
        for earlier in sources:
            if earlier is source:
                return False
            try:
                if await earlier.find(name) is not None:
                    return True
            except ToolFailed:
                return True  # nobody knows, and the longer name is right in any case
        return False

    async def _refuse_unaccepted(
        self, workspace_id: str | None, source: ToolSource, spec: ToolSpec
    ) -> None:
        if await self._accepted(workspace_id, spec):
            return
        raise NodeError(
            "ToolChanged",
            f"the definition of {spec.full_name} is new or has changed: an admin looks at it and "
            "accepts it under Settings, Tools",
            detail={"source": source.name, "tool": spec.full_name, "hash": spec.hash},
        )


async def _listing(source: ToolSource, patience_s: float | None) -> SourceListing:
    try:
        async with asyncio.timeout(patience_s):
            tools = await source.tools()
    except TimeoutError:
        return SourceListing.starting(source.name, vetted=source.vetted)
    except NodeError as error:
        return SourceListing(source.name, (), source.vetted, error.message, code=error.code)
    specs = (tool.spec for tool in tools if tool.spec.name not in RESERVED_TOOL_NAMES)
    return SourceListing(source.name, tuple(specs), source.vetted)


def _owner(name: str, sources: Sequence[ToolSource]) -> str | None:
    """Return the source that a name of the form `source__name` belongs to."""
    prefix, joined, _ = name.partition(_JOIN)
    return prefix if joined and any(source.name == prefix for source in sources) else None


async def _pick(source: ToolSource, name: str, owner: str | None) -> Tool | None:
    """Return the source's tool that a name without a source, or `source__name`, stands for."""
    if owner is not None and not source.vetted and owner != source.name:
        return None
    try:
        found = await source.find(name)
        if found is None and owner == source.name:
            tools = await source.tools()
            found = next((tool for tool in tools if _joined_name(source, tool) == name), None)
    except ToolFailed as error:
        hint = f"; write `source/{name}` to ask one source only"
        failed = ToolFailed(f"{error.message}{hint}", detail=error.detail)
        failed.retryable = error.retryable
        raise failed from error
    return found


def _joined_name(source: ToolSource, tool: Tool) -> str:
    """Return `source__name` in the letters that providers take, unique by a mark if it was cut."""
    name = tool.spec.name
    joined = f"{source.name}{_JOIN}{name}"
    if _OFFERED.fullmatch(joined):
        return joined
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", joined)
    return f"{plain[:55]}_{digest(name)[:8]}"
