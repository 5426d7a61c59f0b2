"""A tool that a person switched off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.core.errors import NodeError
from engine.core.values.json import JsonObject
from engine.integrations.models.chat import CallOrigin
from engine.integrations.tools.protocol import ToolSpec


@dataclass(frozen=True, slots=True)
class SwitchedOff:
    """A tool that a person switched off: listed, offered to no model, and called by nobody."""

    spec: ToolSpec

    async def call(self, arguments: JsonObject, origin: CallOrigin) -> Any:
        """Raise `NodeError` `ToolOff`."""
        raise self.refusal()

    def refusal(self) -> NodeError:
        """Return why it is not called."""
        return NodeError(
            "ToolOff",
            f"{self.spec.full_name} is switched off: an admin switches it on under Settings, Tools",
            detail={"tool": self.spec.full_name},
        )
