"""Python functions as tools.

    from engine.sdk import EffectClass, ToolContext, tool

    @tool(effect_class=EffectClass.READ)
    def stock(sku: str, ctx: ToolContext, warehouse: str = "main") -> int:
        \"\"\"Say how many pieces of an article are in stock.\"\"\"

The parameters' JSON Schema comes from the type hints, the description from the docstring. A
package offers its tools by an entry point of the group `graphwright.tools`.
"""

from __future__ import annotations

from engine.integrations.tools.functions import builtin
from engine.integrations.tools.functions.context import ToolContext
from engine.integrations.tools.functions.registry import (
    DEFAULT,
    ENTRY_POINTS,
    FunctionTool,
    FunctionTools,
    ToolNotRegistered,
    tool,
)

__all__ = [
    "DEFAULT",
    "ENTRY_POINTS",
    "FunctionTool",
    "FunctionTools",
    "ToolContext",
    "ToolNotRegistered",
    "builtin",
    "tool",
]
