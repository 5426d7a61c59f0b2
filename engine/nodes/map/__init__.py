"""The node type `map`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine.core.effects import EffectClass
from engine.core.node_types.map_results import KINDS
from engine.core.node_types.node_type import NodeDefaults, NodeResult, NodeType
from engine.core.node_types.run_views import ITEMS
from engine.nodes.map.config import MapConfig
from engine.nodes.map.items import check_count, children_of, first_failure, gathered, items_at

if TYPE_CHECKING:
    from engine.core.node_types.context import NodeContext


class MapNode(NodeType):
    """Do one step with each item of a list, several at a time.

    That step sees its item and writes no fields: what it gives is listed here, in the order of
    the items, with the items that failed beside it.
    """

    type = "map"
    label = "Map"
    icon = "stack-2"
    category = "Teams"
    words = ("loop", "for", "each", "foreach", "iterate", "list", "batch", "parallel", "items")
    effect_class = EffectClass.READ
    defaults = NodeDefaults(read_keys=("previous",), config={"items_path": "$.previous"})
    result_keys = tuple(f"{{id}}_{kind}" for kind in KINDS)
    views = (ITEMS,)
    writes_data: ClassVar[bool] = False
    reads_named = True

    Config = MapConfig

    async def run(self, ctx: NodeContext, config: MapConfig) -> NodeResult:
        """Return results and errors. Raises `MapItemsInvalid`, `TooManyItems`, `ChildFailed`."""
        items = config.static_items
        if items is None:
            items = items_at(config.items_path or "", ctx.scope())
        check_count(items, config.max_items)
        worker = config.worker_node_id
        fail_fast = config.error_strategy == "fail_fast"
        done = await ctx.run_nodes(
            children_of(worker, items),
            max_concurrency=config.max_concurrency,
            fail_fast=fail_fast,
            isolated=True,
        )
        failure = first_failure(worker, done) if fail_fast else None
        if failure is not None:
            raise failure
        return NodeResult(data=gathered(ctx.node.id, worker, done))
