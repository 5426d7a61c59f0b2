"""Map nodes and their runs, for the tests of maps and of what stands behind them."""

from __future__ import annotations

from typing import Any

from tests.contract.harness import (
    Edge,
    Node,
    doc,
    node,
)


def mapping(items: Any = None, id: str = "m", **config: Any) -> Node:
    """Return a map of the node `w`; what is not a list is a path into memory."""
    reads = config.pop("reads", ["topics", "rows", "input"])
    given = {} if items is None else {"static_items": items}
    return node(id, "map", reads=reads, config={"worker_node_id": "w", **given, **config})


def mapped(
    worker: Node, items: Any = None, edges: list[Edge] | None = None, **fields: Any
) -> dict[str, Any]:
    """Return a document of a map and its worker, and of `nodes` beside them."""
    more = fields.pop("nodes", [])
    config = fields.pop("config", {})
    nodes = [mapping(items, **config), {**worker, "id": "w"}, *more]
    return doc(nodes, edges or ["__start__ -> m"], **fields)


async def item_of(ctx: Any, params: Any) -> Any:
    return {"output": ctx.view.memory["map_item"]}
