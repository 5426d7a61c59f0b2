"""`python -m tests.benchmarks.growing`: what a second worker gives, and what waiting runs cost.

A PostgreSQL, a web process and workers of its own. Two hundred runs of ten nodes that wait 10 ms each
are accepted while no worker is there; then one worker takes them, then two. At the end many runs
wait for a person while nothing else happens.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.benchmarks.web import REVIEW, cpu_s
from tests.e2e.apart import Apart
from tests.e2e.crowd import ticking
from tests.e2e.server import ROOT, Client
from tests.services import fresh_database, postgres_server

RUNS: Final = 200
NODES: Final = 10
WAIT_MS: Final = 10
WAITING: Final = 2_000
IDLE_S: Final = 10.0
LOOK_S: Final = 0.05
LOCKED: Final = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event <> 'advisory'"
"""Who waits for somebody's rows; the advisory lock is that of processes that begin, one by one."""
PAGE: Final = os.sysconf("SC_PAGE_SIZE") / 1_000_000


@dataclass(frozen=True, slots=True)
class Took:
    """What it took a number of workers to execute the runs; `locked` of `looks` saw a lock waited for."""

    workers: int
    seconds: float
    cpu_s: float
    looks: int
    locked: int

    def __str__(self) -> str:
        return (
            f"{self.workers} worker(s): {RUNS / self.seconds:6.1f} runs/s, "
            f"{self.cpu_s * 1000 / RUNS:5.1f} ms CPU a run, "
            f"a lock was waited for at {self.locked} of {self.looks} looks"
        )


@contextmanager
def fleet() -> Iterator[tuple[Apart, Client]]:
    """Give a web process on a migrated PostgreSQL, and its owner's client."""
    with (
        tempfile.TemporaryDirectory() as folder,
        postgres_server() as server,
        fresh_database(server) as url,
    ):
        apart = Apart(Path(folder), DATABASE_URL=url)
        try:
            migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
            subprocess.run(migrate, cwd=ROOT, env=apart.environ, check=True)
            apart.start()
            client = apart.client()
            client.set_up()
            yield apart, client
        finally:
            apart.close()


def start_all(client: Client, document: dict[str, Any], count: int) -> None:
    """Have so many runs of a document accepted, eight at a time."""
    graph = client.post("/api/graphs/", {"document": document})["id"]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: client.start_run(graph), range(count)))


def executed(apart: Apart, client: Client, workers: int) -> Took:
    """Return what it takes so many workers to execute the runs, beyond what it takes them to begin."""
    beginning = workers * cpu_to_begin(apart)
    start_all(client, ticking(NODES, WAIT_MS), RUNS)
    pids = [apart.fork("worker") for _ in range(workers)]
    apart.workers += pids
    while not _count(apart, "owner <> ''"):
        time.sleep(0.01)
    began, looks, locked = time.monotonic(), 0, 0
    while _count(apart, "ended_at IS NULL"):
        time.sleep(LOOK_S)
        looks += 1
        locked += bool(apart.rows(LOCKED)[0][0])
    took = Took(workers, time.monotonic() - began, _cpu(pids) - beginning, looks, locked)
    for pid in pids:
        apart.drain_worker(pid)
    return took


def cpu_to_begin(apart: Apart) -> float:
    """Return the seconds of CPU that a worker uses before it looks for runs."""
    worker = apart.add_worker()
    time.sleep(1)
    used = cpu_s(worker)
    apart.drain_worker(worker)
    return used


def waiting(apart: Apart, client: Client, count: int) -> str:
    """Return what a worker costs while so many runs wait for a person, and nothing happens."""
    worker = apart.add_worker()
    idle, alone = _at_rest(worker), memory_mb(worker)
    start_all(client, REVIEW, count)
    open_items = "SELECT count(*) FROM builder_interrupt WHERE status = 'open'"
    while apart.rows(open_items)[0][0] < count:
        time.sleep(0.2)
    share = _at_rest(worker)
    return (
        f"{count} runs that wait for a person: a worker uses {share:.1%} of a core and "
        f"{memory_mb(worker):.0f} MB; {idle:.1%} and {alone:.0f} MB without them"
    )


def _at_rest(worker: int) -> float:
    """Return the least that a worker uses in four looks: what follows from starts is worked off first."""
    return min(_share(worker) for _ in range(4))


def _share(worker: int) -> float:
    """Return how much of a core a worker uses for a while."""
    used = cpu_s(worker)
    time.sleep(IDLE_S)
    return (cpu_s(worker) - used) / IDLE_S


def memory_mb(pid: int) -> float:
    """Return the megabytes of memory that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE


def _cpu(pids: list[int]) -> float:
    return sum(cpu_s(pid) for pid in pids)


def _count(apart: Apart, which: str) -> int:
    return int(apart.rows(f"SELECT count(*) FROM builder_run WHERE {which}")[0][0])


def main() -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.growing")
    parser.add_argument("--waiting", type=int, default=WAITING, help="runs that wait for a person")
    options = parser.parse_args()
    with fleet() as (apart, client):
        executed(apart, client, 1)  # everybody is warm
        for workers in (1, 2, 1, 2):
            sys.stdout.write(f"{executed(apart, client, workers)}\n")
            sys.stdout.flush()
        sys.stdout.write(f"{waiting(apart, client, options.waiting)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
