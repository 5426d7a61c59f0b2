"""The runner: claims what the scheduler offers, executes node code, records how it ended.

One asynchronous runner drives all runs of a process on one loop. It keeps nothing that recovery
needs: whatever is lost with it is derived again from the log.
"""

from __future__ import annotations

import asyncio
import hmac
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from engine.core.decide.begin.moves import moved
from engine.core.decide.begin.places import wait_for_place
from engine.core.decide.begin.takeover import take_over
from engine.core.decide.scheduler import Advance, Claim, Env, advance, fire_timers
from engine.core.decide.start import begin_run, require_memory
from engine.core.decide.transition import Transition
from engine.core.errors import (
    Cancelled,
    ControlFlow,
    RequestRefused,
    RunNotFound,
    StoreError,
)
from engine.core.ports import Clock, Entropy, Feed, GraphSource
from engine.core.state.deadlines import next_wake
from engine.core.state.program import Program
from engine.core.state.requests import Actor, Answer, StartRun, resume_token
from engine.core.state.run_state import RunState
from engine.integrations.models.chat import Models
from engine.integrations.tools.protocol import Tools
from engine.runtime.execution.undo_executor import execution_of
from engine.runtime.forks.service import Forks
from engine.runtime.host import Lease
from engine.runtime.mailbox.box import Mailbox
from engine.runtime.mailbox.verbs import answering, cancelling
from engine.runtime.places import Places
from engine.runtime.rechecks.budget_rechecks import BudgetRechecks
from engine.runtime.recovery.service import MAX_REGAIN_SECONDS, Recovery
from engine.runtime.recovery.stops import Stopped
from engine.runtime.run_signals import Signals
from engine.runtime.services import Services
from engine.runtime.stores.buffered import BufferedStore
from engine.runtime.under_way import CallsUnderWay, end_of

T = TypeVar("T")


class Runner:
    """Drives runs. All methods are called on one event loop."""

    def __init__(self, store: BufferedStore, services: Services) -> None:
        self.store = store
        self.services = services
        self.clock: Clock = services.clock
        self.entropy: Entropy = services.entropy
        self.feed: Feed = services.feed
        self.graphs: GraphSource = services.graphs
        self.models: Models = services.models
        self.tools: Tools = services.tools
        self.env = Env(
            jitter=services.entropy.random,
            stopwatch=services.stopwatch,
            worker=services.worker,
            limited=services.places.limited,
        )
        self.signals = Signals(self)
        self.forks = Forks(self)
        self.under_way = CallsUnderWay()
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._wakes: dict[str, tuple[int, asyncio.TimerHandle]] = {}
        self._background: set[asyncio.Task[Any]] = set()
        self._waiters: dict[str, list[asyncio.Future[None]]] = {}
        self._watched: Counter[str] = Counter()
        self.closed = False
        self.recovery = Recovery(self)
        self.rechecks = BudgetRechecks(self)
        self.mailbox = Mailbox(self)
        self.places = Places(self)
        store.on_moved = self.places.free
        store.on_told = self.mailbox.told
        self.ask_for_room = self.rechecks.ask
        store.on_room = self.rechecks.room
        store.on_lost = self.recovery.lost
        store.on_signals = self._deliver

    async def start(self, start: StartRun, program: Program) -> str:
        """Start a run and return its id; it is durable then. Raises `RequestRefused`, `RunExists`."""

        def begin(tx: Transition) -> Advance:
            begin_run(tx, start, program.spec)
            require_memory(tx, self.services.memory)
            wait_for_place(tx, self.env.limited)
            return advance(tx, self.env)

        self.follow(start.run_id, await self.store.create(start, program, begin))
        return start.run_id

    async def answer(
        self, request_id: str, answer: Answer, actor: Actor, *, run_id: str | None = None
    ) -> dict[str, Any]:
        """Let an answer count, once; return the recorded decision. Raises `RequestRefused`.

        Its `outcome` is `open` where an approval waits for more people. The store is asked for the
        run of the request where the caller does not say it.
        """
        run_id = run_id or await self.store.run_of_request(request_id)
        if run_id is None or not self.is_token(request_id, answer.token):
            raise RequestRefused(
                "InterruptNotFound", "no such request, or the token is not its own"
            )
        return await self.mailbox.apply(run_id, answering(run_id, request_id, answer, actor))

    def is_token(self, request_id: str, given: str) -> bool:
        """Return whether this is the interrupt's token; how long it takes says nothing of it."""
        return hmac.compare_digest(self.token(request_id).encode(), given.encode())

    def token(self, request_id: str) -> str:
        """Return the token that answers an interrupt, for someone entitled to it."""
        return resume_token(self.services.secret, request_id)

    async def cancel(self, run_id: str, by: str, reason: str = "cancelled") -> None:
        """Cancel a run; one that is over stays as it is. Raises `RunNotFound`."""
        await self.mailbox.apply(run_id, cancelling(by, reason))

    async def retry(
        self, run_id: str, by: str, *, resend: bool = False, key: str | None = None
    ) -> str:
        """Start a new run at the node that ended `run_id`; return its id: see `engine.runtime.forks.service`."""
        return await self.forks.retry(run_id, by, resend=resend, key=key)

    async def reset_breaker(self, breaker_id: str) -> bool:
        """Close a circuit breaker by an operator's word; return whether there is such a one."""
        return await self.store.reset_breaker(breaker_id) is not None

    async def deliver_signals(self) -> None:
        """Deliver what runs have to say to each other."""
        await self.signals.deliver_all()

    async def recheck_budgets(self) -> int:
        """Let every run look again that asks for more of a budget; return how many go on."""
        return await self.rechecks.look()

    def _deliver(self) -> None:
        if not self.closed:
            self.in_background(self.deliver_signals())

    async def _release_when_settled(self, run_id: str) -> None:
        """Drop a run from memory once its end is durable and nobody is about to look at it."""
        await self.store.flush(run_id)
        state = self.store.peek(run_id)
        if state is not None and state.terminal and not self._watched[run_id]:
            del self._watched[run_id]
            self.store.release(run_id)

    def later(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do `work` a little later, unless the runner is closed by then."""

        async def wait() -> None:
            await self.clock.sleep(MAX_REGAIN_SECONDS)
            if not self.closed:
                await work()

        self.in_background(wait())

    async def take_over(self, run_id: str, *, crashed: bool = False) -> None:
        """Claim again what nobody executes any more of one run, and move on.

        What was asked of it comes first, in the same transition.
        `crashed` says that a process died of it, perhaps; see `begin.takeover`.
        """
        await self.mailbox.before(run_id, lambda tx: take_over(tx, self.env, crashed=crashed))

    async def recover(self, *, crashed: bool = True) -> int:
        """Take over every unfinished run after a restart; return how many there were.

        `crashed` is false where the former process is known to have stopped in good order.
        """
        return await self.recovery.recover(crashed=crashed)

    def executors_of(self, run_id: str) -> list[asyncio.Task[None]]:
        """Return the tasks that execute nodes of the run."""
        return [task for (owner, _key), task in self._tasks.items() if owner == run_id]

    def is_watched(self, run_id: str) -> bool:
        """Return whether somebody here waits for the run to settle."""
        return bool(self._watched[run_id])

    async def settled(self, run_id: str) -> RunState:
        """Return the state once the run is over or nothing moves without a person."""
        while True:
            state = await self.store.warm(run_id)
            if state.terminal or (state.is_idle and not self._sleeping(state)):
                await self._release_when_settled(run_id)
                return state
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.setdefault(run_id, []).append(future)
            self._watched[run_id] += 1
            try:
                await future
            finally:
                self._watched[run_id] -= 1

    async def quiet(self) -> None:
        """Return once no word between runs is under way."""
        while pending := self._background - {asyncio.current_task()}:
            await asyncio.wait(pending)

    @staticmethod
    def _sleeping(state: RunState) -> bool:
        return any(name.startswith(("sleep:", "retry:", "timeout:")) for name in state.timers)

    async def close(self) -> None:
        """Stop executing; what was not flushed is lost, as in a crash that takes everything."""
        self.closed = True
        self.mailbox.close()
        for _at, handle in self._wakes.values():
            handle.cancel()
        tasks = [*self._tasks.values(), *self._background]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def state_of(self, run_id: str) -> RunState:
        """Return the warm state of a run that is being executed. Raises `Cancelled` if it is gone."""
        state = self.store.peek(run_id)
        if state is None:
            raise Cancelled
        return state

    async def transact_held(
        self, lease: Lease, fn: Callable[[Transition], T], *, flush: bool = False
    ) -> T:
        """Apply `fn` under the activation's lease. Raises `Cancelled` if that is no longer held."""
        key, epoch = lease.claim.key, lease.claim.epoch

        def held(tx: Transition) -> T:
            act = tx.state.activations.get(key)
            if act is None or act.epoch != epoch:
                raise Cancelled
            if tx.state.ending is not None and act.undoes is None:
                raise Cancelled
            return fn(tx)

        self._refuse_closed()
        return await self.store.transact(lease.run_id, None, held, flush=flush)

    async def transact_outcome(self, lease: Lease, fn: Callable[[Transition], T]) -> T:
        """Record a fact whatever became of the lease."""
        self._refuse_closed(is_outcome=True)
        return await self.store.record(lease.run_id, fn)

    def _refuse_closed(self, *, is_outcome: bool = False) -> None:
        if self.closed or (self.under_way.are_last and not is_outcome):
            raise Cancelled

    async def step(
        self,
        run_id: str,
        cause: str | None,
        fn: Callable[[Transition], object],
        *,
        flush: bool = False,
    ) -> Claim | None:
        """Apply `fn`, move the run on, and see to what follows.

        Returns one claim for the caller to execute itself where `flush` is False.
        """
        self._refuse_closed()
        onward = await self.store.transact(
            run_id, cause, lambda tx: moved(tx, self.env, fn), flush=flush
        )
        return self.follow(run_id, onward, hand_back=not flush)

    async def carry_out(self, run_id: str, fn: Callable[[Transition], object]) -> None:
        """Do the same for what is kept as a row; it is durable on return, with what follows at once."""
        self._refuse_closed()
        onward = await self.store.transact(
            run_id, None, lambda tx: moved(tx, self.env, fn), flush=False
        )
        landing = self.store.landing(run_id)
        self.follow(run_id, onward)
        await asyncio.sleep(0)  # executions that were just begun come first
        await landing()

    def follow(self, run_id: str, moved: Advance, *, hand_back: bool = False) -> Claim | None:
        """Execute claims, set the next wake-up, deliver signals, tell who waits."""
        claims = moved.claims
        own = None
        if hand_back and claims and (run_id, claims[0].key) not in self._tasks:
            own = claims.pop(0)
        for claim in claims:
            self._spawn(run_id, claim)
        state = self.store.peek(run_id)
        if state is None:
            return own
        if moved.more:
            self.in_background(self.step(run_id, None, _nothing, flush=True))
        if state.terminal:
            self.in_background(self._release_when_settled(run_id))
        self._end_orphans(run_id, state)
        self._set_wake(run_id, state)
        waiters = self._waiters.get(run_id)
        if waiters and state.is_idle:
            for future in self._waiters.pop(run_id):
                if not future.done():
                    future.set_result(None)
        return own

    def _spawn(self, run_id: str, claim: Claim) -> None:
        key = (run_id, claim.key)
        before = self._tasks.get(key)
        task = asyncio.ensure_future(self._execute(run_id, claim, before))
        task.add_done_callback(self._background_done)
        self._tasks[key] = task

    async def _execute(
        self, run_id: str, claim: Claim | None, before: asyncio.Task[None] | None
    ) -> None:
        """Execute a claim, and those that follow from it, one after the other."""
        task = asyncio.current_task()
        assert task is not None
        while claim is not None:
            held, key = claim, (run_id, claim.key)
            try:
                if before is not None:
                    await self.under_way.see_through(run_id, task, end_of(before))
                    before = None
                claim = await execution_of(self, run_id, held).run(task)
            except (Cancelled, RunNotFound):
                claim = None
            except Exception as error:  # no run stays without its executor
                raise Stopped(run_id, held) from error
            finally:
                if self._tasks.get(key) is task:
                    del self._tasks[key]
            if claim is not None:
                self._tasks[run_id, claim.key] = task

    def _end_orphans(self, run_id: str, state: RunState) -> None:
        """Stop executors whose activation is no longer theirs."""
        if state.ending is None and not state.terminal:
            return
        current = asyncio.current_task()
        for (owner, key), task in list(self._tasks.items()):
            if owner == run_id and key not in state.activations and task is not current:
                task.cancel()

    def _set_wake(self, run_id: str, state: RunState) -> None:
        at = None if state.terminal else next_wake(state)
        old = self._wakes.get(run_id)
        if old is not None:
            if old[0] == at:
                return
            old[1].cancel()
            del self._wakes[run_id]
        if at is None:
            return
        delay = max(at - self.clock.now(), 0) / 1000
        handle = asyncio.get_running_loop().call_later(delay, self._wake, run_id)
        self._wakes[run_id] = (at, handle)

    def _wake(self, run_id: str) -> None:
        self._wakes.pop(run_id, None)
        if not self.closed:
            self.in_background(self.wake(run_id))

    async def wake(self, run_id: str) -> None:
        """Fire what is due of a run now, after what was asked of it."""
        try:
            await self.mailbox.look(run_id)
        except StoreError:
            if self.store.peek(run_id) is not None:
                self.later(lambda: self.wake(run_id))
            raise
        await self.step(run_id, None, lambda tx: fire_timers(tx, self.env), flush=True)

    def in_background(self, coroutine: Coroutine[object, object, object]) -> None:
        """Do something beside everything else; `close` cancels it."""
        task = asyncio.ensure_future(coroutine)
        self._background.add(task)
        task.add_done_callback(self._background_done)

    def _background_done(self, task: asyncio.Task[Any]) -> None:
        self._background.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, Stopped):
            self.recovery.stopped(error)
        elif error is not None and not isinstance(error, ControlFlow | StoreError):
            self.services.report(error)


def _nothing(_tx: Transition) -> None:
    return None
