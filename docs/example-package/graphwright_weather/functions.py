"""A function for `function` nodes, and one that scores candidates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.sdk import NodeContext


def pick_clothes(ctx: NodeContext, params: Mapping[str, Any]) -> dict[str, Any]:
    """Choose clothes for what the node before found; `params.warm` names those for warm days."""
    warm = ctx.view.previous == "warm"
    return {"output": params.get("warm", "a shirt") if warm else "a coat"}


def brevity(ctx: NodeContext, candidate: Any) -> dict[str, Any]:
    """Score a candidate by how short it is: 1 for ten characters or fewer."""
    size = len(str(candidate))
    return {"score": 10 / max(size, 10), "reasoning": f"{size} characters"}
