"""One seeded schedule: the production runner, crashed and bothered, then judged."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable, Coroutine, Mapping, Sequence
from decimal import Decimal
from random import Random
from typing import Any

from engine.core.budgets.shared import SharedBudget, SharedBudgets
from engine.core.errors import StoreError
from engine.core.graph.document import GraphSpec
from engine.core.node_types.registry import Handlers
from engine.core.state.requests import CLI, StartRun
from engine.core.state.run_state import RunState
from engine.local import LocalGraphs
from engine.runtime.mailbox import wishes
from engine.runtime.runner import Runner
from engine.runtime.services import Services
from engine.runtime.stores.buffered import Batch, BufferedStore, RunExists
from engine.runtime.stores.memory import Medium, MemoryRunStore
from engine.runtime.system import TurnsForAll
from tests.simulation.asked import ASKED
from tests.simulation.boot import Boot, MakeStore
from tests.simulation.composites import BELOW, COMPOSITES
from tests.simulation.graphs import CHILD, GRAPHS
from tests.simulation.invariants import Checker, Violation
from tests.simulation.loop import Halted, VirtualLoop
from tests.simulation.money import Covered, rows_of_ledger
from tests.simulation.node_types import node_types
from tests.simulation.people import People
from tests.simulation.ports import SeededEntropy, VirtualClock, ask
from tests.simulation.trials import trial_of
from tests.simulation.world import SimFacts, SimModels, SimTools, World

FAULTY_SECONDS = 45.0
"""Virtual time during which faults happen."""

POOL = (*GRAPHS, *COMPOSITES)
LIMIT = Decimal("0.25")
"""What all runs of a schedule may spend together, in USD."""

PATIENCE_SECONDS = 1_500.0
"""Virtual time in which every run must end once faults have stopped."""


def shared_by_all(limit: Decimal) -> SharedBudgets:
    """Return the one budget that all runs of a schedule share."""
    return SharedBudgets([SharedBudget("w", None, None, "total", None, limit)])


def memory_stores(limit: Decimal = LIMIT) -> MakeStore:
    """Return a factory of stores over one medium, for the boots of one schedule."""
    medium = Medium()
    medium.ledger.shared = shared_by_all(limit)

    def make(boot: Boot) -> BufferedStore:
        boot.sim.medium = medium
        boot.sim.covered = lambda: rows_of_ledger(medium.ledger)
        boot.sim.unanswered = lambda: len(medium.posted.requests) - len(medium.posted.told)
        return MemoryRunStore(boot.clock, boot.graphs, None, medium)

    return make


class Simulation:
    """One schedule. `run` raises `Violation` if a promise was broken.

    With `crash_at` nothing goes wrong but one crash, at that point of all; 0 is none.
    """

    def __init__(
        self,
        seed: int,
        make_store: MakeStore | None = None,
        pool: Sequence[GraphSpec] = POOL,
        crash_at: int | None = None,
        limit: Decimal = LIMIT,
    ) -> None:
        self.seed = seed
        self.rng = Random(seed)
        self.violations: list[str] = []
        self.world = World(Random(seed + 1_000_000), self.violate)
        self.checker = Checker(self.world)
        self.checker.books.shared = ("workspace:w:total", limit, None)
        self.make_store = make_store or memory_stores(limit)
        self.medium: Medium | None = None
        self.covered: Callable[[], Mapping[str, Covered]] = dict
        self.unanswered: Callable[[], int] = lambda: 0
        self.boot: Boot | None = None
        self.graveyard: list[Boot] = []
        self.types = node_types(self.world)
        self.graphs = LocalGraphs([*POOL, ASKED, *BELOW, CHILD], self.types)
        self.crash_at_points = self.rng.choice((0.0, 0.01, 0.03))
        self.crash_at_steps = self.rng.choice((0.0, 0.0005, 0.002))
        self.accepted: dict[str, dict[str, Any]] = {}
        self.acknowledged: set[str] = set()
        self.cancelled: set[str] = set()
        self.runs = [f"r{n}" for n in range(self.rng.choice((1, 1, 2)))]
        self.plans = {run: self.rng.choice(pool) for run in self.runs}
        self.caps = {run: self.rng.choice((None, None, None, "0.02", "0.005")) for run in self.runs}
        self.crash_at = crash_at
        self.points = 0
        self.outside: set[Any] = set()
        if crash_at is not None:
            self.world.faults = False
            self.runs, self.caps = ["r0"], {"r0": None}
        self.boots = 0

    def violate(self, text: str) -> None:
        """Note a broken promise and stop at once."""
        self.violations.append(text)
        if self.boot is not None:
            self.boot.loop.halt()

    def crash(self, boot: Boot) -> None:
        """Kill the process: nothing of it runs any more, what was not flushed is gone."""
        boot.loop.halt()

    def run(self) -> None:
        """Play the schedule to its end. Raises `Violation`."""
        now, jumped = 0.0, 0
        while not self.violations:
            boot = self._start_boot(now, jumped)
            try:
                boot.loop.drive(self._main(boot))
                break
            except Halted:
                now, jumped = boot.loop.time() + self.rng.random() * 3, boot.clock.jumped_ms
                self.graveyard.append(boot)
        self._bury()
        if not self.violations:
            self._judge_end()
        if self.violations:
            raise Violation(f"seed {self.seed}: {self.violations[0]}")

    def _bury(self) -> None:
        """Close the coroutines of dead processes, so that nobody is warned of them later."""
        for boot in [*self.graveyard, *([self.boot] if self.boot else [])]:
            boot.loop.halt()
            for task in asyncio.all_tasks(boot.loop):
                with contextlib.suppress(BaseException):
                    task.get_coro().close()

    def _start_boot(self, now: float, jumped: int) -> Boot:
        self.boots += 1
        loop = VirtualLoop(Random(self.rng.random()), now)
        clock = VirtualClock(loop, jumped)
        boot = self.boot = Boot(self.boots, loop, clock, self.graphs, self)
        boot.store = self.make_store(boot)
        self._watch(boot)
        boot.runner = Runner(boot.store, self._services(boot))
        loop.before_step = self._before_step
        return boot

    def _services(self, boot: Boot) -> Services:
        ticks = itertools.count()
        handlers: Any = Handlers()
        return Services(
            models=SimModels(self.world, boot),
            tools=SimTools(self.world, boot),
            graphs=self.graphs,
            handlers=handlers,
            secret=b"simulated",
            clock=boot.clock,
            turns=TurnsForAll(boot.clock),
            entropy=SeededEntropy(Random(self.rng.random()), boot.number),
            stopwatch=lambda: next(ticks) * 0.0005,
            report=self._reported,
            memory=SimFacts(self.world, boot),
        )

    def _reported(self, error: BaseException) -> None:
        """A run that could not be taken over is said and tried again; all else is a bug."""
        if not isinstance(error, StoreError):
            self.violate(f"engine bug: {error!r}")

    def is_the_moment(self) -> bool:
        """Count a place where the process may die; return whether it is the one to die at."""
        self.points += 1
        return self.points == self.crash_at

    def _before_step(self, task: Any) -> None:
        inside = isinstance(task, asyncio.Task) and task not in self.outside
        chosen = inside and self.is_the_moment()
        if (chosen or self.world.chance(self.crash_at_steps)) and self.boot is not None:
            self.crash(self.boot)

    def _watch(self, boot: Boot) -> None:
        """Stand at the door of durability: judge commits, and crash on either side of it."""
        persist = boot.store._persist

        async def watched(batch: Batch) -> None:
            state = batch.state
            await boot.point("commit")
            if self.world.chance(0.004):
                raise StoreError("the disk is full")
            await persist(batch)
            self._judge(boot, batch, state)
            await boot.point("committed")
            if self.world.chance(0.004):
                raise StoreError("the answer to the commit was lost")

        at_once = boot.store._persist_at_once

        def watched_at_once(batch: Batch) -> bool:
            state = batch.state
            if not at_once(batch):
                return False
            self._judge(boot, batch, state)
            return True

        boot.store._persist = watched  # type: ignore[method-assign]
        boot.store._persist_at_once = watched_at_once  # type: ignore[method-assign]

    def _judge(self, boot: Boot, batch: Batch, state: RunState) -> None:
        self.checker.commit(batch, boot.store.ledger)
        self.checker.warm(batch.run_id, state)
        if self.medium is not None:
            self.checker.limits(self.medium.ledger)
        self.checker.levels(self.covered())

    # --- what happens in one life of the process ------------------------------------------------

    async def _main(self, boot: Boot) -> None:
        await boot.runner.recover()
        for run in self.runs:
            if run not in self.acknowledged:
                await self._start(boot, run)
        self.outside.add(asyncio.current_task())
        others = [
            self._spawn(boot, People(self).live(boot)),
            self._spawn(boot, self._trouble(boot)),
        ]
        while boot.loop.time() < FAULTY_SECONDS and not self._all_over():
            await boot.clock.sleep(0.5)
        self.world.faults = False
        deadline = boot.loop.time() + PATIENCE_SECONDS
        while not self._all_over():
            if boot.loop.time() > deadline:
                self.violate(f"I8: stuck: {self._stuck()}")
            await boot.clock.sleep(5)
        for task in others:
            task.cancel()
        for _ in range(
            2
        ):  # one is spent where an asker was cancelled whose answer was in the buffer
            await boot.runner.mailbox.scan()
        await boot.runner.close()

    def _spawn(self, boot: Boot, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = boot.loop.create_task(coroutine)
        task.add_done_callback(self._failed)
        self.outside.add(task)
        return task

    def _failed(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None:
            self.violate(f"harness: {task.exception()!r}")

    async def _start(self, boot: Boot, run: str) -> None:
        """Start as a client does that repeats what was not acknowledged, at times twice at once."""
        spec = self.plans[run]
        cap = self.caps[run]
        budget = None if cap is None else Decimal(cap)
        more = {"trigger_key": run, "budget_usd": budget, **trial_of(self.seed, spec)}
        start = StartRun(run, spec.id, input={"n": 1}, **more)

        async def once() -> None:
            try:
                await boot.runner.start(start, self.graphs.program_of(spec))
            except RunExists:
                pass
            except StoreError:
                return
            self.acknowledged.add(run)

        while run not in self.acknowledged:
            await asyncio.gather(*(once() for _ in range(2 if self.world.chance(0.3) else 1)))

    def _all_over(self) -> bool:
        shadows = self.checker.shadows
        wanted = {*self.runs, *self.checker.announced}
        return (
            self.acknowledged >= set(self.runs)
            and wanted <= shadows.keys()
            and all(shadow.state.terminal for shadow in shadows.values())
        )

    def _stuck(self) -> str:
        return "; ".join(
            f"{s.run_id} {s.state.status} "
            + ", ".join(
                f"{a.key} {a.status} on {a.waiting_on}" for a in s.state.activations.values()
            )
            + f" timers {s.state.timers} open {list(s.state.interrupts)}"
            for s in self.checker.shadows.values()
            if not s.state.terminal
        )

    # --- trouble ----------------------------------------------------------------------------

    async def _trouble(self, boot: Boot) -> None:
        """Ring needlessly, move the clock, cancel, and take over what is not dead."""
        while True:
            await boot.clock.sleep(self.rng.random() * 12)
            if not self.world.faults:
                return
            run = self.rng.choice(self.runs)
            if run not in self.acknowledged:
                continue
            with contextlib.suppress(StoreError):
                await self._bother(boot, run)

    async def _bother(self, boot: Boot, run: str) -> None:
        what = self.rng.random()
        if what < 0.35:
            await boot.runner.wake(run)
        elif what < 0.5:
            boot.clock.jumped_ms += self.rng.choice((-40_000, 1_000, 30_000, 100_000))
        elif what < 0.55:
            await ask(boot, run, wishes.cancel(CLI.id, "cancelled"))
            self.cancelled.add(run)
        elif what < 0.75:
            await boot.runner.take_over(run)
        elif what < 0.85:
            await boot.runner.signals.deliver_all()
        elif what < 0.9:
            self.crash(boot)

    # --- the end ----------------------------------------------------------------------------

    def _judge_end(self) -> None:
        """I1 and I6 once everything is over: nothing held, nothing open, what people said stands."""
        from engine.core.state.fold.run import fold

        for shadow in self.checker.shadows.values():
            again = fold(shadow.state.program, shadow.log)
            again.run_id = shadow.run_id
            self.checker.warm(shadow.run_id, again)
        for run in self.runs:
            if run not in self.checker.shadows:
                self.violate(f"I1: run {run} was acknowledged and is lost")
        for request_id, record in self.accepted.items():
            data = next(
                s.resolved[request_id]
                for s in self.checker.shadows.values()
                if request_id in s.resolved
            )
            if data.get("by") != record.get("by") or data["outcome"] != record["outcome"]:
                self.violate(f"I7: {request_id} was accepted as {record}, the log has {data}")
        if left := self.unanswered():
            self.violate(f"I7: {left} requests were kept and never answered")
        self.checker.judge_undos()
        if self.medium is not None:
            held = [row for row in self.medium.ledger.rows.values() if row.held_usd != Decimal(0)]
            if held:
                self.violate(f"I6: held after the end: {held}")


def play(
    seed: int,
    make_store: MakeStore | None = None,
    pool: Sequence[GraphSpec] = POOL,
    crash_at: int | None = None,
) -> Simulation:
    """Play one schedule and return it. Raises `Violation`, whose text names the seed."""
    simulation = Simulation(seed, make_store, pool, crash_at)
    simulation.run()
    return simulation
