"""Executing an undo: like any activation, under its lease, but it only calls and never waits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Unpack

from engine.core.decide.undo import finish_undo, view_of
from engine.core.errors import Cancelled, NodeError
from engine.core.node_types.conversation import Conversation
from engine.core.node_types.node_type import UNSET, NodeResult
from engine.core.state.run_state import Activation, Compensation
from engine.core.values.json import EMPTY
from engine.runtime.execution.context import ActivationContext
from engine.runtime.execution.executor import Execution

if TYPE_CHECKING:
    from engine.agents.activation import TalkOptions
    from engine.core.decide.scheduler import Claim
    from engine.core.decide.transition import Transition
    from engine.runtime.host import RunHost


def execution_of(host: RunHost, run_id: str, claim: Claim) -> Execution:
    """Return what executes a claim: of a node, or of the undo of one."""
    undoing = isinstance(claim.plan.config, Compensation)
    return (UndoExecution if undoing else Execution)(host, run_id, claim)


class UndoContext(ActivationContext):
    """What an undo gets: calls of tools and the outside. The run has ended in all but name."""

    async def interrupt(self, request: Mapping[str, Any]) -> Any:
        """Refuse. Raises `NodeError`."""
        _refuse("ask a person")

    async def review(self, request: Mapping[str, Any], review_keys: Sequence[str]) -> NoReturn:
        """Refuse. Raises `NodeError`."""
        _refuse("ask for an approval")

    async def sleep(self, duration_ms: int) -> None:
        """Refuse. Raises `NodeError`."""
        _refuse("sleep")

    async def reason(
        self, agent: str | None, prompt: str, **options: Unpack[TalkOptions]
    ) -> Conversation:
        """Refuse. Raises `NodeError`."""
        _refuse("ask a model")

    async def run_nodes(
        self,
        children: Sequence[Mapping[str, Any]],
        *,
        max_concurrency: int = 5,
        fail_fast: bool = False,
        isolated: bool = False,
    ) -> list[dict[str, Any]]:
        """Refuse. Raises `NodeError`."""
        _refuse("run nodes")

    async def run_graph(
        self,
        graph_id: str,
        *,
        input: object = None,
        memory: Mapping[str, Any] | None = None,
        max_iterations: int | None = None,
    ) -> dict[str, Any]:
        """Refuse. Raises `NodeError`."""
        _refuse("run a graph")


def _refuse(what: str) -> NoReturn:
    raise NodeError("HandlerFailed", f"an undo may not {what}: it calls tools, and is recorded")


class UndoExecution(Execution):
    """Executes an undo once; however it ends is recorded and the next one follows."""

    def _context(self, act: Activation, task: asyncio.Task[None]) -> ActivationContext:
        return UndoContext(self._host, self._run_id, self._claim, act, task)

    async def _rebuild_view(self, act: Activation) -> None:
        assert act.undoes is not None
        scope = act.undoes.request["request"].get("scope")
        act.view = view_of(EMPTY if scope is None else scope)

    async def _completed(self, ctx: ActivationContext, result: NodeResult) -> Claim | None:
        claim = self._claim

        def complete(tx: Transition) -> None:
            act = tx.state.activations.get(claim.key)
            if act is None or act.epoch != claim.epoch:
                raise Cancelled
            finish_undo(tx, act, result=result.data if result.output is UNSET else result.output)

        return await self._host.step(self._run_id, None, complete)

    def _fail(
        self,
        tx: Transition,
        act: Activation,
        error: NodeError,
        *,
        rejected: bool,
        group: str = "failed",
    ) -> None:
        finish_undo(tx, act, error=error)
