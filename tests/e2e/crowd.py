"""Many sockets on running graphs, each dropped every few seconds, and what came over each.

`python -m tests.e2e.crowd` is the long form: 300 sockets on 30 runs for a minute.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from tests.e2e.server import Client, Server

HANDSHAKE_S = 20.0


@dataclass(frozen=True, slots=True)
class Plan:
    """How many listen to how many runs, for how long, and when a socket is dropped."""

    sockets: int
    runs: int
    seconds: float
    drop_s: tuple[float, float] = (2.0, 6.0)


@dataclass
class Listener:
    """A page that follows a run across its drops."""

    run_id: str
    seqs: list[int] = field(default_factory=list)
    handshakes: int = 0
    failed: list[str] = field(default_factory=list)
    slowest_s: float = 0.0

    @property
    def last(self) -> int:
        """The last seq that was seen."""
        return self.seqs[-1] if self.seqs else 0

    @property
    def is_whole(self) -> bool:
        """Whether every event came once and in order."""
        return self.seqs == list(range(1, len(self.seqs) + 1))

    async def follow(self, client: Client, plan: Plan, until: float, head: int | None) -> None:
        """Connect, listen, drop and come back until the clock says `until` or `head` is there."""
        chance = random.Random(f"{self.run_id}{id(self)}")
        await asyncio.sleep(chance.uniform(0, plan.drop_s[0]))
        while time.monotonic() < until and (head is None or self.last < head):
            drop = min(time.monotonic() + chance.uniform(*plan.drop_s), until)
            try:
                await self._listen(client, drop, head)
            except (OSError, TimeoutError, WebSocketException) as error:
                self.failed.append(f"{type(error).__name__}: {error}")
                await asyncio.sleep(chance.uniform(0.5, 1.5))

    async def _listen(self, client: Client, drop: float, head: int | None) -> None:
        began = time.monotonic()
        async with connect(
            f"ws://127.0.0.1:{client.port}/ws/",
            additional_headers={"Cookie": client.cookie},
            origin=Origin(client.origin),
            open_timeout=HANDSHAKE_S,
            close_timeout=0.1,
            max_size=None,
            compression=None,
        ) as stream:
            self.handshakes += 1
            self.slowest_s = max(self.slowest_s, time.monotonic() - began)
            await stream.send(json.dumps({"op": "sub", "run": self.run_id, "after": self.last}))
            while time.monotonic() < drop and (head is None or self.last < head):
                try:
                    async with asyncio.timeout_at(_loop_time(drop)):
                        frame = json.loads(await stream.recv())
                except TimeoutError:
                    return
                if frame["op"] == "ev":
                    self.seqs += [event["seq"] for event in frame["events"]]


def _loop_time(at: float) -> float:
    return asyncio.get_running_loop().time() + at - time.monotonic()


def ticking(steps: int, step_ms: int) -> dict[str, Any]:
    """Return a document that waits `steps` times `step_ms`, an event or two at each."""
    ids = [f"d{number}" for number in range(steps)]
    nodes = [{"id": i, "type": "delay", "config": {"duration_ms": step_ms}} for i in ids]
    edges = [{"source": a, "target": b} for a, b in zip(["__start__", *ids], ids, strict=False)]
    return {"graphwright": 1, "id": "ticking", "name": "Ticking", "nodes": nodes, "edges": edges}


async def crowd(client: Client, plan: Plan, *, step_ms: int = 1_000) -> list[Listener]:
    """Start the runs, let everybody listen and be dropped, then let all come back to the end."""
    steps = int(plan.seconds * 1000 / step_ms) + 5
    graph = client.post("/api/graphs/", {"document": ticking(steps, step_ms)})["id"]
    loop = asyncio.get_running_loop()
    runs = [await loop.run_in_executor(None, client.start_run, graph) for _ in range(plan.runs)]
    listeners = [Listener(runs[number % len(runs)]) for number in range(plan.sockets)]
    until = time.monotonic() + plan.seconds
    await asyncio.gather(*(each.follow(client, plan, until, None) for each in listeners))
    heads = {}
    for run_id in runs:
        await loop.run_in_executor(None, client.wait_ended, run_id, 120)
        heads[run_id] = (await loop.run_in_executor(None, client.events, run_id))[-1]["seq"]
    back = time.monotonic() + 60
    await asyncio.gather(*(e.follow(client, plan, back, heads[e.run_id]) for e in listeners))
    assert all(each.last == heads[each.run_id] for each in listeners), "some did not come back"
    return listeners


def summary(listeners: list[Listener]) -> str:
    """Return in a line what came of it."""
    failed = [reason for each in listeners for reason in each.failed]
    return (
        f"{len(listeners)} sockets, {sum(each.handshakes for each in listeners)} handshakes, "
        f"{len(failed)} failed {sorted(set(failed))[:3]}, "
        f"slowest {max(each.slowest_s for each in listeners):.1f} s, "
        f"{sum(len(each.seqs) for each in listeners)} events, "
        f"{sum(not each.is_whole for each in listeners)} with a gap or a duplicate"
    )


def main() -> int:
    """Run the long form and print; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.crowd", description=__doc__)
    parser.add_argument("--sockets", type=int, default=300)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            server.start()
            owner = server.client()
            owner.set_up()
            plan = Plan(options.sockets, options.runs, options.seconds)
            listeners = asyncio.run(crowd(owner, plan))
        finally:
            server.close()
    sys.stdout.write(summary(listeners) + "\n")
    return int(any(each.failed or not each.is_whole for each in listeners))


if __name__ == "__main__":
    sys.exit(main())
