"""One execution of one claim: run the node's code, then record its result or failure."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from engine.core.decide.clocks.composite_timeouts import timed_out
from engine.core.decide.exits.early_exits import record_leaving
from engine.core.decide.in_doubt import open_doubt
from engine.core.decide.outcomes import complete_node, fail_attempt
from engine.core.effects import EffectClass
from engine.core.errors import BudgetStop, Cancelled, NodeError, StoreError, Suspended
from engine.core.node_types.node_type import NodeResult
from engine.core.state.lanes import build_view
from engine.core.state.run_state import Activation
from engine.core.state.sent import doubt_of
from engine.runtime.execution.context import ActivationContext, let_go
from engine.runtime.execution.journal import ACTIVATION, SCOPE
from engine.runtime.execution.transition_to import check_handover
from engine.runtime.execution.waits import InterruptEnded

if TYPE_CHECKING:
    from engine.core.decide.scheduler import Claim
    from engine.core.decide.transition import Transition
    from engine.runtime.host import RunHost

UNSAFE_WHILE_OPEN = frozenset({EffectClass.UNSAFE, EffectClass.PROBE})


class Execution:
    """Runs node code under a lease; `run` returns the claim to execute next, if any."""

    def __init__(self, host: RunHost, run_id: str, claim: Claim) -> None:
        self._host = host
        self._run_id = run_id
        self._claim = claim

    async def run(self, task: asyncio.Task[None]) -> Claim | None:
        """Execute the claim to its end, whatever that is. `task` is the running one."""
        ACTIVATION.set((self._run_id, self._claim.key))
        SCOPE.set(None)  # this task may have been started from within a branch of another node
        act = self._host.state_of(self._run_id).activations.get(self._claim.key)
        if act is None or act.epoch != self._claim.epoch:
            return None
        if act.view is None:
            await self._rebuild_view(act)
        ctx = self._context(act, task)
        try:
            return await self._carry_out(ctx, act)
        finally:
            let_go(ctx)

    async def _carry_out(self, ctx: ActivationContext, act: Activation) -> Claim | None:
        try:
            result = NodeResult.of(await self._node_code(ctx, act))
        except (Suspended, Cancelled, BudgetStop) as control:
            return await self._left(control)
        except TimeoutError:
            return await self._timed_out()
        except NodeError as error:
            return await self._failed(error)
        except StoreError:
            raise  # the log's trouble, not the node's: the run is taken over once it can be written
        except Exception as error:  # noqa: BLE001  node code may raise anything
            failure = NodeError("HandlerFailed", f"{type(error).__name__}: {error}", retryable=True)
            self._host.services.report_handler(error)
            return await self._failed(failure)
        to = result.transition_to
        if to is not None:
            graphs, state = self._host.graphs, self._host.state_of(self._run_id)
            try:
                ctx.finish.handover = await check_handover(graphs, state, to, result.data)
            except NodeError as error:
                return await self._failed(error)
        return await self._completed(ctx, result)

    async def _left(self, control: BaseException) -> Claim | None:
        """Record that node code left by control flow: suspended, cancelled or out of budget."""
        claim = self._claim
        return await self._host.step(
            self._run_id, None, lambda tx: record_leaving(tx, claim, control)
        )

    def _context(self, act: Activation, task: asyncio.Task[None]) -> ActivationContext:
        return ActivationContext(self._host, self._run_id, self._claim, act, task)

    async def _node_code(self, ctx: ActivationContext, act: Activation) -> Any:
        plan = self._claim.plan
        limit = plan.policy.timeout_ms
        if limit is None:
            return await plan.type.run(ctx, plan.config)
        async with asyncio.timeout(max(limit - act.active_ms, 0) / 1000):
            return await plan.type.run(ctx, plan.config)

    async def _rebuild_view(self, act: Activation) -> None:
        """Fold the log up to where the activation started: it must see what it saw then."""
        past = await self._host.store.state(self._run_id, act.view_seq)
        then = past.activations.get(act.key, act)
        act.view = build_view(past, self._claim.plan, then)

    async def _completed(self, ctx: ActivationContext, result: NodeResult) -> Claim | None:
        claim = self._claim

        def complete(tx: Transition) -> None:
            act = tx.state.activations.get(claim.key)
            if act is None or act.epoch != claim.epoch:
                raise Cancelled
            try:
                complete_node(tx, claim.plan, act, result, ctx.finish)
            except NodeError as error:
                self._fail(tx, act, error, rejected=True)

        return await self._host.step(self._run_id, None, complete)

    async def _failed(self, error: NodeError) -> Claim | None:
        claim = self._claim

        def fail(tx: Transition) -> None:
            act = tx.state.activations.get(claim.key)
            if act is None or act.epoch != claim.epoch:
                raise Cancelled
            rejected = error.code in REJECTED_ANSWERS
            group = error.group if isinstance(error, InterruptEnded) else "failed"
            self._fail(tx, act, error, rejected=rejected, group=group)

        return await self._host.step(self._run_id, None, fail)

    def _fail(
        self,
        tx: Transition,
        act: Activation,
        error: NodeError,
        *,
        rejected: bool,
        group: str = "failed",
    ) -> None:
        jitter = self._host.entropy.random()
        fail_attempt(tx, self._claim.plan, act, error, jitter, group=group, rejected=rejected)

    async def _timed_out(self) -> Claim | None:
        claim = self._claim
        error = timed_out(claim.plan)

        def fail(tx: Transition) -> None:
            act = tx.state.activations.get(claim.key)
            if act is None or act.epoch != claim.epoch:
                raise Cancelled
            open_steps = [s for s in act.steps.values() if s.status == "intended"]
            doubtful = next((s for s in open_steps if s.effect in UNSAFE_WHILE_OPEN), None)
            if doubtful is not None and (tx.state.ending is None or act.undoes is not None):
                detail = doubt_of(self._run_id, act.key, doubtful, error.message)
                open_doubt(tx, act, "unknown_outcome", doubtful.path, detail)
                return
            self._fail(tx, act, error, rejected=False)

        return await self._host.step(self._run_id, None, fail)


REJECTED_ANSWERS = frozenset(
    {
        "ResultSchemaMismatch",
        "WriteNotAllowed",
        "StateSchemaViolation",
        "UndeclaredTarget",
        "NoTarget",
        "VerificationFailed",
    }
)
"""Failures of an attempt's own answer: its models are asked anew in a retry (row C34)."""
