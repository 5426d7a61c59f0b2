"""`python -m tests.benchmarks.web`: what a request costs the server, in CPU and beside the clock.

Starts the real server on an empty folder and asks one thing after the other on a kept connection.
A start counts to the end of its run: ten nodes that write nothing outside. Then many clients start runs
of it at once, each the next when it has its answer, until all are durable.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.e2e.server import Client, Server, wait_until

NODES: Final = 10
TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Cost:
    """What one request of a kind costs: CPU of the whole server process, and its answer's time."""

    name: str
    cpu_ms: float
    median_ms: float

    def __str__(self) -> str:
        return f"{self.name:<20} {self.cpu_ms:6.2f} ms CPU {self.median_ms:7.2f} ms to the answer"


def chain() -> dict[str, Any]:
    """Return a document of ten `output` nodes in line."""
    ids = [f"n{number}" for number in range(NODES)]
    nodes = [{"id": name, "type": "output", "config": {"value": "1"}} for name in ids]
    ends = ["__start__", *ids]
    edges = [{"source": a, "target": b} for a, b in zip(ends, ids, strict=False)]
    return {"graphwright": 1, "id": "chain", "name": "Chain", "nodes": nodes, "edges": edges}


REVIEW: Final[dict[str, Any]] = {
    "graphwright": 1,
    "id": "review",
    "name": "Review",
    "nodes": [{"id": "review", "type": "approval", "label": "review"}],
    "edges": [{"source": "__start__", "target": "review"}],
}


def cpu_s(pid: int) -> float:
    """Return the seconds of CPU that the process and its threads have used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def at_once(acts: Sequence[Callable[[], None]]) -> None:
    """Do all of it, each in a thread of its own; raises what the first of them raised."""
    with ThreadPoolExecutor(len(acts)) as pool:
        for done in [pool.submit(act) for act in acts]:
            done.result()


class Bench:
    """A server with a published chain, and a kept connection with an API token."""

    def __init__(self, server: Server) -> None:
        assert server.process is not None
        self.pid = server.process.pid
        owner = server.client()
        owner.set_up()
        made = owner.post("/api/graphs/", {"document": chain()})
        owner.post(f"/api/graphs/{made['id']}/publish/", {"revision": made["revision"]})
        self.graph = str(made["id"])
        self.revision = int(made["revision"])
        self.owner: Client = owner
        self._token = owner.post("/api/tokens/", {"name": "bench"})["token"]
        self._port = server.port
        self._connection = self._connect()

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        connection: http.client.HTTPConnection | None = None,
    ) -> tuple[int, Any]:
        """Return status and body of one request, on a connection or the one that is kept."""
        connection = connection or self._connection
        raw = None if body is None else json.dumps(body)
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        connection.request(method, path, raw, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"null")

    def crowd(self, clients: int, each: int) -> str:
        """Return how many runs a second so many clients get durable, and how long a start takes them."""
        took: list[float] = []

        def sit() -> None:
            connection = self._connect()
            for _ in range(each):
                began = time.perf_counter()
                path = f"/api/graphs/{self.graph}/runs/"
                status, run = self.ask("POST", path, {"input": "x"}, connection)
                took.append((time.perf_counter() - began) * 1e3)
                assert status == 201, run
            connection.close()

        before, began = cpu_s(self.pid), time.perf_counter()
        at_once([sit] * clients)
        wait_until(lambda: not self._going(), "the end of all runs", 300)
        seconds, spent = time.perf_counter() - began, cpu_s(self.pid) - before
        count = len(took)
        p95 = statistics.quantiles(took, n=20)[-1]
        return (
            f"{clients} clients: {count / seconds:.0f} runs/s, {spent / count * 1e3:.2f} ms CPU a run; "
            f"a start {statistics.median(took):.0f} ms, p95 {p95:.0f}"
        )

    def _going(self) -> bool:
        return bool(self.ask("GET", "/api/runs/?status=running&limit=1")[1]["results"])

    def start(self) -> str:
        """Start a run and return its id."""
        status, run = self.ask("POST", f"/api/graphs/{self.graph}/runs/", {"input": "x"})
        assert status == 201, run
        return str(run["id"])

    def decisions(self, times: int) -> Cost:
        """Return what it costs to decide an approval, of runs that wait for one each."""
        made = self.owner.post("/api/graphs/", {"document": REVIEW})
        runs = [self.owner.start_run(made["id"], {}) for _ in range(times + 5)]
        items = [self.owner.wait_for_interrupt(run, "approval") for run in runs]

        def decide() -> None:
            self.owner.answer(items.pop(), "approved")

        return self.cost("decision", decide, times, beforehand=5)

    def save(self) -> None:
        """Save another label of one node, as the editor does by itself."""
        label = f"At {self.revision}"
        node = {"id": "n0", "type": "output", "label": label, "config": {"value": "1"}}
        body = {"revision": self.revision, "set_nodes": [node], "client": "bench"}
        status, saved = self.ask("PATCH", f"/api/graphs/{self.graph}/draft/", body)
        assert status == 200, saved
        self.revision = saved["revision"]

    def cost(
        self,
        name: str,
        one: Callable[[], Any],
        times: int,
        settle: bool = False,
        beforehand: int | None = None,
    ) -> Cost:
        """Return what `one` costs, of `times` calls after a few that are not counted."""
        for _ in range(max(times // 5, 5) if beforehand is None else beforehand):
            last = one()
        if settle:
            self.owner.wait_ended(last)
        took = []
        before = cpu_s(self.pid)
        for _ in range(times):
            began = time.perf_counter()
            last = one()
            took.append(time.perf_counter() - began)
        if settle:
            self.owner.wait_ended(last)
        spent = cpu_s(self.pid) - before
        return Cost(name, spent / times * 1e3, statistics.median(took) * 1e3)

    def all(self, times: int) -> list[Cost]:
        """Return the cost of a start, a save, a decision, the lists, a run, and an address leading nowhere."""
        costs = [self.cost("start", self.start, times, settle=True)]
        costs.append(self.cost("save", self.save, times))
        costs.append(self.decisions(min(times, 50)))
        run = self.start()
        self.owner.wait_ended(run)
        paths = {
            "runs, 50 of them": "/api/runs/?limit=50",
            "graphs": "/api/graphs/",
            "one run": f"/api/runs/{run}/",
            "inbox": "/api/interrupts/?state=open",
            "404": "/api/nowhere/",
        }
        for name, path in paths.items():
            costs.append(self.cost(name, lambda path=path: self.ask("GET", path), times))  # type: ignore[misc]
        return costs


def main() -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.web")
    parser.add_argument("--times", type=int, default=200, help="requests of each kind")
    parser.add_argument("--clients", type=int, default=50, help="clients that start runs at once")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), API_PACE="0")  # one caller asks all it can
        try:
            server.start()
            bench = Bench(server)
            for cost in bench.all(options.times):
                sys.stdout.write(f"{cost}\n")
            bench.crowd(options.clients, 2)
            sys.stdout.write(f"{bench.crowd(options.clients, max(options.times // 5, 5))}\n")
        finally:
            server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
