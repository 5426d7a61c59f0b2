"""What is written down of an outside call: its intent and what is held, its outcome, its doubt.

The intent is durable before anything is sent. The outcome is recorded whatever became of the
lease: money and facts are not fenced. An intent without outcome is what a takeover judges by the
call's effect class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from engine.core.budgets.ledger import Hold, Refusal
from engine.core.budgets.money import usd_text
from engine.core.decide.endings import fail_step
from engine.core.decide.exits.sizes import is_too_large, too_large
from engine.core.decide.holds import held_on
from engine.core.decide.in_doubt import open_doubt
from engine.core.effects import EffectClass
from engine.core.errors import NodeError, OutcomeUnknown, ProviderFault, Suspended
from engine.core.state.event_types.steps import StepIntended
from engine.core.state.events import error_data
from engine.core.state.run_state import Step
from engine.core.state.sent import doubt_of, kept_failure
from engine.core.values.json import FrozenDict, fingerprint, freeze
from engine.integrations.models.chat import ChatRequest, ToolOffer
from engine.runtime.stores.call_outcome import CallOutcome

if TYPE_CHECKING:
    from engine.core.decide.transition import Transition
    from engine.runtime.execution.held import Held
    from engine.runtime.host import RunHost

LOG_PAGE = 1_000
DOUBTFUL = frozenset({EffectClass.UNSAFE, EffectClass.PROBE})


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


class AnsweredMeanwhile(Exception):
    """The call that was about to be made again has its result: who sent it before told it late."""

    def __init__(self, result: Any) -> None:
        super().__init__("the call was answered meanwhile")
        self.result = result


class CallLog:
    """Records the calls of one activation."""

    __slots__ = ("_ctx", "_host", "_sent")

    def __init__(self, host: RunHost, ctx: Held) -> None:
        self._host = host
        self._ctx = ctx
        self._sent: dict[str, int] = {}
        """By path, the place in the log of the intent of a call that this execution sent."""

    async def as_shown(self, path: str, request: ChatRequest) -> ChatRequest:
        """Return a request with the tools that it showed when this attempt made it first.

        What a tool is may change while people think: that makes it no other request.
        """
        ctx = self._ctx
        step = ctx.act.steps.get((ctx.attempt, path))
        if step is None or step.hash == fingerprint(freeze(request.to_json())):
            return request
        seq = 0
        while page := await self._host.store.events(ctx.run_id, seq, LOG_PAGE):
            seq = page[-1].seq
            for event in page:
                if event.type != "StepIntended" or event.key != ctx.act.key:
                    continue
                if (event.data["attempt"], event.data["path"]) == (ctx.attempt, path):
                    shown = event.data["request"].get("tools", ())
                    return replace(request, tools=tuple(ToolOffer(**each) for each in shown))
        return request

    async def intend(
        self, intent: Intent, tokens: int, usd: Decimal | None
    ) -> tuple[str, Refusal | None]:
        """Record the intent durably, its hold included; return why the hold did not fit.

        Raises `AnsweredMeanwhile`: while one waits for a turn, money or people the call of a former
        owner of the run may come to its end.
        """
        ctx = self._ctx
        act = ctx.act
        open_step = act.steps.get((ctx.attempt, intent.path))
        if open_step is not None and open_step.effect in DOUBTFUL:
            await self.park(intent, "the call was sent before a restart")
        hold_id = f"{ctx.run_id}:{act.key}:{ctx.attempt}:{intent.path}#{act.epoch}"

        def intend(tx: Transition) -> Refusal | None:
            self._check_open(intent.path)
            if is_too_large(tx.state) and act.undoes is None:
                raise too_large(tx.state)
            refs = [] if usd is None else held_on(tx, act.key)
            if open_step is not None and open_step.status == "intended" and open_step.hold:
                lost = "lost in a crash"
                fail_step(
                    tx, act.key, ctx.attempt, intent.path, hold_id=open_step.hold, message=lost
                )
            data: StepIntended = {
                "path": intent.path,
                "attempt": ctx.attempt,
                "kind": intent.kind,
                "effect_class": intent.effect.value,
                "request_hash": intent.hash,
                "request": intent.request,
            }
            data |= intent.described  # type: ignore[typeddict-item]
            if usd is not None:
                ids = tuple(ref.id for ref in refs)
                refusal = tx.ledger.reserve(
                    Hold(hold_id, ctx.run_id, act.key, ids, tokens, usd), refs
                )
                if refusal is not None:
                    return refusal
                data["hold"] = {
                    "id": hold_id,
                    "tokens": tokens,
                    "usd": usd_text(usd),
                    "budgets": ids,
                }
            self._sent[intent.path] = tx.emit("StepIntended", act.key, data).seq
            return None

        return hold_id, await self._host.transact_held(ctx, intend, flush=True)

    async def park(self, intent: Intent, why: str, sent: Step | None = None) -> None:
        """Leave it to a person whether the call of this attempt, or of `sent`, happened."""
        ctx = self._ctx
        attempt, path = (ctx.attempt, intent.path) if sent is None else (sent.attempt, sent.path)

        def park(tx: Transition) -> None:
            self._check_open(intent.path)
            step = sent or ctx.act.steps[(attempt, path)]
            detail = doubt_of(ctx.run_id, ctx.act.key, step, why)
            open_doubt(tx, ctx.act, "unknown_outcome", path, detail)

        await self._host.transact_held(ctx, park, flush=True)
        raise Suspended

    def _check_open(self, path: str) -> None:
        step = self._ctx.act.steps.get((self._ctx.attempt, path))
        if step is not None and step.status == "done":
            raise AnsweredMeanwhile(step.result)

    async def failed(
        self,
        intent: Intent,
        error: NodeError,
        hold_id: str | None,
        *,
        presumed: bool = False,
        charge: tuple[int, Decimal] | None = None,
    ) -> None:
        """Record a failed call; its hold is given back, or settled with what it cost anyway."""
        said = error_data(error)
        kept: Mapping[str, Any] = kept_failure(error, said)
        if presumed and hold_id is not None:
            code = error.code if isinstance(error, ProviderFault) else "OutcomeUnknown"
            kept = {"code": code, "message": str(error)}
        tokens, usd = charge or (0, None)
        unknown = presumed and hold_id is not None
        outcome = self._outcome(
            intent, "unknown" if unknown else "failed", hold_id, tokens=tokens, usd=usd, error=kept
        )
        await self._host.transact_outcome(self._ctx, outcome)

    async def done(
        self,
        intent: Intent,
        result: Any,
        hold_id: str | None,
        tokens: int | None,
        usd: Decimal | None,
    ) -> None:
        """Record the outcome; raise `BudgetStop` if what it cost passed a cap after all."""
        outcome = self._outcome(intent, "done", hold_id, tokens=tokens or 0, usd=usd, result=result)
        stop = await self._host.transact_outcome(self._ctx, outcome)
        if stop is not None:
            raise stop

    def _outcome(
        self,
        intent: Intent,
        kind: Literal["done", "failed", "unknown"],
        hold: str | None,
        **said: Any,
    ) -> CallOutcome:
        ctx, seq = self._ctx, self._sent[intent.path]
        place = (ctx.act.key, ctx.attempt, intent.path, seq)
        return CallOutcome(*place, kind, intent.described, hold=hold, **said)


def still_unknown(error: NodeError) -> OutcomeUnknown:
    """Return the error of a call that was sent before, and failed as it was sent again."""
    unknown = OutcomeUnknown(f"it was sent before, and then: {error}", detail=error.detail)
    unknown.retry_after_ms = error.retry_after_ms
    unknown.reported = error.reported
    return unknown
