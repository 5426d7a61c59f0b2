"""Children of an activation: nodes of the same graph, and runs of other graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.core.decide.holds import budgets_of, payers_of
from engine.core.decide.outcomes import note_collisions
from engine.core.decide.start import checked_input
from engine.core.effects import EffectClass
from engine.core.errors import NodeError, RequestRefused, Suspended
from engine.core.state.event_types.waits import ChildrenRequested, ChildRunRequested
from engine.core.state.lanes import check_schema
from engine.core.values.json import FrozenDict, digest, digest_id, freeze

if TYPE_CHECKING:
    from engine.core.decide.transition import Transition
    from engine.core.graph.document import GraphSpec
    from engine.core.state.run_state import RunState
    from engine.runtime.execution.held import Held
    from engine.runtime.host import RunHost

MAX_SUBGRAPH_DEPTH = 32


class ChildCalls:
    """The part of a node context that starts children."""

    __slots__ = ("_ctx", "_host")

    def __init__(self, host: RunHost, ctx: Held) -> None:
        self._host = host
        self._ctx = ctx

    async def nodes(
        self,
        children: Sequence[Mapping[str, Any]],
        max_concurrency: int,
        fail_fast: bool,
        isolated: bool,
        writes: Mapping[str, Any] | None = None,
    ) -> list[dict[str, Any]]:
        """Run nodes as children; suspend once, return their results in item order.

        `writes` passed the node's gate and land in memory before the first child starts.
        """
        ctx = self._ctx
        path = ctx.path()
        wanted = freeze([dict(child) for child in children])
        for child in wanted:
            if child.get("node") not in self._host.state_of(ctx.run_id).program.spec.nodes_by_id:
                raise NodeError("UndeclaredTarget", f"no node {child.get('node')!r} in this graph")
        landed = None if writes is None else freeze(writes)
        about = [wanted, max_concurrency, fail_fast, isolated]
        request_hash = digest(about if landed is None else [*about, landed])
        step = ctx.journal.find(path, request_hash, EffectClass.PURE)
        if step is not None:
            group = ctx.act.groups[path]
            if group.finished and (step.attempt == ctx.attempt or not group.failed):
                return [dict(r) if r else {"status": "cancelled"} for r in group.results]
            if step.attempt == ctx.attempt:
                raise Suspended
        if not wanted:
            return []

        def ask(tx: Transition) -> None:
            data: ChildrenRequested = {
                "path": path,
                "attempt": ctx.attempt,
                "children": wanted,
                "max_concurrency": max_concurrency,
                "fail_fast": fail_fast,
                "isolated": isolated,
                "request_hash": request_hash,
            }
            kept = self._kept(path, wanted, isolated)
            if kept:
                data["kept"] = kept
            if landed:
                check_schema(tx.state, ctx.plan, landed)
                note_collisions(tx, ctx.act, landed)
                data["writes"] = landed
            tx.emit("ChildrenRequested", ctx.act.key, data)
            tx.emit("NodeWaiting", ctx.act.key, {"on": "children", "path": path})

        await self._host.transact_held(ctx, ask)
        raise Suspended

    def _kept(self, path: str, wanted: Sequence[Any], isolated: bool) -> list[int]:
        """Return which children completed in an earlier attempt that asked for the same (row C34)."""
        before = self._ctx.act.groups.get(path)
        if before is None or before.isolated is not isolated or before.children != wanted:
            return []
        if self._ctx.journal.diverged(path):
            return []
        ended = enumerate(before.results)
        return [index for index, result in ended if result and result["status"] == "completed"]

    async def graph(
        self, graph_id: str, input_: object, memory: Mapping[str, Any], max_iterations: int | None
    ) -> dict[str, Any]:
        """Start a child run and suspend until it has ended; return how it ended.

        `memory` of the result is what its nodes wrote; the status `refused` says that it could not
        be started.
        """
        ctx = self._ctx
        path = ctx.path()
        request = freeze({"graph": graph_id, "input": input_, "memory": dict(memory)})
        request_hash = digest(request)
        step = ctx.journal.find(path, request_hash, EffectClass.KEYED)
        if step is not None and step.status == "done":
            result: dict[str, Any] = step.result
            return result
        if step is not None:
            raise Suspended
        state = self._host.state_of(ctx.run_id)
        self._refuse_circle(state, graph_id)
        spec = await self._host.graphs.find_graph(graph_id, ctx.workspace_id)
        if spec is None:
            raise NodeError("GraphNotFound", f"no graph {graph_id!r}")
        started, below = _given(spec, request)
        run_id = digest_id([ctx.run_id, ctx.act.key, ctx.attempt, path])

        def ask(tx: Transition) -> None:
            data: ChildRunRequested = {
                "path": path,
                "attempt": ctx.attempt,
                "run_id": run_id,
                "graph_id": graph_id,
                "input": started,
                "memory": below,
                "request_hash": request_hash,
                "max_iterations": max_iterations,
            }
            tx.emit("ChildRunRequested", ctx.act.key, data)
            tx.emit("NodeWaiting", ctx.act.key, {"on": "run", "path": path})
            tx.signal("start_child", run_id, {**data, "parent": _parent(tx.state, ctx, path)})

        await self._host.transact_held(ctx, ask, flush=True)
        raise Suspended

    def _refuse_circle(self, state: RunState, graph_id: str) -> None:
        around = [*(state.started.get("parent") or {}).get("graphs", ()), state.started["graph_id"]]
        if graph_id in around:
            chain = " → ".join([*around, graph_id])
            raise NodeError("SubgraphCycle", f"graphs nest in a circle: {chain}")
        if len(around) >= MAX_SUBGRAPH_DEPTH:
            raise NodeError("SubgraphTooDeep", f"subgraphs nest deeper than {MAX_SUBGRAPH_DEPTH}")


def _given(spec: GraphSpec, request: FrozenDict) -> tuple[Any, FrozenDict]:
    """Return input and memory of a child run with its interface's defaults (row C87).

    Raises `NodeError` `InputInvalid` before anything of the child runs.
    """
    given, memory = request["input"], request["memory"]
    try:
        filled = checked_input(spec, given)
    except RequestRefused as refused:
        raise NodeError(refused.code, f"graph {spec.id!r}: {refused.message}") from refused
    if not isinstance(filled, Mapping) or not isinstance(given, Mapping):
        return filled, memory
    known = given.keys() | spec.initial_memory.keys()
    defaults = {key: value for key, value in filled.items() if key not in known}
    return filled, FrozenDict({**defaults, **memory})


def _parent(state: RunState, ctx: Held, path: str) -> dict[str, Any]:
    budgets = budgets_of(state, ctx.act.key)
    around = [*(state.started.get("parent") or {}).get("graphs", ()), state.started["graph_id"]]
    payers = payers_of(state)
    return {
        "run_id": ctx.run_id,
        "key": ctx.act.key,
        "path": path,
        "budgets": [ref.to_json() for ref in budgets],
        "graphs": around,
        "kind": "subgraph",
        "depth": len(around),
        "charged": payers.graphs,
        "trigger": payers.trigger,
    }
