"""A tool that was called before and is not there any more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.core.errors import NodeError
from engine.core.values.json import JsonObject
from engine.integrations.models.chat import CallOrigin
from engine.integrations.tools.protocol import ToolSpec


@dataclass(frozen=True, slots=True)
class GoneTool:
    """Stands for a tool whose call was sent: what was recorded of it is found, nothing is sent."""

    spec: ToolSpec
    why: NodeError

    async def call(self, arguments: JsonObject, origin: CallOrigin) -> Any:
        """Raise the `NodeError` that says why it is not there."""
        raise self.why
