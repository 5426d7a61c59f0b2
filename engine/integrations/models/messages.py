"""A request in the forms of pydantic-ai."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core.node_types.conversation import Message
from engine.core.values.json import canonical, thaw
from engine.integrations.models.chat import ChatRequest

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import ModelRequestParameters

_DESCRIBED = "Answer with one JSON object that fits this JSON Schema, and with nothing else:\n"


def messages_of(request: ChatRequest, *, described: bool) -> list[ModelMessage]:
    """Return the conversation; the schema in words where it is `described`."""
    from pydantic_ai.messages import ModelRequest, SystemPromptPart

    out: list[ModelMessage] = []
    pending: list[Any] = []
    for message in request.messages:
        if (part := _part(message)) is not None:
            pending.append(part)
            continue
        if pending:
            out.append(ModelRequest(parts=pending))
            pending = []
        out.append(_assistant(message))
    if described and request.schema is not None:
        pending.append(SystemPromptPart(_DESCRIBED + canonical(request.schema).decode()))
    if pending:
        out.append(ModelRequest(parts=pending))
    return out


def _part(message: Message) -> Any:
    """Return the request part of one message; None for what the model itself said."""
    from pydantic_ai.messages import SystemPromptPart, ToolReturnPart, UserPromptPart

    if message.role == "system":
        return SystemPromptPart(message.content)
    if message.role == "user":
        return UserPromptPart(message.content)
    if message.role == "tool":
        return ToolReturnPart(
            tool_name=message.tool_name or "tool",
            content=message.content,
            tool_call_id=message.tool_call_id or "call",
        )
    return None


def _assistant(message: Message) -> ModelResponse:
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart

    parts: list[Any] = [TextPart(message.content)] if message.content else []
    parts.extend(ToolCallPart(c.name, dict(c.arguments), c.id) for c in message.tool_calls)
    return ModelResponse(parts=parts)


def parameters_of(request: ChatRequest, *, native: bool) -> ModelRequestParameters:
    """Return tools and, where the provider enforces it, the schema."""
    from pydantic_ai import ToolDefinition
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition

    tools = [
        ToolDefinition(
            name=t.name, description=t.description, parameters_json_schema=thaw(t.parameters)
        )
        for t in request.tools
    ]
    if request.schema is None or not native:
        return ModelRequestParameters(function_tools=tools)
    wanted = OutputObjectDefinition(json_schema=thaw(request.schema), name="answer")
    return ModelRequestParameters(function_tools=tools, output_mode="native", output_object=wanted)
