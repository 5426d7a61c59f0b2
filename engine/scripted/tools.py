"""Scripted tools: every answer is written down beforehand (docs/DOCUMENT.md, section 3)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from engine.core.errors import ToolFailed
from engine.core.values.json import JsonObject, freeze
from engine.integrations.models.chat import CallOrigin
from engine.integrations.tools.protocol import RESERVED_TOOL_NAMES, Tool, ToolSpec
from engine.scripted.script import Replies, Script, ToolReply

Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class RecordedToolCall:
    """One call as it arrived (row S10). `reply` names the list and the place that answered it."""

    tool: str
    arguments: JsonObject
    origin: CallOrigin
    reply: str


class ScriptedTools:
    """The tools of one script; a source of `engine.integrations.tools.toolset.Toolset`.

    They answer for every tool of their name, wherever that would come from; a key may be written
    `source/name`. `calls` records every call in the order they were made. `sleep` lets a virtual
    clock pass the delays.
    """

    name = "script"
    vetted = True

    def __init__(self, script: Script, *, sleep: Sleep = asyncio.sleep) -> None:
        self.calls: list[RecordedToolCall] = []
        self._tools = {
            name: ScriptedTool(_spec(script, name), script.tool_replies(name), self.calls, sleep)
            for name in script.tools
            if name not in RESERVED_TOOL_NAMES
        }

    async def find(self, name: str) -> Tool | None:
        """Return the tool that the script has under exactly this name."""
        return self._tools.get(name)

    async def tools(self) -> list[Tool]:
        """Return every scripted tool, in the script's order."""
        return list(self._tools.values())


class ScriptedTool:
    """One list of answers behind a tool's name."""

    def __init__(
        self,
        spec: ToolSpec,
        replies: Replies[ToolReply],
        calls: list[RecordedToolCall],
        sleep: Sleep,
    ) -> None:
        self.spec = spec
        self._replies = replies
        self._calls = calls
        self._sleep = sleep

    def call(self, arguments: JsonObject, origin: CallOrigin) -> Awaitable[Any]:
        """Take the next reply now and return what delivers it.

        Raises `NodeError` `ScriptExhausted` (here, before anything is awaited) and, when awaited,
        the reply's `ToolFailed`.
        """
        place = f"{self._replies.name}[{self._replies.taken}]"
        self._calls.append(RecordedToolCall(self.spec.name, arguments, origin, place))
        return self._deliver(self._replies.take(), arguments)

    async def _deliver(self, reply: ToolReply, arguments: JsonObject) -> Any:
        if reply.delay_ms:
            await self._sleep(reply.delay_ms / 1000)
        if reply.error is not None:
            detail = {} if reply.error.status is None else {"status": reply.error.status}
            failed = ToolFailed(reply.error.message, detail=detail)
            failed.retry_after_ms = reply.error.retry_after_ms
            raise failed
        return freeze(arguments if reply.echo else reply.result)


def _spec(script: Script, name: str) -> ToolSpec:
    # Whatever arguments the tool that it stands for takes.
    return ToolSpec(
        name, "A scripted tool.", {"type": "object"}, script.tool_effect_class(name), "script"
    )
