"""What a model of a server can do, as a person says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What may be asked of a model: to call tools, to keep to a schema, to look at images.

    What a model cannot is not asked of it: a call with tools fails before it is sent, a schema is
    described in words and the answer checked here. Nobody has to say anything of a model: then
    all of it may be asked, and what the server refuses is learned from its answer.
    """

    tools: bool = True
    schema: bool = True
    images: bool = False

    def to_json(self) -> dict[str, bool]:
        """Return them as they are kept and shown."""
        return {"tools": self.tools, "schema": self.schema, "images": self.images}

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Capabilities:
        """Return what `told` says; what it leaves out is as nobody had said anything."""
        return cls(
            bool(told.get("tools", True)),
            bool(told.get("schema", True)),
            bool(told.get("images", False)),
        )


UNSAID = Capabilities()
"""Of a model of which nobody said anything."""

NO_TOOLS = (
    "this model takes no tools: give the agent another model or no tools, or say under Settings,"
    " Models that it takes them"
)
"""Why a call with tools is not sent."""
