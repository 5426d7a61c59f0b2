"""The node type `map`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, model_validator

from engine.core.effects import EffectClass
from engine.core.graph.fields import Id
from engine.core.graph.problems import refusal
from engine.core.node_types.form import field
from engine.core.node_types.map_results import KINDS
from engine.core.node_types.node_type import NodeConfig, NodeDefaults, NodeResult, NodeType
from engine.core.node_types.run_views import ITEMS
from engine.core.values.json import freeze
from engine.nodes.map.items import check_count, children_of, first_failure, gathered, items_at

if TYPE_CHECKING:
    from engine.core.node_types.context import NodeContext


class MapConfig(NodeConfig):
    """Which node runs for which items, how many at a time, and what an error means."""

    worker_node_id: Id = field(
        widget="node",
        title="Worker",
        hints={"runs": True, "gives": ("map_item", "map_index", "map_total")},
        description="The node that runs once for each item; it sees memory.map_item, map_index "
        "and map_total.",
    )
    items_path: str | None = field(
        None,
        widget="jsonpath",
        hints={"over_view": True},
        group="Items",
        description="JSONPath over what the node may read: a list, or everything that matches.",
    )
    static_items: Annotated[list[Any], AfterValidator(freeze)] | None = field(
        None, widget="json", group="Items", description="A literal list; wins over the path."
    )
    max_items: int = field(
        1_000, ge=1, le=10_000, group="Items", description="With more items the node fails."
    )
    max_concurrency: int = field(
        5, ge=1, le=1_000, group="Work", description="Most items at a time."
    )
    error_strategy: Literal["best_effort", "fail_fast"] = field(
        "best_effort",
        group="Work",
        description="Collect failed items, or fail with the first one.",
    )
    synthesizer_node_id: Id | None = field(
        None,
        widget="node",
        group="Then",
        title="Synthesizer",
        description="The node that runs next where no edge leads on.",
    )

    @model_validator(mode="after")
    def _has_items(self) -> MapConfig:
        if self.items_path is None and self.static_items is None:
            raise refusal(
                "MissingField",
                'A map needs "items_path", or a list in "static_items".',
                field="items_path",
            )
        return self


class MapNode(NodeType):
    """Run another node once for each item of a list, several at a time.

    The worker sees its item as memory.map_item and writes nothing into memory: what it leaves is
    listed here, in the order of the items, as `<id>_results`, with `<id>_errors` beside it.
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
