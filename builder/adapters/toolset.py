"""The tools of a workspace: registered Python functions, and the operator's MCP sources."""

from __future__ import annotations

from engine.tool import Tool, Tools, ToolSpec
from engine.tools.functions import DEFAULT, FunctionTools


class RegisteredTools:
    """Python functions as the tools of every workspace."""

    def __init__(self, functions: FunctionTools) -> None:
        self._functions = functions

    async def find(self, name: str, *, workspace_id: str | None) -> Tool | None:
        """Return the function of that name."""
        return await self._functions.find(name)

    async def expand(self, pattern: str, *, workspace_id: str | None) -> list[ToolSpec]:
        """Return the specs that `name` or `*` stands for."""
        found = await self._functions.tools()
        return [t.spec for t in found if pattern in ("*", t.spec.name)]


def workspace_tools() -> Tools:
    """Return the tools that every workspace of this installation may use.

    Packages that offer tools are imported now. Raises what a broken one raises.
    """
    DEFAULT.load_entry_points()
    return RegisteredTools(DEFAULT)
