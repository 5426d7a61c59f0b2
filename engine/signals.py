"""Word between runs: start a child, tell a parent, cancel. Delivered after the commit, repeatable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.errors import RequestRefused, RunNotFound, StoreError
from engine.requests import ParentRun, StartRun
from engine.stores.buffered import RunExists
from engine.values import FrozenDict, freeze

if TYPE_CHECKING:
    from engine.runner import Runner
    from engine.transition import Transition

MAX_TRANSITIONS = 50


class Signals:
    """Delivers outbox signals. Each has its effect once: the receiving transition is idempotent."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._busy = False
        self._again = False

    async def deliver_all(self) -> None:
        """Deliver everything that waits; calls in between make one more round, not two at once."""
        if self._busy:
            self._again = True
            return
        self._busy = True
        try:
            while True:
                self._again = False
                failed = await self._round()
                if not self._again:
                    break
        finally:
            self._busy = False
        if failed:
            self._runner.later(self.deliver_all)

    async def _round(self) -> bool:
        """Deliver each once; tell whether the store refused any, which stays to be delivered."""
        failed = False
        for number, (topic, ref, payload) in await self._runner.store.signals():
            try:
                await self._deliver(topic, ref, payload)
                await self._runner.store.delivered(number)
            except StoreError:
                failed = True
        return failed

    async def _deliver(self, topic: str, ref: str, payload: dict[str, Any]) -> None:
        if topic == "start_child":
            await self._start_child(ref, payload)
        elif topic == "start_transition":
            await self._start_transition(ref, payload)
        elif topic == "child_ended":
            await self._child_ended(ref, payload)
        elif topic == "cancel_run":
            try:
                await self._runner.cancel(ref, payload["by"], payload["reason"])
            except RunNotFound:
                return

    async def _start_child(self, run_id: str, payload: dict[str, Any]) -> None:
        parent = payload["parent"]
        state = await self._runner.store.warm(parent["run_id"])
        start = StartRun(
            run_id=run_id,
            graph_id=payload["graph_id"],
            workspace_id=state.started.get("workspace_id"),
            input=payload["input"],
            memory=payload["memory"],
            context=_own_context(state.context),
            started_by=state.started.get("started_by"),
            max_iterations=payload.get("max_iterations"),
            unknown_price=state.started.get("unknown_price"),
            parent=ParentRun(
                parent["run_id"], parent["key"], parent["path"], tuple(parent["budgets"]),
                tuple(parent["graphs"]), "subgraph", parent["depth"],
            ),
        )  # fmt: skip
        error = await self._start(start)
        if error is not None:
            await self._child_ended(
                parent["run_id"],
                {
                    "run_id": run_id,
                    "status": "failed",
                    "result": None,
                    "memory": {},
                    "error": error,
                },
            )

    async def _start(self, start: StartRun) -> FrozenDict | None:
        """Start a run of the newest version; return the error if it cannot be started."""
        spec = await self._runner.graphs.find_graph(start.graph_id, start.workspace_id)
        if spec is None:
            return FrozenDict({"code": "GraphNotFound", "message": f"no graph {start.graph_id!r}"})
        program = await self._runner.graphs.program(spec, start.workspace_id)
        try:
            await self._runner.start(start, program)
        except RunExists:
            return None
        except RequestRefused as refused:
            return FrozenDict({"code": refused.code, "message": refused.message})
        return None

    async def _start_transition(self, run_id: str, payload: dict[str, Any]) -> None:
        source_id = payload["from"]
        state = await self._runner.store.warm(source_id)
        depth = (state.started.get("parent") or {}).get("depth", 0) + 1
        limits = state.started["limits"]
        start = StartRun(
            run_id=run_id,
            graph_id=payload["graph_id"],
            workspace_id=state.started.get("workspace_id"),
            input=payload["payload"],
            context=_own_context(state.context),
            metadata=payload["metadata"],
            started_by=state.started.get("started_by"),
            unknown_price=state.started.get("unknown_price"),
            extra_budgets=tuple(state.started.get("budgets", ())),
            parent=ParentRun(
                source_id,
                payload["key"],
                "",
                _run_budget(state.run_id, limits),
                (),
                "transition",
                depth,
            ),
        )
        await self._start(start)

    async def _child_ended(self, parent_id: str, payload: dict[str, Any]) -> None:
        run_id = payload["run_id"]

        def ended(tx: Transition) -> None:
            known = tx.state.child_runs.get(run_id)
            if known is None or tx.state.terminal:
                return
            key, path = known
            fields = ("run_id", "status", "result", "memory", "error")
            data = {"path": path, **{name: payload.get(name) for name in fields}}
            if payload.get("compensations"):
                data["compensations"] = freeze(payload["compensations"])
            tx.emit("ChildRunEnded", key, data)

        try:
            await self._runner.step(parent_id, f"signal:ended:{run_id}", ended, flush=True)
        except RunNotFound:
            return


def _own_context(context: FrozenDict) -> dict[str, Any]:
    return {k: v for k, v in context.items() if k not in ("graph_id", "run_id")}


def _run_budget(run_id: str, limits: FrozenDict) -> tuple[dict[str, Any], ...]:
    if limits.get("budget_usd") is None and limits.get("max_token_budget") is None:
        return ()
    return (
        {
            "id": f"run:{run_id}", "level": "run",
            "limit_tokens": limits.get("max_token_budget"), "limit_usd": limits.get("budget_usd"),
        },
    )  # fmt: skip
