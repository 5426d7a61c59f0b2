"""Outside calls of one activation: intent → send → outcome, with money held in between.

`CallLog` writes the intent before anything is sent, and the outcome after it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from engine.core.effects import MADE_ONCE, EffectClass, idempotency_key
from engine.core.errors import (
    UNDECIDED,
    NodeError,
    OutcomeUnknown,
    ProviderError,
    RunElsewhere,
    ToolFailed,
)
from engine.core.node_types.conversation import Usage
from engine.core.people.content_binding import drifted_approval, reapproval_request
from engine.core.state.run_state import Step
from engine.core.state.sent import failure_again
from engine.core.values.json import EMPTY, FrozenDict, InvalidJson, digest, fingerprint, freeze
from engine.integrations.models.chat import (
    CallOrigin,
    ChatModel,
    ChatRequest,
    ChatResponse,
    billed_as,
)
from engine.integrations.models.heard import Heard
from engine.integrations.tools.gone import GoneTool
from engine.integrations.tools.protocol import Tool, ToolSpec
from engine.runtime.execution.call_log import (
    DOUBTFUL,
    AnsweredMeanwhile,
    CallLog,
    Intent,
    still_unknown,
)
from engine.runtime.execution.waits import Settlements, Waits
from engine.runtime.system import in_turn

if TYPE_CHECKING:
    from engine.runtime.execution.held import Held
    from engine.runtime.host import RunHost

T = TypeVar("T")

UNREPEATABLE = DOUBTFUL | {EffectClass.KEYED}
GATEWAY_ERRORS = frozenset({502, 504})
"""A gateway's word that it lost the other side: nobody knows whether the call arrived."""

KEYED_RESENDS = 3
RESEND_SECONDS = 0.2
"""A keyed call of unknown outcome is sent again under the same key, after 0.2, 0.4 and 0.8 s."""

FLAT_HOLD_USD = Decimal("0.50")
"""Held per call of a model without price where the workspace chose `unknown_price: flat`."""


class Calls:
    """The effectful half of a node context."""

    __slots__ = ("_ctx", "_host", "_log")

    def __init__(self, host: RunHost, ctx: Held) -> None:
        self._host = host
        self._ctx = ctx
        self._log = CallLog(host, ctx)

    def key(self, path: str, sent: Step | None = None) -> str:
        """Return the idempotency key of the call at `path`; `sent` is an earlier try of it."""
        ctx = self._ctx
        attempt, path = (ctx.attempt, path) if sent is None else (sent.attempt, sent.path)
        return idempotency_key(ctx.run_id, ctx.act.key, attempt, path)

    def origin(self, path: str, agent_id: str | None, sent: Step | None = None) -> CallOrigin:
        """Return in whose name the call at `path` is made."""
        ctx = self._ctx
        state = self._host.state_of(ctx.run_id)
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
        self,
        model: ChatModel,
        request: ChatRequest,
        agent_id: str | None,
        *,
        stream: bool,
        described: Mapping[str, Any] = EMPTY,
        last_resort: bool = False,
    ) -> ChatResponse:
        """Make one model call inside the budgets. Raises `ProviderError`, `BudgetStop`.

        `FallbackWanted` is raised where the node names a cheaper agent and this is not it yet
        (`last_resort`).
        """
        ctx = self._ctx
        path = ctx.path()
        request = await self._log.as_shown(path, request)
        plain = freeze(request.to_json())
        spent_on: dict[str, Any] = {"agent": agent_id, "model": billed_as(model, request)}
        if model.price() is None:
            spent_on["unpriced"] = True
        intent = Intent(
            path, "model", EffectClass.LLM, plain, fingerprint(plain), {**spent_on, **described}
        )
        recorded = self._recorded(intent)
        if recorded is not None:
            return ChatResponse.from_json(recorded.result)
        origin = self.origin(path, agent_id)
        turns, named = self._host.services.turns, str(spent_on["model"])
        async with in_turn(turns, origin.workspace_id, ctx.run_id, ctx.act.key, named) as turn:
            held = Settlements(self._host, ctx.run_id, turn)
            hold = self._hold_for(intent, model, request, origin, held, last_resort=last_resort)
            try:
                hold_id, worst, cost = await hold
            except AnsweredMeanwhile as known:
                return ChatResponse.from_json(known.result)
            if stream:
                self._host.feed.delta(ctx.run_id, ctx.act.key, "", reset=True)
            heard = self._heard(hold_id, worst, cost) if stream else None

            async def ask() -> ChatResponse:
                self._hold_the_lease()
                return await model.complete(request, origin, heard)

            return await self._see_through(self._answered(intent, ask, hold_id, cost, heard))

    def _heard(self, hold_id: str, worst: Usage, cost: Callable[[Usage], Decimal]) -> Heard:
        """Return what takes a streamed answer; its hold learns what that can have cost by now."""
        hold = self._host.store.ledger.holds[hold_id]
        heard = Heard(self._delta, lambda: hold.state == "held")

        def most() -> tuple[int, Decimal] | None:
            used = heard.most(worst)
            return None if used is None else (used.total, cost(used))

        hold.most = most
        return heard

    async def _answered(
        self,
        intent: Intent,
        ask: Callable[[], Awaitable[ChatResponse]],
        hold_id: str,
        cost: Callable[[Usage], Decimal],
        heard: Heard | None,
    ) -> ChatResponse:
        """Ask a model and record the outcome."""
        try:
            response = await ask()
        except ProviderError as error:
            if heard is not None:
                heard.void()
            presumed, used = error.sent and error.status is None, Usage.told_in(error.detail)
            charge = None if used is None else (used.total, cost(used))
            await self._log.failed(intent, error, hold_id, presumed=presumed, charge=charge)
            raise
        except NodeError as error:
            await self._log.failed(intent, error, hold_id)
            raise
        usd = cost(response.usage)
        await self._log.done(intent, freeze(response.to_json()), hold_id, response.usage.total, usd)
        return response

    def _see_through(self, call: Awaitable[T]) -> Awaitable[T]:
        """Make a call that records its outcome, even where the run is dropped meanwhile."""
        return self._host.under_way.see_through(self._ctx.run_id, self._ctx.task, call)

    def _hold_the_lease(self) -> None:
        """Refuse to send where somebody else may send the same by now. Raises `RunElsewhere`."""
        if not self._host.store.may_send():
            raise RunElsewhere(f"another worker may have run {self._ctx.run_id}")

    def _delta(self, text: str) -> None:
        self._host.feed.delta(self._ctx.run_id, self._ctx.act.key, text)

    def _unknown_price(self) -> str:
        """Return what the run's workspace does about a model without price."""
        return str(self._ctx.run.started.get("unknown_price") or "refuse")

    async def _hold_for(
        self,
        intent: Intent,
        model: ChatModel,
        request: ChatRequest,
        origin: CallOrigin,
        held: Settlements,
        *,
        last_resort: bool,
    ) -> tuple[str, Usage, Callable[[Usage], Decimal]]:
        """Record the intent with its worst case held on every level; settle breaches first."""
        price = model.price()
        unknown = self._unknown_price() if price is None else "allow"
        if price is None and unknown == "refuse":
            raise NodeError(
                "PriceUnknown",
                f"no price is known for {request.model!r}; add one, or let the workspace's "
                "unknown_price setting allow it",
            )
        flat = FLAT_HOLD_USD if unknown == "flat" else Decimal(0)
        waits = Waits(self._host, self._ctx)
        while True:
            worst = model.worst_case(request, origin)
            usd = flat if price is None else price.cost(worst)
            hold_id, refusal = await self._log.intend(intent, worst.total, usd)
            if refusal is None:
                return hold_id, worst, lambda used: flat if price is None else price.cost(used)
            if refusal.passing:
                await self._host.store.land(self._ctx.run_id)
            elif not await held.awaited(refusal):
                await waits.for_room(refusal, intent.path, last_resort=last_resort)

    def sent_tool(self, name: str, arguments: FrozenDict, why: NodeError) -> Tool:
        """Return what stands for a tool that is gone, where its call comes next and was sent.

        Raises `why` where nothing was.
        """
        source, _, bare = name.rpartition("/")
        for attempt in range(self._ctx.attempt, 0, -1):
            step = self._ctx.act.steps.get((attempt, self._ctx.coming))
            for each in (name, bare, f"{source}__{bare}"):
                if step is not None and step.hash == _tool_hash(each, arguments):
                    return GoneTool(ToolSpec(each, "", {}, step.effect), why)
        raise why

    def was_made(self, name: str, arguments: FrozenDict) -> bool:
        """Return whether the call that comes next is this one of a tool, and was sent before."""
        step = self._ctx.act.steps.get((self._ctx.attempt, self._ctx.coming))
        return step is not None and step.hash == _tool_hash(name, arguments)

    async def tool(self, tool: Tool, arguments: FrozenDict) -> Any:
        """Make one tool call. Raises `ToolFailed`; unknown outcomes park the activation."""
        spec = tool.spec
        described = {"tool": spec.name, "arguments": arguments}
        request = FrozenDict({"tool": spec.name, "arguments": arguments})

        async def call(path: str, sent: Step | None) -> Any:
            return await tool.call(arguments, self.origin(path, None, sent))

        return await self._effect("tool", request, spec.effect_class, call, described)

    async def effect(
        self,
        kind: str,
        request: object,
        effect: EffectClass | str,
        call: Callable[[str], Awaitable[Any]],
        described: dict[str, Any],
    ) -> Any:
        """Make one outside call of a kind of its own, journaled like a tool call.

        Raises `NodeError` `NodeConfigInvalid` for an effect class that there is not.
        """
        try:
            named = EffectClass.named(effect)
        except ValueError as error:
            raise NodeError("NodeConfigInvalid", f"ctx.perform: {error}") from None

        async def keyed(path: str, sent: Step | None) -> Any:
            return await call(self.key(path, sent))

        return await self._effect(kind, request, named, keyed, described)

    async def _effect(
        self,
        kind: str,
        request: Any,
        effect: EffectClass,
        call: Callable[[str, Step | None], Awaitable[Any]],
        described: dict[str, Any],
    ) -> Any:
        ctx = self._ctx
        path = ctx.path()
        intent = Intent(path, kind, effect, request, fingerprint([kind, request]), described)
        recorded = self._recorded(intent)
        if recorded is not None:
            return recorded.result
        if effect in MADE_ONCE:
            await self._bind_content(intent)
        sent = ctx.journal.sent_before(path, intent.hash)
        unsure = (ctx.attempt, path) in ctx.act.steps
        try:
            if sent is not None and effect in DOUBTFUL:
                await self._log.park(intent, "the call was sent in an earlier attempt", sent)
            await self._log.intend(intent, 0, None)
            return await self._see_through(self._carried_out(intent, call, sent, unsure=unsure))
        except AnsweredMeanwhile as known:
            return known.result

    async def _carried_out(
        self,
        intent: Intent,
        call: Callable[[str, Step | None], Awaitable[Any]],
        sent: Step | None,
        *,
        unsure: bool,
    ) -> Any:
        """Make a call that is no model's and record the outcome; `unsure`: it was sent before."""
        kind, effect = intent.kind, intent.effect
        try:
            result = freeze(await self._send(intent, call, sent, unsure=unsure))
        except _Doubtful as doubt:
            await self._log.park(intent, str(doubt))
        except RunElsewhere:
            raise
        except NodeError as error:
            if effect in DOUBTFUL and error.detail.get("status") in GATEWAY_ERRORS:
                await self._log.park(intent, str(error))
            await self._log.failed(intent, error, None)
            raise
        except InvalidJson as error:
            failure = ToolFailed(f"the result of {kind} is no JSON: {error}")
            await self._log.failed(intent, failure, None)
            raise failure from error
        except Exception as error:  # foreign code made the call: whatever it raises is its report
            failure = ToolFailed(f"{type(error).__name__}: {error}")
            await self._log.failed(intent, failure, None)
            raise failure from error
        await self._log.done(intent, result, None, None, None)
        return result

    async def _send(
        self,
        intent: Intent,
        call: Callable[[str, Step | None], Awaitable[Any]],
        sent: Step | None,
        *,
        unsure: bool,
    ) -> Any:
        """Make the call; where its outcome is unknown, send again only what is safe to repeat.

        A refusal of what was sent before says nothing of that: its outcome stays unknown, so that
        the next attempt keeps the key.
        """
        for again in range(KEYED_RESENDS + 1):
            self._hold_the_lease()
            try:
                return await call(intent.path, sent)
            except OutcomeUnknown as error:
                if intent.effect is EffectClass.KEYED and again < KEYED_RESENDS:
                    await self._host.clock.sleep(RESEND_SECONDS * 2**again)
                    continue
                if intent.effect in UNREPEATABLE:
                    raise _Doubtful(str(error)) from error
                raise
            except NodeError as error:
                if intent.effect is EffectClass.KEYED and error.retryable and (unsure or again):
                    raise still_unknown(error) from error
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
        """Ask again where what an approval covered has changed since."""
        ctx = self._ctx
        asked: dict[str, int] = {}
        while True:
            state = self._host.state_of(ctx.run_id)
            approval = drifted_approval(state, ctx.act)
            if approval is None:
                return
            request, keys = reapproval_request(state, approval, intent.request)
            asked[approval] = asked.get(approval, -1) + 1  # a replay finds each answer again
            place = f"{intent.path}!{digest(approval)[:8]}.{asked[approval]}"
            resolution = await Waits(self._host, ctx).review(request, keys, approval, path=place)
            decision = resolution.get("decision")
            if decision != "approved":
                said = "the changed content was not approved"
                raise NodeError("ApprovalRejected", UNDECIDED if decision == "timed_out" else said)


def _tool_hash(name: str, arguments: FrozenDict) -> str:
    return fingerprint(["tool", FrozenDict({"tool": name, "arguments": arguments})])


class _Doubtful(Exception):
    """A call was sent that must not be sent again, and nobody knows what became of it."""
