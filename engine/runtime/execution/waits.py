"""Pauses of one activation: timers, questions, approvals, and the people who are asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.core.decide.holds import settle_refusal
from engine.core.decide.interrupts import content_hash, open_interrupt, reviewed_slice
from engine.core.effects import EffectClass
from engine.core.errors import NodeError, Suspended
from engine.core.people.asked_calls import AskedCall, call_hash
from engine.core.people.edits import reviewed_names
from engine.core.people.eligibility import asked_by
from engine.core.state.event_types.activations import NodeWaiting
from engine.core.state.event_types.waits import Asked, InterruptKind
from engine.core.values.json import EMPTY, FrozenDict, digest, freeze

if TYPE_CHECKING:
    from engine.core.budgets.ledger import Refusal
    from engine.core.decide.transition import Transition
    from engine.core.state.requests import Actor
    from engine.runtime.execution.held import Held
    from engine.runtime.host import RunHost
    from engine.runtime.system import Turn


PERIOD_PAUSE_SECONDS = 0.1
"""How long a call waits for its new period to begin where the clock was put back over its start."""


HELD_FIRST_SECONDS = 0.05
HELD_LONGEST_SECONDS = 1.0
"""How soon a call that only others' holds leave no room for is tried again: 0.05 s, doubled to 1 s."""
HELD_TOLD_TRIES = 5
"""After so many tries, 1.5 s, it is told that the call waits."""
HELD_PATIENCE_MS = 900_000
"""How long such a call waits at most: longer than a model is given to answer."""


class InterruptEnded(NodeError):
    """A question's deadline passed, or an approval was turned down; `group` names its edges.

    `results` are kept in memory where such an edge leads on.
    """

    def __init__(
        self, code: str, message: str, group: str, results: Mapping[str, Any] = EMPTY
    ) -> None:
        super().__init__(code, message)
        self.group = group
        self.results = results


class Settlements:
    """How a call waits for others under way to give back what they hold and do not need.

    A hold is a call's worst case; what it cost is known soon, and mostly far less.
    """

    __slots__ = ("_host", "_run_id", "_since", "_tries", "_turn")

    def __init__(self, host: RunHost, run_id: str, turn: Turn) -> None:
        self._host, self._run_id, self._turn = host, run_id, turn
        self._since = host.clock.now()
        self._tries = 0

    async def awaited(self, refusal: Refusal) -> bool:
        """Wait a while; False where that would not help, or has not for the longest time.

        Who waits for more than a moment lets others have its turn, and it is told what it waits
        for. Raises `StoreError`.
        """
        clock = self._host.clock
        if not refusal.by_calls_under_way or clock.now() - self._since > HELD_PATIENCE_MS:
            return False
        await self._host.store.land(self._run_id)
        pause = min(HELD_FIRST_SECONDS * 2 ** min(self._tries, 5), HELD_LONGEST_SECONDS)
        lends = self._tries >= HELD_TOLD_TRIES
        if lends:
            await self._turn.wait_for_money()
        await clock.sleep(pause)
        if lends:
            await self._turn.take()
        self._tries += 1
        return True


class Waits:
    """The waiting half of a node context."""

    __slots__ = ("_ctx", "_host")

    def __init__(self, host: RunHost, ctx: Held) -> None:
        self._host = host
        self._ctx = ctx

    async def sleep(self, duration_ms: int) -> None:
        """Suspend until the timer row fires."""
        ctx = self._ctx
        path = ctx.path()
        request_hash = digest(["sleep", duration_ms])
        step = ctx.journal.find(path, request_hash, EffectClass.PURE)
        if step is not None and step.status == "done":
            return
        if step is None:

            def wait(tx: Transition) -> None:
                left = self._time_left(tx.now)
                data: NodeWaiting = {
                    "on": "timer",
                    "until": tx.now + duration_ms,
                    "path": path,
                    "request_hash": request_hash,
                }
                if left is not None and left < duration_ms:
                    data |= {"until": tx.now + left, "times_out": True}
                tx.emit("NodeWaiting", ctx.act.key, data)

            await self._host.transact_held(ctx, wait)
        raise Suspended

    def _time_left(self, now: int) -> int | None:
        """Return how much of the attempt's `timeout_ms` is left, None without one."""
        limit = self._ctx.plan.policy.timeout_ms
        act = self._ctx.act
        return None if limit is None else max(limit - act.active_ms - (now - act.active_since), 0)

    async def ask(self, request: FrozenDict, timeout_ms: int | None) -> Any:
        """Open a question, or return the answer it got."""
        result = await self.pause(request["kind"], request, timeout_ms)
        if result["outcome"] == "expired":
            raise InterruptEnded(
                "InterruptExpired", "nobody answered before the deadline", "timed_out"
            )
        return result["answer"]

    async def pause(
        self,
        kind: InterruptKind,
        request: FrozenDict,
        timeout_ms: int | None = None,
        path: str | None = None,
        identity: object = None,
    ) -> dict[str, Any]:
        """Open any kind of interrupt once; suspend until it is resolved; return its resolution.

        `identity` is what makes it the same request on a replay (default: the request).
        """
        ctx = self._ctx
        path = path or ctx.path()
        request_hash = digest(request if identity is None else identity)
        step = ctx.journal.find(path, request_hash, EffectClass.PURE)
        if step is not None and step.status == "done":
            result: dict[str, Any] = step.result
            return result
        if step is None:

            def ask(tx: Transition) -> None:
                open_interrupt(
                    tx,
                    ctx.act,
                    path,
                    kind,
                    request,
                    timeout_ms=timeout_ms,
                    asked={"request_hash": request_hash},
                )
                tx.emit("NodeWaiting", ctx.act.key, {"on": "interrupt", "path": path})

            await self._host.transact_held(ctx, ask, flush=True)
        raise Suspended

    async def decisions(self, asked: Sequence[tuple[str, AskedCall]]) -> list[dict[str, Any]]:
        """Ask about calls of an agent in one suspension; return what was decided, once all are.

        Each is opened once, at its path. A retry finds what an earlier attempt was told of the
        same call.
        """
        ctx = self._ctx
        steps = [ctx.journal.decision(path, call.request_hash) for path, call in asked]
        unasked = [each for each, step in zip(asked, steps, strict=True) if step is None]
        if unasked:
            await self._open_calls(unasked)
        if not all(step is not None and step.status == "done" for step in steps):
            raise Suspended
        return [step.result for step in steps if step is not None]

    async def _open_calls(self, asked: Sequence[tuple[str, AskedCall]]) -> None:
        """Open all of them in one transition, before anything waits."""
        ctx = self._ctx

        def ask(tx: Transition) -> None:
            for path, call in asked:
                said: Asked = {
                    "request_hash": call.request_hash,
                    "content_hash": call_hash(call.tool, call.definition, call.arguments),
                }
                said |= freeze(asked_by(tx.state, call.rule.policy, None))
                open_interrupt(
                    tx,
                    ctx.act,
                    path,
                    "approval",
                    call.request(ctx.act.node),
                    timeout_ms=call.rule.timeout_ms,
                    asked=said,
                )
            tx.emit("NodeWaiting", ctx.act.key, {"on": "interrupt", "path": asked[-1][0]})

        await self._host.transact_held(ctx, ask, flush=True)

    async def for_room(self, refusal: Refusal, path: str, *, last_resort: bool) -> None:
        """Do what the policy says about a hold that does not fit; return when it may fit.

        Raises `BudgetStop`, and `FallbackWanted` unless this is the fallback already. A question
        about a shared budget ends with its period: the next one has room of its own.
        """
        ctx, clock, row = self._ctx, self._host.clock, refusal.row
        wanted = settle_refusal(ctx.run, ctx.act.key, refusal, last_resort=last_resort)
        if wanted is None:
            return
        place = f"{path}${digest(wanted.identity)[:8]}"
        self._host.ask_for_room(ctx.run_id, row.id)
        left = None if row.ends_at is None else max(row.ends_at - clock.now(), 0)
        resolution = await self.pause("budget", wanted.request, left, place, wanted.identity)
        if resolution["outcome"] == "expired":
            await clock.sleep(PERIOD_PAUSE_SECONDS)
            return
        if resolution.get("decision") != "raise":
            raise refusal.stop()

    def _risk(self, data: FrozenDict) -> dict[str, float]:
        """Return how risky what is reviewed is, where the node says."""
        ctx = self._ctx
        names = reviewed_names(ctx.view, ctx.act.started_at, data, {})
        risk = ctx.plan.type.risk_of(ctx.plan.config, names)
        return {} if risk is None else {"risk": risk}

    async def review(
        self,
        request: Mapping[str, Any],
        review_keys: Sequence[str],
        approval: str | None = None,
        path: str | None = None,
    ) -> dict[str, Any]:
        """Open an approval over the slice as it is now; return the recorded resolution."""
        ctx = self._ctx
        path = path or ctx.path()
        request_hash = digest(["approval", {k: v for k, v in request.items() if k != "prompt"}])
        step = ctx.journal.find(path, request_hash, EffectClass.PURE)
        if step is not None and step.status == "done":
            result: dict[str, Any] = step.result
            return result
        if step is None:
            policy = request.get("policy") or {}
            members = (
                await members_of(self._host, ctx.run_id) if policy.get("rule") == "all" else None
            )

            def ask(tx: Transition) -> None:
                data = reviewed_slice(tx.state, review_keys, ctx.act.key)
                node = ctx.act.node
                shown = {**request, "kind": "approval", "node": node, "data": data}
                if approval is not None:
                    shown["approval"] = approval
                shown |= self._risk(data)
                asked: Asked = {
                    "request_hash": request_hash,
                    "content_hash": content_hash(tx.state, node, data),
                    "review_keys": list(review_keys),
                }
                asked |= freeze(asked_by(tx.state, policy, members))
                open_interrupt(
                    tx,
                    ctx.act,
                    path,
                    "approval",
                    freeze(shown),
                    timeout_ms=request.get("timeout_ms"),
                    asked=asked,
                )
                tx.emit("NodeWaiting", ctx.act.key, {"on": "interrupt", "path": path})

            await self._host.transact_held(ctx, ask, flush=True)
        raise Suspended


async def members_of(host: RunHost, run_id: str) -> Sequence[Actor] | None:
    """Return everyone in the run's workspace, None where nobody knows."""
    directory = host.services.directory
    if directory is None:
        return None
    state = await host.store.warm(run_id)
    return await directory.members(state.started.get("workspace_id"))
