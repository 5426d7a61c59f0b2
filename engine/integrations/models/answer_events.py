"""The pieces of an answer of pydantic-ai in our forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic_ai.messages import ToolCallPart

BROKEN_ARGUMENTS = "INVALID_JSON"
"""The key under which the library hands over arguments that are no JSON."""


def arguments_of(part: ToolCallPart) -> dict[str, Any]:
    """Return the arguments of a tool call."""
    arguments: dict[str, Any] = part.args_as_dict()
    return arguments


def piece_of(event: object) -> str:
    """Return the text that an event of a stream adds."""
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def size_of(event: object) -> int:
    """Return how many bytes a piece adds to the answer: text, thoughts, or a tool's arguments."""
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent

    if isinstance(event, PartStartEvent):
        part: Any = event.part
    elif isinstance(event, PartDeltaEvent):
        part = event.delta
    else:
        return 0
    said = (
        getattr(part, name, None) for name in ("content", "content_delta", "args", "args_delta")
    )
    return sum(len(str(value).encode()) for value in said if value)
