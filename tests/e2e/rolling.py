"""Web and worker processes that are replaced one after the other, and people who notice nothing."""

from __future__ import annotations

import asyncio
import http.client
import os
import signal
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path

from websockets.exceptions import WebSocketException

from tests.e2e.apart import Apart
from tests.e2e.crowd import Listener, Plan, ticking
from tests.e2e.onlookers import Onlookers
from tests.e2e.server import Client, is_there, wait_until

PLACES = ("/runs", "/inbox", "/dashboard", "/settings", "/workflows")
"""Pages that stay open beside those of runs."""
STAYS_S = 4.0
"""How long a page keeps its socket before it comes back, if nobody cuts it before."""


class Fleet(Apart):
    """Web processes that share an address, and workers."""

    command = "web share"

    def __init__(self, folder: Path, **environ: str) -> None:
        super().__init__(folder, **environ)
        self.webs: list[int] = []

    def begin(self, webs: int, workers: int) -> None:
        """Start all of them."""
        self.start()
        self.webs.append(self._child)
        for _ in range(webs - 1):
            self.add_web()
        for _ in range(workers):
            self.add_worker()

    def add_web(self) -> None:
        """Start one more web process and wait until it is ready for people."""
        web = self.fork(self.command)
        self.webs.append(web)
        wait_until(lambda: self.boot_of(web), "a web process's sign of life")
        wait_until(lambda: listens(web), "a web process that listens")

    def replace_all(self) -> None:
        """Replace every process: a new one is there before an old one is told to end."""
        for worker in list(self.workers):
            self.add_worker()
            self.drain_worker(worker)
        for web in list(self.webs):
            self.add_web()
            os.kill(web, signal.SIGTERM)
            wait_until(partial(_gone, web), "the end of a web process")
            self.webs.remove(web)

    def close(self) -> None:
        """End all processes."""
        for web in self.webs:
            is_there(web, signal.SIGKILL)
        self._child = 0
        super().close()


def _gone(process: int) -> bool:
    return not is_there(process)


def listens(process: int) -> bool:
    """Return whether a process has a socket that listens."""
    links = Path(f"/proc/{process}/fd").iterdir()
    own = {name for link in links if (name := _target(link)).startswith("socket:")}
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return any(row[3] == "0A" and f"socket:[{row[9]}]" in own for row in rows)


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:
        return ""


@dataclass
class Person:
    """Somebody who starts runs and looks at lists, and asks again where a connection breaks."""

    client: Client
    graph: str
    statuses: Counter[int] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    runs: set[str] = field(default_factory=set)
    begun: int = 0

    def work(self, over: threading.Event) -> None:
        """Start a run and look at the list, again and again until it is over."""
        for turn in count():
            if over.is_set():
                return
            self.begun += 1
            key = {"Idempotency-Key": f"turn-{turn}"}
            started = self._ask("POST", f"/api/graphs/{self.graph}/runs/", {"draft": True}, key)
            self.runs.add(str(started["id"]))
            self._ask("GET", "/api/runs/?limit=5", None, {})
            over.wait(0.1)

    def _ask(self, method: str, path: str, body: object, headers: dict[str, str]) -> dict[str, str]:
        while True:
            try:
                status, answer = self.client.request(method, path, body, **headers)
            except (OSError, http.client.HTTPException) as error:
                self.broken[type(error).__name__] += 1
                time.sleep(0.05)
                continue
            self.statuses[status] += 1
            if status < 300:
                return dict(answer)
            time.sleep(0.2)


class Watcher(Listener):
    """A page that follows a run, wherever it is connected to."""

    async def stay(self, client: Client, over: threading.Event) -> None:
        """Follow the run until it is over, and come back where the socket is cut."""
        while not over.is_set():
            try:
                await self._listen(client, time.monotonic() + STAYS_S, None)
            except (OSError, TimeoutError, WebSocketException) as error:
                self.failed.append(f"{type(error).__name__}: {error}")
                await asyncio.sleep(0.2)


@dataclass(frozen=True)
class Upgrade:
    """What people saw while every process was replaced."""

    person: Person
    watchers: list[Watcher]
    onlookers: Onlookers
    ends: Counter[str]


async def upgrade(
    fleet: Fleet,
    client: Client,
    *,
    runs: int,
    sockets: int,
    pages: int,
    rounds: int,
    unvisited: str = "Memory",
) -> Upgrade:
    """Replace every process while runs go on, sockets and pages watch; return what all saw.

    In the end one of those pages goes to an `unvisited` one.
    """
    loop, over = asyncio.get_running_loop(), threading.Event()
    graph = client.post("/api/graphs/", {"document": ticking(25, 250)})["id"]
    watched = [client.start_run(graph) for _ in range(runs)]
    short = client.post("/api/graphs/", {"document": ticking(3, 50)})["id"]
    person = Person(Client(client.port, cookies=dict(client.cookies), csrf=client.csrf), short)
    watchers = [Watcher(watched[number % len(watched)]) for number in range(sockets)]
    onlookers = Onlookers(client, watched[: pages - len(PLACES) - 1], PLACES, unvisited)
    looking = loop.run_in_executor(None, onlookers.look, over)
    await loop.run_in_executor(None, onlookers.looking.wait)
    working = loop.run_in_executor(None, person.work, over)
    watching = asyncio.gather(*(watcher.stay(client, over) for watcher in watchers))
    try:
        for _ in range(rounds):
            await loop.run_in_executor(None, fleet.replace_all)
    finally:
        over.set()
        await asyncio.gather(working, watching, looking)
    ends: Counter[str] = Counter()
    for run in [*watched, *person.runs]:
        ended = await loop.run_in_executor(None, client.wait_ended, run, 60)
        ends[ended["status"]] += 1
    heads = {run: client.events(run)[-1]["seq"] for run in {w.run_id for w in watchers}}
    plan, until = Plan(sockets, runs, 0, (0.01, 30)), time.monotonic() + 30
    await asyncio.gather(*(w.follow(client, plan, until, heads[w.run_id]) for w in watchers))
    assert all(watcher.last == heads[watcher.run_id] for watcher in watchers)
    return Upgrade(person, watchers, onlookers, ends)
