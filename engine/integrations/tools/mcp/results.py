"""What a call of an MCP tool gave, as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import orjson

from engine.core.errors import ToolFailed
from engine.core.values.json import InvalidJson, canonical, clean_text, freeze
from engine.integrations.tools.sources import MAX_RESULT, not_retryable

if TYPE_CHECKING:
    from mcp_types import CallToolResult, ContentBlock

MAX_ERROR = 2000
"""Characters of an error that a tool reports."""

REFUSED_ARGUMENTS = ("MCP error -32600", "MCP error -32601", "MCP error -32602")
"""How servers of the official TypeScript library begin the report of a call that is malformed."""


def result_of(label: str, result: CallToolResult, hide: Callable[[str], str]) -> Any:
    """Return the structured content, else the text. Raises `ToolFailed`: `reported` if the tool
    reports an error, not retryable for a result that is too large or no JSON.
    """
    if result.is_error:
        text = hide(clean_text(_text(result)))[:MAX_ERROR]
        if text.startswith(REFUSED_ARGUMENTS):
            raise not_retryable(f"{label}: {text}")
        failed = ToolFailed(f"{label}: {text or 'the tool reported an error'}")
        failed.reported = True
        raise failed
    structured = result.structured_content
    try:
        plain = freeze(_text(result) if structured is None else structured)
    except InvalidJson as error:
        raise not_retryable(f"{label} returned no JSON: {error}") from error
    encoded = canonical(plain)
    if len(encoded) > MAX_RESULT:
        raise not_retryable(f"{label} returned {len(encoded)} bytes; {MAX_RESULT} are allowed")
    text = encoded.decode()
    hidden = hide(text)
    return plain if hidden == text else freeze(orjson.loads(hidden))


def _text(result: CallToolResult) -> str:
    """Return the text of all content, one block after the other; other media by their kind."""
    return "\n".join(_block(block) for block in result.content)


def _block(block: ContentBlock) -> str:
    if block.type == "text":
        return str(block.text)
    if block.type == "resource":
        return str(getattr(block.resource, "text", f"[resource {block.resource.uri}]"))
    if block.type == "resource_link":
        return str(block.uri)
    return f"[{block.type} {getattr(block, 'mime_type', '')}]"
