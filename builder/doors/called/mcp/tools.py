"""The tools of a workspace: its offered workflows, and the one that asks after a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import mcp_types as types

from builder.doors.called.mcp.caller import Caller
from builder.doors.called.offers import RUN_STATUS, Offered, offered
from builder.doors.called.scopes import Scope, may

FREE: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"input": {"description": "What the workflow begins with."}},
    "additionalProperties": False,
}
"""What a tool takes whose workflow declares no inputs."""
STATUS_TOOL: Final = types.Tool(
    name=RUN_STATUS,
    description=(
        "Tells how a run stands that another tool of this server has started: whether it is over, "
        "with its result, still running, or waiting for a person, with their names and a link."
    ),
    input_schema={
        "type": "object",
        "properties": {"run": {"type": "string", "description": "The id of the run."}},
        "required": ["run"],
        "additionalProperties": False,
    },
    annotations=types.ToolAnnotations(read_only_hint=True),
)


def tools_of(caller: Caller) -> list[types.Tool]:
    """Return what the caller's token may use, by name."""
    found: list[types.Tool] = []
    if may(caller.token, Scope.START):
        found += [_tool(one) for one in offered(caller.member.workspace_id, caller.token)]
    if may(caller.token, Scope.READ, Scope.START):
        found.append(STATUS_TOOL)
    return found


def tool_named(caller: Caller, name: str) -> Offered | None:
    """Return the workflow behind a tool, None where the caller finds no such tool."""
    found = offered(caller.member.workspace_id, caller.token)
    return next((one for one in found if one.offer.tool_name == name), None)


def takes_free_input(one: Offered) -> bool:
    """Return whether the workflow declares no inputs: its tool takes one value, `input`."""
    return _inputs(one) is None


def _tool(one: Offered) -> types.Tool:
    said = one.graph.description.strip() or f"Starts the workflow {one.graph.name}."
    return types.Tool(
        name=one.offer.tool_name or "",
        title=one.graph.name,
        description=said,
        input_schema=dict(_inputs(one) or FREE),
    )


def _inputs(one: Offered) -> dict[str, Any] | None:
    declared = (one.version.document.get("interface") or {}).get("inputs")
    return {"type": "object", **declared} if declared else None
