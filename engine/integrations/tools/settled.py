"""What people set of single tools: whether it is on, how safe it is to repeat, how long it may take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from engine.core.effects import EffectClass
from engine.integrations.tools.protocol import Tool
from engine.integrations.tools.switched_off import SwitchedOff
from engine.integrations.tools.toolset import ToolSource


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """What is set of one tool; None is what its source says."""

    on: bool = True
    effect: EffectClass | None = None
    timeout_s: float | None = None


@runtime_checkable
class Settable(Protocol):
    """A tool that can be given another effect class and another patience."""

    def settled(self, effect: EffectClass | None, timeout_s: float | None) -> Tool:
        """Return the tool under what is set; None is what its source says."""
        ...


@dataclass(frozen=True, slots=True)
class SettledSource:
    """A source whose tools are as people set them, by the tool's own name."""

    source: ToolSource
    settings: Mapping[str, ToolSettings]

    @property
    def name(self) -> str:
        """Return the source's name."""
        return self.source.name

    @property
    def vetted(self) -> bool:
        """Return whether its definitions need no acceptance."""
        return self.source.vetted

    async def find(self, name: str) -> Tool | None:
        """Return the tool of this name. Raises like the source."""
        found = await self.source.find(name)
        return None if found is None else self._settled(found)

    async def tools(self) -> Sequence[Tool]:
        """Return every tool, also those that are off. Raises like the source."""
        return [self._settled(tool) for tool in await self.source.tools()]

    def _settled(self, tool: Tool) -> Tool:
        wanted = self.settings.get(tool.spec.name)
        if wanted is None:
            return tool
        if isinstance(tool, Settable):
            tool = tool.settled(wanted.effect, wanted.timeout_s)
        return tool if wanted.on else SwitchedOff(tool.spec)
