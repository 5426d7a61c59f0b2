"""What the node type `map` may be told."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, model_validator

from engine.core.graph.fields import Id
from engine.core.graph.problems import refusal
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig
from engine.core.values.json import freeze


class MapConfig(NodeConfig):
    """Which node runs for which items, how many at a time, and what an error means."""

    worker_node_id: Id = field(
        widget="node",
        title="What is done with each item",
        hints={"runs": True, "gives": ("map_item", "map_index", "map_total")},
        description="The step that runs once for each item; no wire leads to it. Its texts can "
        "name the item, its place and how many there are.",
    )
    items_path: str | None = field(
        None,
        widget="jsonpath",
        hints={"over_view": True},
        group="Items",
        title="List of items",
        description="Where the list stands. As it is: what the step before gives.",
    )
    static_items: Annotated[list[Any], AfterValidator(freeze)] | None = field(
        None,
        widget="json",
        group="Items",
        title="Fixed items",
        description="A list that is always the same, in place of the list above.",
    )
    max_items: int = field(
        1_000,
        ge=1,
        le=10_000,
        group="Items",
        title="Most items",
        description="With more items the node fails.",
    )
    max_concurrency: int = field(
        5,
        ge=1,
        le=1_000,
        group="Work",
        title="At the same time",
        description="Most items at a time.",
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
        title="Then combine with",
        description="The step that runs next where no wire leads on.",
    )

    @model_validator(mode="after")
    def _has_items(self) -> MapConfig:
        if self.items_path is None and self.static_items is None:
            raise refusal(
                "MissingField",
                'A map needs "List of items", or a list in "Fixed items".',
                field="items_path",
            )
        return self
