"""`python -m tests.benchmarks.answering`: how soon a run goes on elsewhere once a person has answered.

A PostgreSQL, a web process and a worker of its own. Runs wait for an approval; one after the other is
decided at the web process, and the worker, which heard of it by a bell, starts the next node. No side
looks in a fixed time: a look would be a second (the worker's) or half of one (the web process's).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from tests.benchmarks.growing import fleet, start_all
from tests.e2e.apart import Apart
from tests.e2e.server import Client, wait_until

DOCUMENT: Final[dict[str, Any]] = {
    "graphwright": 1,
    "id": "approve",
    "name": "Approve",
    "nodes": [
        {"id": "review", "type": "approval", "label": "review"},
        {"id": "after", "type": "output", "config": {"value": "1"}},
    ],
    "edges": [{"source": "__start__", "target": "review"}, {"source": "review", "target": "after"}],
}
ASKED: Final = "SELECT created FROM builder_request WHERE run = %s ORDER BY id LIMIT 1"
"""When the web process wrote the answer, a moment before it was durable there."""
OPEN: Final = (
    "SELECT request_id, run FROM builder_interrupt WHERE status = 'open' ORDER BY opened_at"
)
WARM: Final = 10
PAUSE_S: Final = 0.05


@dataclass(frozen=True, slots=True)
class Answered:
    """The milliseconds of one answer; all clocks are this machine's, the log's and the row's tell whole ones."""

    to_node: float
    """From the row of the answer, in the web process, to the start of the next node, in the worker."""
    to_return: float
    """From the request to its response: the web process tells what became of the answer."""
    return_to_node: float
    """From the response to the start of the next node; below 0 where the node was first."""


def answered(apart: Apart, client: Client, request_id: str, run: str) -> Answered:
    """Approve what was asked and return what it took until its run went on."""
    item = client.get(f"/api/interrupts/{request_id}/")
    sent = time.time() * 1_000
    client.answer(item, "approved")
    returned = time.time() * 1_000
    client.wait_ended(run)
    started = next(
        datetime.fromisoformat(event["at"]).timestamp() * 1_000
        for event in client.events(run)
        if event["type"] == "NodeStarted" and event["key"] == "after#1"
    )
    [(asked,)] = apart.rows(ASKED, run)
    return Answered(started - asked, returned - sent, started - returned)


def measure(apart: Apart, client: Client, times: int) -> list[Answered]:
    """Return what so many answers took, after a few that are not counted."""
    start_all(client, DOCUMENT, times + WARM)
    apart.add_worker()
    wait_until(lambda: len(apart.rows(OPEN)) == times + WARM, "the open approvals", 120)
    took = []
    for request_id, run in apart.rows(OPEN):
        took.append(answered(apart, client, request_id, run))
        time.sleep(PAUSE_S)  # as people do: no answer comes while the last one is still worked off
    return took[WARM:]


def line(what: str, times: Sequence[float]) -> str:
    """Return the middle and the end of what was measured."""
    p95 = statistics.quantiles(times, n=20)[-1]
    return f"{what:<44} {statistics.median(times):6.1f} ms in the middle, {p95:6.1f} ms at p95\n"


def main() -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.answering")
    parser.add_argument("--times", type=int, default=200, help="answers that are counted")
    options = parser.parse_args()
    with fleet() as (apart, client):
        took = measure(apart, client, options.times)
    sys.stdout.write(line("answer written to next node started", [t.to_node for t in took]))
    sys.stdout.write(line("answer sent to response", [t.to_return for t in took]))
    sys.stdout.write(line("response to next node started", [t.return_to_node for t in took]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
