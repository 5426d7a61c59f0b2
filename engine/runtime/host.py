"""What the parts of the runtime need of the runner, as Protocols: none of them takes it whole."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Protocol, TypeVar

from engine.core.decide.scheduler import Advance, Claim, Env
from engine.core.decide.transition import Transition
from engine.core.ports import Clock, Entropy, Feed, GraphSource
from engine.core.state.program import Program
from engine.core.state.requests import StartRun
from engine.core.state.run_state import RunState
from engine.integrations.models.chat import Models
from engine.integrations.tools.protocol import Tools
from engine.runtime.services import Services
from engine.runtime.stores.buffered import BufferedStore
from engine.runtime.under_way import CallsUnderWay

T = TypeVar("T")


class Inbox(Protocol):
    """What moving whole runs needs of the mailbox."""

    async def before(self, run_id: str, fn: Callable[[Transition], object]) -> None:
        """Apply what waits of one run and then `fn`, in one transition. Raises `StoreError`."""
        ...

    async def scan(self) -> None:
        """Apply what the bell missed, of ended runs too."""
        ...


class Waiting(Protocol):
    """What moving whole runs needs of the places."""

    async def look(self) -> None:
        """Give free places to those who wait, and let those of this process go on. Raises `StoreError`."""
        ...


class Lease(Protocol):
    """Who asks: the claim of one activation of a run."""

    @property
    def run_id(self) -> str: ...

    @property
    def claim(self) -> Claim: ...


class RunHost(Protocol):
    """What executing one activation needs."""

    @property
    def store(self) -> BufferedStore: ...

    @property
    def services(self) -> Services: ...

    @property
    def clock(self) -> Clock: ...

    @property
    def entropy(self) -> Entropy: ...

    @property
    def feed(self) -> Feed: ...

    @property
    def graphs(self) -> GraphSource: ...

    @property
    def models(self) -> Models: ...

    @property
    def under_way(self) -> CallsUnderWay: ...

    @property
    def tools(self) -> Tools: ...

    def state_of(self, run_id: str) -> RunState:
        """Return the warm state of a run that is being executed. Raises `Cancelled` if it is gone."""
        ...

    def step(
        self,
        run_id: str,
        cause: str | None,
        fn: Callable[[Transition], object],
        *,
        flush: bool = False,
    ) -> Coroutine[object, object, Claim | None]:
        """Apply `fn`, move the run on, and see to what follows; return a claim to go on with."""
        ...

    def transact_held(
        self, lease: Lease, fn: Callable[[Transition], T], *, flush: bool = False
    ) -> Awaitable[T]:
        """Apply `fn` under the activation's lease. Raises `Cancelled` if that is no longer held."""
        ...

    def transact_outcome(self, lease: Lease, fn: Callable[[Transition], T]) -> Awaitable[T]:
        """Record a fact whatever became of the lease; a commit that fails does not lose it."""
        ...

    def ask_for_room(self, run_id: str, budget: str) -> None:
        """Note that a run is about to ask a person for more of a budget."""
        ...


class RunControl(RunHost, Protocol):
    """What moving whole runs needs: recovery, word between runs, second looks at budgets, forks."""

    @property
    def env(self) -> Env: ...

    @property
    def closed(self) -> bool: ...

    def start(self, start: StartRun, program: Program) -> Awaitable[str]:
        """Start a run and return its id; it is durable then."""
        ...

    def cancel(self, run_id: str, by: str, reason: str = "cancelled") -> Awaitable[None]:
        """Cancel a run; one that is over stays as it is. Raises `RunNotFound`."""
        ...

    def take_over(self, run_id: str, *, crashed: bool = False) -> Awaitable[None]:
        """Claim again what nobody executes any more of one run, and move on."""
        ...

    def carry_out(
        self, run_id: str, fn: Callable[[Transition], object]
    ) -> Coroutine[object, object, None]:
        """Apply `fn`, move the run on; return when that is durable, with all that follows at once."""
        ...

    def follow(self, run_id: str, moved: Advance, *, hand_back: bool = False) -> Claim | None:
        """Execute claims, set the next wake-up, deliver signals, tell who waits."""
        ...

    @property
    def mailbox(self) -> Inbox:
        """What is asked of runs."""
        ...

    @property
    def places(self) -> Waiting:
        """Who waits for a place."""
        ...

    def executors_of(self, run_id: str) -> list[asyncio.Task[None]]:
        """Return the tasks that execute nodes of the run."""
        ...

    def is_watched(self, run_id: str) -> bool:
        """Return whether somebody here waits for the run to settle."""
        ...

    def deliver_signals(self) -> Awaitable[None]:
        """Deliver what runs have to say to each other."""
        ...

    def recheck_budgets(self) -> Awaitable[int]:
        """Let every run look again that asks for more of a budget; return how many go on."""
        ...

    def in_background(self, coroutine: Coroutine[object, object, object]) -> None:
        """Do something beside everything else; closing cancels it."""
        ...

    def later(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        """Do `work` a little later, unless the runner is closed by then."""
        ...
