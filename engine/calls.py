"""Outside calls of one activation: intent → send → outcome, with money held in between.

The intent is durable before anything is sent. The outcome is recorded whatever became of the
lease: money and facts are not fenced. An intent without outcome is what a takeover judges by the
call's effect class.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.approvals import drifted_approval, reapproval_request
from engine.chat import CUT, CallOrigin, ChatModel, ChatRequest, ChatResponse, Usage
from engine.doubt import open_doubt
from engine.effects import EffectClass, idempotency_key
from engine.endings import fail_step
from engine.errors import (
    BudgetStop,
    NodeError,
    OutcomeUnknown,
    ProviderError,
    ProviderFault,
    Suspended,
    ToolFailed,
)
from engine.ledger import BREACH_CODES, BudgetRef, BudgetRow, Hold, Refusal, breach_message
from engine.outcomes import error_data
from engine.sent import doubt_of, failure_again, kept_failure
from engine.spending import announce_thresholds, budgets_of, held_on, settle_breach
from engine.state import RunState, Step
from engine.tool import Tool
from engine.values import EMPTY, FrozenDict, InvalidJson, digest, fingerprint, freeze

if TYPE_CHECKING:
    from engine.context import NodeContext
    from engine.transition import Transition

DOUBTFUL = frozenset({EffectClass.UNSAFE, EffectClass.PROBE})
UNREPEATABLE = DOUBTFUL | {EffectClass.KEYED}
GATEWAY_ERRORS = frozenset({502, 504})
"""A gateway's word that it lost the other side: nobody knows whether the call arrived."""

KEYED_RESENDS = 3
RESEND_SECONDS = 0.2
"""A keyed call of unknown outcome is sent again under the same key, after 0.2, 0.4 and 0.8 s."""

FLAT_HOLD_USD = Decimal("0.50")
"""Held per call of a model without price where the workspace chose `unknown_price: flat`."""


class Intent(NamedTuple):
    """What is about to be sent."""

    path: str
    kind: str
    effect: EffectClass
    request: FrozenDict
    hash: str
    described: dict[str, Any]
    tokens: int = 0
    usd: Decimal | None = None


class Calls:
    """The effectful half of a node context."""

    __slots__ = ("_ctx",)

    def __init__(self, ctx: NodeContext) -> None:
        self._ctx = ctx

    def budgets(self, state: RunState) -> list[BudgetRef]:
        """Return the budgets of this activation and what is around it, up to the runs'.

        Caps of the activation and of the composites around it, the run's, those of the runs
        around it: what a child run is held on too.
        """
        return budgets_of(state, self._ctx.act.key)

    def key(self, path: str, sent: Step | None = None) -> str:
        """Return the idempotency key of the call at `path`; `sent` is an earlier try of it."""
        ctx = self._ctx
        attempt, path = (ctx.attempt, path) if sent is None else (sent.attempt, sent.path)
        return idempotency_key(ctx.run_id, ctx.act.key, attempt, path)

    def origin(self, path: str, agent_id: str | None, sent: Step | None = None) -> CallOrigin:
        """Return in whose name the call at `path` is made."""
        ctx = self._ctx
        state = ctx.runner.state_of(ctx.run_id)
        return CallOrigin(
            run_id=ctx.run_id,
            graph_id=state.started["graph_id"],
            node_id=ctx.act.node,
            agent_id=agent_id,
            idempotency_key=self.key(path, sent),
            workspace_id=state.started.get("workspace_id"),
            context=ctx.context,
            metadata=ctx.metadata,
        )

    async def model(
        self, model: ChatModel, request: ChatRequest, agent_id: str | None,
        *, stream: bool, described: Mapping[str, Any] = EMPTY, last_resort: bool = False,
    ) -> ChatResponse:  # fmt: skip
        """Make one model call inside the budgets. Raises `ProviderError`, `BudgetStop`.

        `FallbackWanted` is raised where the node names a cheaper agent and this is not it yet
        (`last_resort`).
        """
        ctx = self._ctx
        path = ctx.path()
        plain = freeze(request.to_json())
        spent_on: dict[str, Any] = {"agent": agent_id, "model": request.model}
        if model.price() is None:
            spent_on["unpriced"] = True
        intent = Intent(
            path, "model", EffectClass.LLM, plain, fingerprint(plain), {**spent_on, **described}
        )
        recorded = self._recorded(intent)
        if recorded is not None:
            return ChatResponse.from_json(recorded.result)
        origin = self.origin(path, agent_id)
        hold_id, cost = await self._hold_for(intent, model, request, origin, last_resort)
        if stream:
            ctx.runner.feed.delta(ctx.run_id, ctx.act.key, "", reset=True)
        on_delta = self._delta if stream else None
        try:
            response = await model.complete(request, origin, on_delta)
        except ProviderError as error:
            presumed, used = error.sent and error.status is None, Usage.told_in(error.detail)
            charge = None if used is None else (used.total, cost(used))
            await self._failed(intent, error, hold_id, presumed=presumed, charge=charge)
            raise
        except NodeError as error:
            await self._failed(intent, error, hold_id)
            raise
        usd = cost(response.usage)
        await self._done(intent, freeze(response.to_json()), hold_id, response.usage.total, usd)
        return response

    def _delta(self, text: str) -> None:
        self._ctx.runner.feed.delta(self._ctx.run_id, self._ctx.act.key, text)

    async def _hold_for(
        self, intent: Intent, model: ChatModel, request: ChatRequest, origin: CallOrigin,
        last_resort: bool,
    ) -> tuple[str, Callable[[Usage], Decimal]]:  # fmt: skip
        """Record the intent with its worst case held on every level; settle breaches first."""
        price = model.price()
        unknown = self._ctx.runner.unknown_price(self._ctx.run_id) if price is None else "allow"
        if price is None and unknown == "refuse":
            raise NodeError(
                "PriceUnknown",
                f"no price is known for {request.model!r}; add one, or let the workspace's "
                "unknown_price setting allow it",
            )
        flat = FLAT_HOLD_USD if unknown == "flat" else Decimal(0)
        while True:
            worst = model.worst_case(request, origin)
            usd = flat if price is None else price.cost(worst)
            hold_id, refusal = await self._intend(intent, worst.total, usd)
            if refusal is not None and refusal.passing:
                await self._ctx.runner.store.land(self._ctx.run_id)
                continue
            if refusal is None:
                return hold_id, lambda used: flat if price is None else price.cost(used)
            await settle_breach(self._ctx, refusal, intent.path, last_resort=last_resort)

    async def tool(self, tool: Tool, arguments: FrozenDict) -> Any:
        """Make one tool call. Raises `ToolFailed`; unknown outcomes park the activation."""
        spec = tool.spec
        described = {"tool": spec.name, "arguments": arguments}
        request = FrozenDict({"tool": spec.name, "arguments": arguments})

        async def call(path: str, sent: Step | None) -> Any:
            return await tool.call(arguments, self.origin(path, None, sent))

        return await self._effect("tool", request, spec.effect_class, call, described)

    async def effect(
        self, kind: str, request: Any, effect: EffectClass,
        call: Callable[[str], Awaitable[Any]], described: dict[str, Any],
    ) -> Any:  # fmt: skip
        """Make one outside call of a kind of its own, journaled like a tool call."""

        async def keyed(path: str, sent: Step | None) -> Any:
            return await call(self.key(path, sent))

        return await self._effect(kind, request, effect, keyed, described)

    async def _effect(
        self, kind: str, request: Any, effect: EffectClass,
        call: Callable[[str, Step | None], Awaitable[Any]], described: dict[str, Any],
    ) -> Any:  # fmt: skip
        ctx = self._ctx
        path = ctx.path()
        intent = Intent(path, kind, effect, request, fingerprint([kind, request]), described)
        recorded = self._recorded(intent)
        if recorded is not None:
            return recorded.result
        await self._bind_content(intent)
        sent = ctx.journal.sent_before(path, intent.hash)
        if sent is not None and effect in DOUBTFUL:
            await self._park(intent, "the call was sent in an earlier attempt", sent)
        await self._intend(intent, 0, None)
        try:
            result = freeze(await self._send(intent, call, sent))
        except NodeError as error:
            if effect in DOUBTFUL and error.detail.get("status") in GATEWAY_ERRORS:
                await self._park(intent, str(error))
            await self._failed(intent, error, None)
            raise
        except InvalidJson as error:
            failure = ToolFailed(f"the result of {kind} is no JSON: {error}")
            await self._failed(intent, failure, None)
            raise failure from error
        except Exception as error:  # foreign code made the call: whatever it raises is its report
            failure = ToolFailed(f"{type(error).__name__}: {error}")
            await self._failed(intent, failure, None)
            raise failure from error
        await self._done(intent, result, None, None, None)
        return result

    async def _send(
        self, intent: Intent, call: Callable[[str, Step | None], Awaitable[Any]], sent: Step | None
    ) -> Any:
        """Make the call; where its outcome is unknown, send again only what is safe to repeat."""
        for again in range(KEYED_RESENDS + 1):
            try:
                return await call(intent.path, sent)
            except OutcomeUnknown as error:
                if intent.effect is EffectClass.KEYED and again < KEYED_RESENDS:
                    await self._ctx.runner.clock.sleep(RESEND_SECONDS * 2**again)
                    continue
                if intent.effect in UNREPEATABLE:
                    await self._park(intent, str(error))
                raise
        raise AssertionError("the last round returns or raises")

    def _recorded(self, intent: Intent) -> Step | None:
        """Return the step if it is done, raise its recorded failure; None if it is to be made."""
        step = self._ctx.journal.find(intent.path, intent.hash, intent.effect)
        if step is None or step.status == "intended":
            return None
        if step.status == "failed":
            raise failure_again(step.error)
        return step

    async def _bind_content(self, intent: Intent) -> None:
        """Ask again where what an approval covered has changed since (DESIGN section 9)."""
        ctx = self._ctx
        if intent.effect not in (EffectClass.KEYED, EffectClass.UNSAFE, EffectClass.PROBE):
            return
        asked: dict[str, int] = {}
        while True:
            state = ctx.runner.state_of(ctx.run_id)
            approval = drifted_approval(state, ctx.act)
            if approval is None:
                return
            request, keys = reapproval_request(state, approval, intent.request)
            asked[approval] = asked.get(approval, -1) + 1  # a replay finds each answer again
            place = f"{intent.path}!{digest(approval)[:8]}.{asked[approval]}"
            resolution = await ctx.review_at(place, request, keys, approval)
            if resolution.get("decision") != "approved":
                raise NodeError("ApprovalRejected", "the changed content was not approved")

    async def _intend(
        self, intent: Intent, tokens: int, usd: Decimal | None
    ) -> tuple[str, Refusal | None]:
        """Record the intent durably, its hold included; return why the hold did not fit."""
        ctx = self._ctx
        act = ctx.act
        open_step = act.steps.get((ctx.attempt, intent.path))
        if open_step is not None and open_step.effect in DOUBTFUL:
            await self._park(intent, "the call was sent before a restart")
        hold_id = f"{ctx.run_id}:{act.key}:{ctx.attempt}:{intent.path}#{act.epoch}"

        def intend(tx: Transition) -> Refusal | None:
            refs = [] if usd is None else held_on(tx, act.key)
            if open_step is not None and open_step.status == "intended" and open_step.hold:
                lost = "lost in a crash"
                fail_step(
                    tx, act.key, ctx.attempt, intent.path, hold_id=open_step.hold, message=lost
                )
            data: dict[str, Any] = {
                "path": intent.path, "attempt": ctx.attempt, "kind": intent.kind,
                "effect_class": intent.effect.value, "request_hash": intent.hash,
                "request": intent.request, **intent.described,
            }  # fmt: skip
            if usd is not None:
                ids = tuple(ref.id for ref in refs)
                refusal = tx.ledger.reserve(
                    Hold(hold_id, ctx.run_id, act.key, ids, tokens, usd), refs
                )
                if refusal is not None:
                    return refusal
                data["hold"] = {"id": hold_id, "tokens": tokens, "usd": str(usd), "budgets": ids}
            tx.emit("StepIntended", act.key, data)
            return None

        return hold_id, await ctx.runner.transact_held(ctx, intend, flush=True)

    async def _park(self, intent: Intent, why: str, sent: Step | None = None) -> None:
        """Leave it to a person whether the call of this attempt, or of `sent`, happened."""
        ctx = self._ctx
        attempt, path = (ctx.attempt, intent.path) if sent is None else (sent.attempt, sent.path)

        def park(tx: Transition) -> None:
            step = sent or ctx.act.steps[(attempt, path)]
            detail = doubt_of(ctx.run_id, ctx.act.key, step, why)
            open_doubt(tx, ctx.act, "unknown_outcome", path, detail)

        await ctx.runner.transact_held(ctx, park, flush=True)
        raise Suspended

    async def _failed(
        self, intent: Intent, error: NodeError, hold_id: str | None, *, presumed: bool = False,
        charge: tuple[int, Decimal] | None = None,
    ) -> None:  # fmt: skip
        """Record a failed call; its hold is given back, or settled with what it cost anyway."""
        ctx = self._ctx

        def record(tx: Transition) -> None:
            if _judged(tx, ctx.act.key, ctx.attempt, intent.path):
                return
            if presumed and hold_id is not None:
                code = error.code if isinstance(error, ProviderFault) else "OutcomeUnknown"
                fail_step(
                    tx, ctx.act.key, ctx.attempt, intent.path,
                    hold_id=hold_id, message=str(error), code=code,
                )  # fmt: skip
                return
            crossed: list[tuple[BudgetRow, int]] = []
            data: dict[str, Any] = {
                "path": intent.path, "attempt": ctx.attempt, "error": kept_failure(error, error_data(error)),
                **intent.described,
            }  # fmt: skip
            if hold_id is not None:
                tokens, usd = charge or (0, Decimal(0))
                state = "released" if charge is None else "settled"
                crossed = tx.ledger.settle(hold_id, tokens, usd, state)
                data |= {"hold": hold_id, "tokens": tokens, "cost_usd": str(usd)}
            tx.emit("StepFailed", ctx.act.key, data)
            announce_thresholds(tx, crossed)

        await ctx.runner.transact_outcome(ctx, record)

    async def _done(
        self,
        intent: Intent,
        result: Any,
        hold_id: str | None,
        tokens: int | None,
        usd: Decimal | None,
    ) -> None:
        """Record the outcome; raise `BudgetStop` if what it cost passed a cap after all."""
        ctx = self._ctx

        def record(tx: Transition) -> BudgetStop | None:
            if _judged(tx, ctx.act.key, ctx.attempt, intent.path):
                return None
            data: dict[str, Any] = {
                "path": intent.path, "attempt": ctx.attempt, "result": result, **intent.described,
            }  # fmt: skip
            if hold_id is None or tokens is None or usd is None:
                tx.emit("StepCompleted", ctx.act.key, data)
                return None
            usage = result["usage"]
            data |= {"hold": hold_id, "tokens": tokens, "cost_usd": str(usd), "usage": usage}
            if result["finish_reason"] == CUT:
                data["cut"] = True
            hold = tx.ledger.holds.get(hold_id)
            crossed = tx.ledger.settle(hold_id, tokens, usd)
            tx.emit("StepCompleted", ctx.act.key, data)
            announce_thresholds(tx, crossed)
            row = None if hold is None else tx.ledger.over(hold, tokens, usd)
            if row is None:
                return None
            detail = Refusal(row, 0, Decimal(0)).detail()
            return BudgetStop(
                BREACH_CODES[row.level], breach_message(row, 0, Decimal(0)), detail=detail
            )

        stop = await ctx.runner.transact_outcome(ctx, record)
        if stop is not None:
            raise stop


def _judged(tx: Transition, key: str, attempt: int, path: str) -> bool:
    """Return whether the step's outcome is already recorded: presumed, or known from elsewhere."""
    act = tx.state.activations.get(key)
    step = None if act is None else act.steps.get((attempt, path))
    return step is None or step.status != "intended"
