"""The node type `subgraph`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

from pydantic import AfterValidator

from engine.core.effects import EffectClass
from engine.core.errors import BudgetStop, NodeError
from engine.core.graph.fields import Id, Key
from engine.core.graph.problems import refusal
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig, NodeDefaults, NodeResult, NodeType
from engine.core.node_types.run_views import CHILD_RUN
from engine.core.node_types.view import RESERVED_MEMORY_KEYS
from engine.core.values.json import FrozenDict, freeze

if TYPE_CHECKING:
    from engine.core.node_types.context import NodeContext


def _memory_key(key: str) -> str:
    if key.startswith("_") or key.split(".", maxsplit=1)[0] in RESERVED_MEMORY_KEYS:
        raise refusal(
            "ReservedKey", f'"{key}" is a lane or belongs to the engine, no memory key: rename it.'
        )
    return key


def _no_path(key: str) -> str:
    if "." in key:
        raise refusal(
            "InvalidValue", f'"{key}" names a part; what is written is a whole memory key.'
        )
    return key


From: TypeAlias = Annotated[Key, AfterValidator(_memory_key)]
"""A memory key that is read; dots pick a part."""
Into: TypeAlias = Annotated[Key, AfterValidator(_no_path), AfterValidator(_memory_key)]
"""A memory key that is written."""


class SubgraphConfig(NodeConfig):
    """Which graph runs as one step, and what goes in and comes out."""

    subgraph_id: Id = field(widget="graph", title="Graph", description="The graph that is run.")
    input_mapping: dict[From, Into] = field(
        default_factory=dict,
        group="Mapping",
        description="Memory key here → memory key there; what is absent here is skipped.",
    )
    output_mapping: dict[From, Into] = field(
        default_factory=dict,
        group="Mapping",
        description="Memory key there → memory key here; what it never wrote is skipped.",
    )
    max_iterations: int = field(
        50, ge=1, le=10_000, description="Most node starts there; its own lower limit counts."
    )


class SubgraphNode(NodeType):
    """Run another graph as a step of this one.

    It runs on its own: own goal, own memory. Only the mapped keys and the context cross. Its result
    is this node's output, and it spends from this run's budgets.
    """

    type = "subgraph"
    label = "Subgraph"
    icon = "sitemap"
    category = "Flow"
    words = ("workflow", "call", "reuse", "child", "sub")
    effect_class = EffectClass.KEYED
    foretold = True
    defaults = NodeDefaults(read_keys=())
    views = (CHILD_RUN,)
    writes_data: ClassVar[bool] = False

    Config = SubgraphConfig

    def granted_reads(self, config: SubgraphConfig) -> tuple[str, ...]:
        """Return the keys mapped into the child: naming them there is the grant."""
        return tuple(config.input_mapping)

    def own_keys(self, node_id: str, config: SubgraphConfig) -> tuple[str, ...]:
        """Return the keys that the child's are mapped onto."""
        return tuple(dict.fromkeys(config.output_mapping.values()))

    async def run(self, ctx: NodeContext, config: SubgraphConfig) -> NodeResult:
        """Return the child's result, and its mapped keys as data.

        Raises `NodeError` `SubgraphFailed`, `GraphNotFound`, `InputInvalid`, `SubgraphCycle`.
        """
        given = _mapped(ctx.view.memory, config.input_mapping)
        ended = await ctx.run_graph(
            config.subgraph_id, input=given, memory=given, max_iterations=config.max_iterations
        )
        if ended["status"] != "completed":
            raise _failure(ctx, config.subgraph_id, ended)
        data = _mapped(ended["memory"], config.output_mapping)
        return NodeResult(output=ended["result"], data=data or None)


_ABSENT = object()


def _mapped(memory: Mapping[str, Any], mapping: Mapping[str, str]) -> FrozenDict:
    """Return the values of the keys on the left under the names on the right."""
    found = ((name, _picked(memory, key)) for key, name in mapping.items())
    mapped: FrozenDict = freeze({name: value for name, value in found if value is not _ABSENT})
    return mapped


def _picked(memory: Mapping[str, Any], key: str) -> Any:
    if key in memory:
        return memory[key]
    value: Any = memory
    for part in key.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return _ABSENT
        value = value[part]
    return value


def _failure(ctx: NodeContext, graph_id: str, ended: Mapping[str, Any]) -> BaseException:
    """Return what a child run that did not complete makes of the node.

    A cap of this node, or of a composite around it, stops this run as any breach of it does.
    """
    error = ended["error"] or {}
    code, message = error.get("code"), error.get("message", "")
    if ended["status"] == "refused":
        return NodeError(str(code), f"graph {graph_id!r}: {message}")
    detail = dict(error.get("detail") or {})
    if str(detail.get("budget", "")).startswith(f"node:{ctx.run_id}:"):
        return BudgetStop(str(code), message, detail=detail)
    why = f": {code}: {message}" if code else ""
    return NodeError(
        "SubgraphFailed",
        f"graph {graph_id!r} ended as {ended['status']}{why}",
        detail={"status": ended["status"], "error": dict(error), "run_id": ended.get("run_id")},
    )
