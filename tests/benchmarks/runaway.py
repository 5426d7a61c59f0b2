"""`python -m tests.benchmarks.runaway`: what others feel of a graph that does not know when to stop.

Starts the real server on an empty folder, and asks for the list of runs and for short runs, one after
the other, without and beside each graph that does as much as it is let.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.benchmarks.web import chain
from tests.e2e.server import Client, serving

ENDED: Final = ("completed", "failed", "cancelled", "timeout")
MOST: Final = 10_000
"""Steps of a run, and items of a map: the most that a document may ask for."""


@dataclass(frozen=True, slots=True)
class Felt:
    """What somebody felt who asked for something else meanwhile, in ms: middle and worst."""

    name: str
    list_ms: tuple[float, float]
    run_ms: tuple[float, float]
    became: str

    def __str__(self) -> str:
        (list_, list_most), (run, run_most) = self.list_ms, self.run_ms
        return (
            f"{self.name:<28} list {list_:4.0f} ({list_most:4.0f}) ms   "
            f"run of ten {run:4.0f} ({run_most:4.0f}) ms   {self.became}"
        )


def output(name: str, value: str = "1", **more: Any) -> dict[str, Any]:
    """Return a node that gives a value."""
    return {"id": name, "type": "output", "config": {"value": value}, **more}


def mapped(name: str, worker: str) -> dict[str, Any]:
    """Return a node that has `worker` done for every item of the input."""
    config = {"worker_node_id": worker, "items_path": "$.input", "max_items": MOST}
    more = {"read_keys": ["input"], "config": {**config, "max_concurrency": 50}}
    return {"id": name, "type": "map", **more}


def document(name: str, nodes: list[dict[str, Any]], *edges: str, **more: Any) -> dict[str, Any]:
    """Return a graph; an edge is written `a > b`."""
    drawn = [dict(zip(("source", "target"), edge.split(" > "), strict=True)) for edge in edges]
    return {"graphwright": 1, "id": name, "name": name, "nodes": nodes, "edges": drawn, **more}


def runaways() -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Give a name, a graph and its input each."""
    loop = [output("a"), output("b")]
    limits = {"max_iterations": MOST}
    ring = document("loop", loop, "__start__ > a", "a > b", "b > a", limits=limits)
    yield "an endless loop", ring, "x"
    wide = document("wide", [mapped("m", "w"), output("w")], "__start__ > m")
    yield f"a map of {MOST:,}", wide, list(range(MOST))
    read = output("w", "memory.map_item", read_keys=["*"])
    large = document("large", [mapped("m", "w"), read], "__start__ > m")
    yield "a map of 900 KB", large, ["x" * 1_000] * 900
    texts = mapped("m", "w")
    texts["config"] |= {"items_path": "$.memory.items", "max_items": 1_000}
    texts["read_keys"] = ["items"]
    gigabyte = document(
        "gigabyte",
        [texts, output("w", "input", read_keys=["input"])],
        "__start__ > m",
        initial_memory={"items": list(range(1_000))},
    )
    yield "values of a gigabyte", gigabyte, "x" * 1_000_000
    nest = [mapped("m", "w"), mapped("w", "v"), output("v")]
    yield "a map of maps, 90,000 items", document("nest", nest, "__start__ > m"), list(range(300))


class Bystander:
    """Somebody who wants something else of the same server."""

    def __init__(self, client: Client) -> None:
        self._client = client
        made = client.post("/api/graphs/", {"document": chain()})
        client.post(f"/api/graphs/{made['id']}/publish/", {"revision": made["revision"]})
        self._graph = str(made["id"])

    def beside(self, name: str, seconds: float, graph: Any = None, value: Any = None) -> Felt:
        """Return what is felt for so long, beside a run of `graph`, which is cancelled then."""
        run = None
        if graph is not None:
            made = self._client.post("/api/graphs/", {"document": graph})
            run = self._client.start_run(made["id"], {"input": value})
        until, lists, runs = time.monotonic() + seconds, [], []
        while time.monotonic() < until:
            lists.append(_ms(lambda: self._client.get("/api/runs/")))
            runs.append(_ms(self._short))
        return Felt(name, _middle_and_most(lists), _middle_and_most(runs), self._became(run))

    def _short(self) -> None:
        run = self._client.start_run(self._graph, {"input": "x"})
        while self._client.run(run)["status"] not in ENDED:
            time.sleep(0.005)  # a look costs less than what is measured

    def _became(self, run: str | None) -> str:
        if run is None:
            return ""
        found = self._client.run(run)
        if found["status"] not in ENDED:
            self._client.post(f"/api/runs/{run}/cancel/", {})
            self._client.wait_ended(run)
            return "cancelled"
        return str((found["error"] or {}).get("code") or found["status"])


def _ms(act: Any) -> float:
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1_000


def _middle_and_most(times: list[float]) -> tuple[float, float]:
    return statistics.median(times), max(times)


def main() -> int:
    """Print a line for nothing beside, and for each graph."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.runaway", description=__doc__)
    parser.add_argument("--seconds", type=float, default=10, help="beside each graph (default 10)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        server.start()
        owner = server.client()
        owner.set_up()
        by = Bystander(owner)
        sys.stdout.write(f"{by.beside('nothing', options.seconds)}\n")
        for name, graph, value in runaways():
            sys.stdout.write(f"{by.beside(name, options.seconds, graph, value)}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
