"""The engine with one safeguard removed each. Every one of them must be found out.

The names are those of the table of what the protocol's simulation showed: a safeguard whose
absence nobody notices is either not needed or not tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from engine.core.budgets import ledger
from engine.core.decide import approvals as votes
from engine.core.decide import endings, interrupts, scheduler
from engine.core.decide.begin import takeover
from engine.core.decide.outcomes import complete_node
from engine.core.effects import idempotency_key
from engine.core.errors import Cancelled
from engine.runtime import runner
from engine.runtime.execution import call_log, calls
from engine.runtime.execution import executor as execution
from engine.runtime.mailbox import verbs
from engine.runtime.stores.buffered import BufferedStore
from engine.runtime.stores.memory import MemoryRunStore

Undo = Callable[[], None]


class Patch:
    """Attributes replaced for a while."""

    def __init__(self) -> None:
        self._undo: list[Undo] = []

    def set(self, owner: Any, name: str, value: Any) -> None:
        old = owner.__dict__[name]
        self._undo.append(lambda: setattr(owner, name, old))
        setattr(owner, name, value)

    def undo(self) -> None:
        while self._undo:
            self._undo.pop()()


def no_fence_in_complete(patch: Patch) -> None:
    """An executor records its result although the activation was claimed anew."""

    async def completed(self: Any, ctx: Any, result: Any) -> Any:
        claim = self._claim

        def complete(tx: Any) -> None:
            act = tx.state.activations.get(claim.key)
            if act is None:
                raise Cancelled
            complete_node(tx, claim.plan, act, result, ctx.finish)

        return await self._runner.step(self._run_id, None, complete)

    async def held(self: Any, ctx: Any, fn: Any, *, flush: bool = False) -> Any:
        def apply(tx: Any) -> Any:
            if ctx.claim.key not in tx.state.activations or tx.state.ending is not None:
                raise Cancelled
            return fn(tx)

        return await self.store.transact(ctx.run_id, None, apply, flush=flush)

    patch.set(execution.Execution, "_completed", completed)
    patch.set(runner.Runner, "transact_held", held)


def no_recovery_scan(patch: Patch) -> None:
    """What a dead process held is not claimed again."""
    patch.set(runner, "take_over", lambda _tx, _env, **_options: [])


def attempt_raised_on_takeover(patch: Patch) -> None:
    """A takeover counts as a new attempt, so that calls in flight get new keys."""
    original = scheduler.claim_activation

    def claim(tx: Any, env: Any, key: str, plan: Any, **options: Any) -> Any:
        if options.get("takeover"):
            options["attempt"] += 1
        return original(tx, env, key, plan, **options)

    def key(self: Any, path: str, _sent: Any = None) -> str:
        ctx = self._ctx
        return idempotency_key(ctx.run_id, ctx.act.key, ctx.attempt, path)

    patch.set(scheduler, "claim_activation", claim)
    patch.set(calls.Calls, "key", key)


def new_key_after_an_unknown_outcome(patch: Patch) -> None:
    """A call that may have happened is sent again under the next attempt's key."""

    def key(self: Any, path: str, _sent: Any = None) -> str:
        ctx = self._ctx
        return idempotency_key(ctx.run_id, ctx.act.key, ctx.attempt, path)

    patch.set(calls.Calls, "key", key)


def unknown_hold_released(patch: Patch) -> None:
    """A call that nobody knows the outcome of costs nothing."""

    def fail(tx: Any, key: str, attempt: int, path: str, hold_id: Any, message: str) -> None:
        data: dict[str, Any] = {
            "path": path,
            "attempt": attempt,
            "error": {"code": "OutcomeUnknown", "message": message},
        }
        if hold_id is not None and hold_id in tx.state.holds:
            tx.ledger.settle(hold_id, 0, Decimal(0), "released")
            data |= {"hold": hold_id, "tokens": 0, "cost_usd": "0"}
        tx.emit("StepFailed", key, data)

    patch.set(call_log, "fail_step", fail)
    patch.set(endings, "fail_step", fail)


def approval_decided_twice(patch: Patch) -> None:
    """A decision does not look whether there is one already."""
    original = interrupts.decide
    known: dict[str, Any] = {}

    def decide(tx: Any, request_id: str, answer: Any, actor: Any, members: Any = None) -> Any:
        opened = tx.state.interrupts.get(request_id)
        if opened is not None:
            known[request_id] = opened
        elif request_id in known and known[request_id].key in tx.state.activations:
            tx.state.interrupts[request_id] = known[request_id]
        return original(tx, request_id, answer, actor)

    patch.set(verbs, "decide", decide)


def approved_by_too_few(patch: Patch) -> None:
    """The first approval is taken for all of them."""
    patch.set(votes, "missing", lambda seats, approvals: [])


def interrupts_left_pending_at_the_end(patch: Patch) -> None:
    """A run that ends leaves its questions open."""

    def close(tx: Any, act: Any) -> None:
        endings.presume_holds(tx, act.key)

    def begin(tx: Any, status: str, reason: str, error: Any, by: str | None = None) -> None:
        if tx.state.ending is not None or tx.state.terminal:
            return
        data = {
            "status": status,
            "reason": reason,
            "error": error,
            "by": by,
            "grace_until": tx.now + endings.CANCEL_GRACE_MS,
        }
        tx.emit("RunEnding", None, data)
        for key, act in list(tx.state.activations.items()):
            if not endings.is_executing(act):
                endings.cancel_activation(tx, key)

    from engine.core.decide import outcomes

    patch.set(endings, "close_attempt", close)
    for module in (endings, outcomes, verbs, scheduler, interrupts):
        patch.set(module, "begin_ending", begin)


def intent_not_durable_before_the_call(patch: Patch) -> None:
    """The transition is split: the call is sent before its intent has been committed."""
    original = runner.Runner.transact_held

    async def held(self: Any, ctx: Any, fn: Any, *, flush: bool = False) -> Any:
        return await original(self, ctx, fn, flush=False)

    patch.set(runner.Runner, "transact_held", held)


def start_not_unique(patch: Patch) -> None:
    """A start does not look whether the run exists."""

    async def create(self: Any, start: Any, program: Any, fn: Any) -> Any:
        from engine.core.state.fold.run import new_state
        from engine.runtime.stores.buffered import Warm

        warm = Warm(new_state(program), start=start)
        warm.state.run_id = start.run_id
        self._warm[start.run_id] = warm
        result = self._apply(warm, "start", fn)
        await self.flush(start.run_id)
        return result

    async def persist(self: Any, batch: Any) -> None:
        batch.start = None
        for event in batch.events:
            self.medium.ledger.replay(batch.run_id, event, self.ledger)
        self.medium.logs.setdefault(batch.run_id, []).extend(batch.events)
        self.medium.unfinished[batch.run_id] = None

    patch.set(BufferedStore, "create", create)
    patch.set(MemoryRunStore, "_persist", persist)


def budget_checked_but_not_held(patch: Patch) -> None:
    """A call looks whether it fits and sets nothing aside, so that many fit at once."""

    def reserve(self: Any, hold: Any, refs: Any) -> Any:
        rows = [self.ensure(ref) for ref in refs]
        for row in rows:
            spent = ledger.BudgetRow(
                row.id, row.level, row.limit_tokens, row.limit_usd, row.spent_tokens, row.spent_usd
            )
            if not ledger.fits(spent, hold.tokens, hold.usd):
                return ledger.Refusal(row, hold.tokens, hold.usd)
        for row in rows:
            row.held_tokens += hold.tokens
            row.held_usd += hold.usd
        self.holds[hold.id] = hold
        return None

    patch.set(ledger.Ledger, "reserve", reserve)


def back_off_forgotten_by_a_restart(patch: Patch) -> None:
    """A restart claims what waits for its retry."""
    original = takeover.take_over

    def take_over(tx: Any, env: Any, **options: Any) -> Any:
        claims: list[Any] = original(tx, env, **options)
        acts = [] if tx.state.ending else list(tx.state.activations.values())
        claims += [scheduler.reclaim(tx, env, act) for act in acts if act.status == "retrying"]
        return [claim for claim in claims if claim is not None]

    patch.set(runner, "take_over", take_over)


MUTANTS: dict[str, Callable[[Patch], None]] = {
    function.__name__: function
    for function in (
        no_fence_in_complete,
        no_recovery_scan,
        attempt_raised_on_takeover,
        new_key_after_an_unknown_outcome,
        unknown_hold_released,
        approval_decided_twice,
        approved_by_too_few,
        interrupts_left_pending_at_the_end,
        intent_not_durable_before_the_call,
        start_not_unique,
        budget_checked_but_not_held,
        back_off_forgotten_by_a_restart,
    )
}


@contextmanager
def mutated(name: str) -> Iterator[None]:
    """Run the block with the safeguard of that name removed."""
    patch = Patch()
    try:
        MUTANTS[name](patch)
        yield
    finally:
        patch.undo()
