"""One seeded schedule of two workers and a web process over one database."""

from __future__ import annotations

import weakref
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from builder.adapters.run_store.apart.unowned_store import UnownedStore
from builder.adapters.run_store.apart.worker_store import WorkerStore
from builder.adapters.run_store.database_clock import DatabaseClock
from builder.process.apart.starter import Starter
from engine.core.budgets.ledger import Ledger
from engine.core.errors import StoreError
from engine.core.state.requests import CLI
from engine.core.state.run_state import RunState
from engine.runtime.mailbox import wishes
from engine.runtime.runner import Runner
from engine.runtime.stores.buffered import Batch
from engine.runtime.stores.sql.ownership import ALIVE_MS, CLAIM, NOT_ENDED
from engine.runtime.stores.sql.statements import Fence, Rows, Statement
from engine.runtime.stores.sql.writer import Conflict
from tests.builder.databases import HOME
from tests.simulation.boot import Boot
from tests.simulation.harness import FAULTY_SECONDS, PATIENCE_SECONDS, Simulation
from tests.simulation.invariants import Violation
from tests.simulation.loop import VirtualLoop
from tests.simulation.owners.processes import Web, Worker, simulated
from tests.simulation.owners.timeline import Timeline
from tests.simulation.owners.visitors import Visitors
from tests.simulation.ports import EPOCH_MS, VirtualClock, ask
from tests.simulation.test_sqlite_simulation import UNANSWERED, Eyes, covered_by, limited

B = TypeVar("B", bound=Boot)
WORKERS = 2
OWNER = "SELECT owner, owner_epoch FROM builder_run WHERE id = ?"
ALIVE = (
    "SELECT w.boot_id FROM builder_worker w JOIN builder_run r ON r.owner = w.boot_id "
    f"WHERE r.id = ? AND w.last_seen_at > now_ms() - {ALIVE_MS}"
)
ROB = (
    "UPDATE builder_run SET owner = ?, owner_epoch = owner_epoch + 1 "
    f"WHERE id = ? AND owner <> ? AND {NOT_ENDED}"
)
BEHIND_MS = 500
"""How exactly a worker knows the database's clock."""
NEGATIVE = "SELECT id FROM builder_budget WHERE held_pico < 0 OR held_tokens < 0"


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that is gone, and when another one begins in its place."""

    place: int
    at: float


class Owners(Simulation):
    """A schedule in which runs change hands. `path` is a fresh database."""

    def __init__(self, seed: int, path: Path) -> None:
        super().__init__(seed)
        self.timeline = Timeline(Random(seed + 4_000_000))
        # the database's library keeps this function where nothing finds circles
        timeline = weakref.proxy(self.timeline)
        self.look = Eyes(simulated(path, lambda: timeline.now), path)
        limited(self.look)
        self.workers: list[Worker] = []
        self.restarts: list[Ended] = []
        self.covered = lambda: covered_by(self.look)
        self.unanswered = lambda: self.look.rows(UNANSWERED)[0][0]
        self.robs = self.rng.random() < 0.5
        """Whether runs are taken from those who live; else processes stand still."""
        self.skews = [self.rng.choice((0, -40_000, 30_000)) for _ in range(WORKERS)]

    def violate(self, text: str) -> None:
        self.violations.append(text)

    def crash(self, boot: Boot) -> None:
        assert isinstance(boot, Worker)
        self.ends(boot, self.rng.choice((0.5, 3, 25)))

    def ends(self, worker: Worker, seconds: float) -> None:
        """Let a process be gone, and another one begin in its place after a while."""
        worker.loop.halt()
        if worker not in self.workers:
            return
        self.workers.remove(worker)
        self.graveyard.append(worker)
        self.world.forget(worker.number)
        self.restarts.append(Ended(worker.place, self.timeline.now + seconds))

    def ring(self, run_id: str | None) -> None:
        """Ring in the workers; a bell is lost at times, or heard twice."""
        for worker in list(self.workers):
            for _ in range(self.rng.choice((0, 1, 1, 2)) if self.world.faults else 1):
                worker.ring(run_id)

    def run(self) -> None:
        """Play the schedule to its end. Raises `Violation`."""
        web = self.boot = self._open_web()
        for place in range(WORKERS):
            self._begin(place)
        main = web.loop.create_task(self._main(web))
        while not main.done() and not self.violations:
            for ended in [one for one in self.restarts if one.at <= self.timeline.now]:
                self.restarts.remove(ended)
                self._begin(ended.place)
            until = min((one.at for one in self.restarts), default=None)
            self.timeline.turn([web.loop, *(one.loop for one in self.workers)], until)
        self._failed(main) if main.done() else None
        self.graveyard += self.workers
        self._bury()
        if not self.violations:
            self._judge_end()
        self.look.connection.close()
        if self.violations:
            raise Violation(f"seed {self.seed}: {self.violations[0]}")

    # --- processes --------------------------------------------------------------------------

    def _process(self, kind: type[B], skew: int, **more: Any) -> B:
        self.boots += 1
        loop = VirtualLoop(Random(self.rng.random()), self.timeline.now)
        clock = DatabaseClock(VirtualClock(loop, skew).now, loop.time)
        return kind(self.boots, loop, clock, self.graphs, self, **more)

    def _open_web(self) -> Web:
        web = self._process(Web, 0)
        parts = (self.look.dialect, web.clock, self.graphs, None)
        web.store = UnownedStore(*parts, threaded=False, home=HOME)
        self._watch(web)
        web.runner = Starter(web.store, self._services(web))
        return web

    def _begin(self, place: int) -> None:
        worker = self._process(Worker, self.skews[place], place=place)
        parts = (self.look.dialect, worker.clock, self.graphs, None)
        worker.store = WorkerStore(*parts, threaded=False, home=HOME)
        self._watch(worker)
        worker.runner = Runner(worker.store, self._services(worker))
        worker.loop.before_step = lambda _task: self._step_of(worker)
        self.workers.append(worker)
        worker.working = self._spawn(worker, worker.work())

    def _step_of(self, worker: Worker) -> None:
        if self.world.chance(self.crash_at_steps / 4):
            self.crash(worker)

    def _watch(self, boot: Boot) -> None:
        if isinstance(boot, Worker):
            self._watch_fences(boot)
            self._watch_claims(boot)
        super()._watch(boot)

    def _watch_fences(self, worker: Worker) -> None:
        """I3: who lost a run is refused for that, and not because its place in the log is taken."""
        persist = worker.store._persist

        async def watched(batch: Batch) -> None:
            try:
                await persist(batch)
            except Conflict:
                if batch.prepared[2] is not None and not self._owns(worker, batch):
                    self.violate(f"I3: a fenced commit of run {batch.run_id} was tried")
                raise

        worker.store._persist = watched  # type: ignore[method-assign]

    def _owns(self, worker: Worker, batch: Batch) -> bool:
        [row] = self.look.rows(OWNER, (batch.run_id,))
        return bool(row == (worker.shared.owned.worker, batch.prepared[2][1]))

    def _watch_claims(self, worker: Worker) -> None:
        """Stand at the door of what is written beside runs: be slow, fail, lose answers.

        I4: nobody takes a run from a worker who lives.
        """
        writer = worker.shared.writer
        write = writer.write

        async def watched(
            statements: list[Statement], bulk: Rows | None = None, fence: Fence | None = None
        ) -> None:
            if bulk is not None or fence is not None:
                await write(statements, bulk, fence)
                return
            await worker.point("beside")
            if self.world.chance(0.01):
                raise StoreError("the database is away")
            claimed = [one[1][1] for one in statements if one[0] == CLAIM]
            alive = {run: self.look.rows(ALIVE, (run,)) for run in claimed}
            await write(statements)
            for run in claimed:
                self.world.answered.clear()
                [(owner, _epoch)] = self.look.rows(OWNER, (run,))
                if alive[run] and [(owner,)] != alive[run]:
                    self.violate(f"I4: run {run} was taken from one who lives")
            if self.world.chance(0.02):
                raise StoreError("the answer was lost")

        writer.write = watched  # type: ignore[method-assign]

    def _judge(self, boot: Boot, batch: Batch, state: RunState) -> None:
        """I3: what lands is of the one who owns the run, under the epoch that he claimed."""
        if batch.prepared[2] is not None:
            assert isinstance(boot, Worker)
            if not self._owns(boot, batch):
                self.violate(f"I3: a fenced commit of run {batch.run_id} landed")
        if self.look.rows(NEGATIVE):
            self.violate(f"I6: a budget holds less than nothing after a commit of {batch.run_id}")
        self._judge_times(boot, batch)
        self.checker.commit(batch, Ledger())  # a worker's own is late: rows are the judge
        self.checker.warm(batch.run_id, state)
        self.checker.levels(self.covered())

    def _judge_times(self, boot: Boot, batch: Batch) -> None:
        """C31: time goes one way in a run, and no further than the database's clock has come."""
        shadow = self.checker.shadows.get(batch.run_id)
        last = shadow.log[-1].at if shadow is not None and shadow.log else 0
        for event in batch.events:
            if not last <= event.at <= self.timeline.now * 1000 + EPOCH_MS + BEHIND_MS:
                self.violate(f"C31: {event.type} of {batch.run_id} is at {event.at}, after {last}")
            last = event.at

    # --- what happens -----------------------------------------------------------------------

    async def _main(self, boot: Boot) -> None:
        for run in self.runs:
            await self._start(boot, run)
            self.ring(None)
        others = [
            self._spawn(boot, Visitors(self).live(boot)),
            self._spawn(boot, self._trouble(boot)),
        ]
        while boot.loop.time() < FAULTY_SECONDS and not self._all_over():
            await boot.clock.sleep(0.5)
        self.world.faults = False
        deadline = boot.loop.time() + PATIENCE_SECONDS
        while not self._all_over() or self.unanswered():
            if boot.loop.time() > deadline:
                self.violate(f"I8: stuck: {self._stuck()}")
            await boot.clock.sleep(5)
        for task in others:
            task.cancel()

    async def _trouble(self, boot: Boot) -> None:
        """Do to the workers what happens to machines, until faults stop."""
        while True:
            await boot.clock.sleep(self.rng.random() * 8)
            if not self.world.faults:
                return
            if self.rng.random() < 0.05:
                with suppress(StoreError):
                    run = self.rng.choice(self.runs)
                    await ask(boot, run, wishes.cancel(CLI.id, "cancelled"))
            if self.workers:
                self._strike(self.rng.choice(self.workers))

    def _strike(self, worker: Worker) -> None:
        what = self.rng.random()
        if self.robs and self.rng.random() < 0.5:
            self._rob(worker)
        elif what < 0.25 and not self.robs:
            self._stop(worker)
        elif what < 0.4:
            worker.deaf_until = self.timeline.now + self.rng.choice((6, 14, 30))
        elif what < 0.6:
            self.skews[worker.place] = self.rng.choice((-40_000, 0, 30_000, 100_000))
        elif what < 0.7:
            worker.loop.call_soon(lambda: self._spawn(worker, worker.end()))
        elif what < 0.8:
            self.crash(worker)
        else:
            self.ring(self.rng.choice((None, *self.runs)))

    def _stop(self, worker: Worker) -> None:
        self.timeline.stop(worker.loop, self.rng.choice((1, 8, 15, 25, 60)))

    def _rob(self, worker: Worker) -> None:
        """Let a worker have a run whose owner lives, as if its claim had come through."""
        owned, run = worker.shared.owned, self.rng.choice(sorted(self.checker.shadows))
        if worker.shared.peek(run) is not None:
            return  # it may be on its way to a commit of its own
        owned.came.add(run)
        self.world.answered.clear()  # what the owner sent meanwhile is a call of its own
        self.look.change(ROB, (owned.worker, run, owned.worker))
        worker.ring(None)


def play_owners(seed: int, path: Path) -> Owners:
    """Play one schedule over a fresh database and return it. Raises `Violation`."""
    simulation = Owners(seed, path)
    simulation.run()
    return simulation
