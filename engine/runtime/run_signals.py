"""Word between runs: start a child, tell a parent, cancel. Delivered after the commit, repeatable."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.core.decide.holds import payers_of, run_budgets
from engine.core.errors import RequestRefused, RunElsewhere, RunNotFound, RunUnreadable, StoreError
from engine.core.state.event_types.waits import ChildRunEnded
from engine.core.state.requests import ParentRun, StartRun
from engine.core.values.json import FrozenDict, freeze
from engine.runtime.execution.transition_to import transitions_of
from engine.runtime.stores.buffered import RunExists

if TYPE_CHECKING:
    from engine.core.decide.transition import Transition
    from engine.runtime.host import RunControl


class Signals:
    """Delivers outbox signals. Each has its effect once: the receiving transition is idempotent."""

    def __init__(self, runner: RunControl) -> None:
        self._runner = runner
        self._busy = False
        self._again = False
        self.family: set[str] | None = None
        """The runs whose signals are delivered, and what these start; None: those of all runs."""

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
            if not self._is_ours(topic, ref, payload):
                continue
            try:
                await self._deliver(topic, ref, payload)
                await self._runner.store.delivered(number)
            except (RunUnreadable, RunElsewhere):  # it stays for a process that has the run
                continue
            except StoreError:
                failed = True
        return failed

    def _is_ours(self, topic: str, ref: str, payload: dict[str, Any]) -> bool:
        """Return whether a signal is for the family, which grows by what it starts."""
        if self.family is None:
            return True
        if topic == "start_child":
            ours = payload["parent"]["run_id"] in self.family
        elif topic == "start_transition":
            ours = payload["from"] in self.family
        else:
            ours = ref in self.family
        if ours:
            self.family.add(ref)
        return ours

    async def _deliver(self, topic: str, ref: str, payload: dict[str, Any]) -> None:
        if topic == "start_child":
            await self._start_child(ref, payload)
        elif topic == "start_transition":
            await self._start_transition(ref, payload)
        elif topic == "child_ended":
            await self._child_ended(ref, payload)
        elif topic == "child_waiting":
            await self._child_waiting(ref, payload)
        elif topic == "cancel_run":
            try:
                await self._runner.cancel(ref, payload["by"], payload["reason"])
            except RunNotFound:
                return

    async def _child_waiting(self, parent_id: str, payload: dict[str, Any]) -> None:
        run_id = payload["run_id"]

        def tell(tx: Transition) -> None:
            known = tx.state.child_runs.get(run_id)
            act = None if known is None else tx.state.activations.get(known[0])
            if act is None or tx.state.terminal or act.waiting_on != "run":
                return
            if (act.status == "waiting") is not payload["waiting"]:
                tx.emit(
                    "ChildRunWaiting", act.key, {"run_id": run_id, "waiting": payload["waiting"]}
                )

        with suppress(RunNotFound):
            await self._runner.step(parent_id, None, tell, flush=True)

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
                parent["run_id"],
                parent["key"],
                parent["path"],
                tuple(parent["budgets"]),
                tuple(parent["graphs"]),
                "subgraph",
                parent["depth"],
                transitions_of(state),
                tuple(parent["charged"]),
                parent.get("trigger"),
            ),
        )
        error = await self._start(start)
        if error is not None:
            await self._child_ended(
                parent["run_id"],
                {
                    "run_id": run_id,
                    "status": "refused",
                    "result": None,
                    "memory": {},
                    "error": error,
                },
            )

    async def _start(self, start: StartRun) -> FrozenDict | None:
        """Start a run of its version, else of the newest; return the error if it cannot be."""
        graphs = self._runner.graphs
        if start.version_id is not None:
            named = {"graph_id": start.graph_id, "version_id": start.version_id}
            program = await graphs.graph_of_run(start.run_id, named)
        else:
            spec = await graphs.find_graph(start.graph_id, start.workspace_id)
            if spec is None:
                missing = f"no graph {start.graph_id!r}"
                return FrozenDict({"code": "GraphNotFound", "message": missing})
            program = await graphs.program(spec, start.workspace_id)
        start = replace(start, version_id=program.reference[0])
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
        payers = payers_of(state)
        start = StartRun(
            run_id=run_id,
            graph_id=payload["graph_id"],
            version_id=payload.get("version_id"),
            workspace_id=state.started.get("workspace_id"),
            input=payload["payload"],
            context=_own_context(state.context),
            metadata=payload["metadata"],
            started_by=state.started.get("started_by"),
            unknown_price=state.started.get("unknown_price"),
            chat=bool(state.started.get("chat")),
            parent=ParentRun(
                source_id,
                payload["key"],
                "",
                tuple(ref.to_json() for ref in run_budgets(state)),
                kind="transition",
                transitions=transitions_of(state) + 1,
                charged=payers.graphs,
                trigger=payers.trigger,
            ),
        )
        error = await self._start(start)
        if error is not None:  # the run was announced: the word stays until it can be started
            refused = StoreError(f"run {run_id} cannot begin: {error['code']}: {error['message']}")
            self._runner.services.report(refused)
            raise refused

    async def _child_ended(self, parent_id: str, payload: dict[str, Any]) -> None:
        run_id = payload["run_id"]

        def ended(tx: Transition) -> None:
            known = tx.state.child_runs.get(run_id)
            if known is None or tx.state.terminal:
                return
            key, path = known
            data: ChildRunEnded = {
                "path": path,
                "run_id": run_id,
                "status": payload["status"],
                "result": payload.get("result"),
                "memory": payload.get("memory"),
                "error": payload.get("error"),
                "tokens": payload.get("tokens"),
                "cost_usd": payload.get("cost_usd"),
                "handed_over": payload.get("handed_over"),
            }
            if payload.get("effected"):
                data["effected"] = True
            if payload.get("compensations"):
                data["compensations"] = freeze(payload["compensations"])
            tx.emit("ChildRunEnded", key, data)

        try:
            await self._runner.step(parent_id, f"signal:ended:{run_id}", ended, flush=True)
        except RunNotFound:
            return


def _own_context(context: FrozenDict) -> dict[str, Any]:
    return {k: v for k, v in context.items() if k not in ("graph_id", "run_id")}
