"""Many sockets on running graphs, each dropped every few seconds, and what came over each.

`python -m tests.e2e.crowd` is the long form: 500 sockets on 50 runs for a minute, twenty of which
never read. It says how long after its moment an event came, and what memory the server took.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import socket
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from statistics import quantiles
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from tests.e2e.server import Client, Server

HANDSHAKE_S = 20.0
MUTE_BYTES = 4_096
"""What the system takes in for a socket that never reads."""
PAGES = (0.1, 0.5, 1.0)
"""At which shares of the time the server's memory is looked at."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How many listen to how many runs, for how long, and when a socket is dropped.

    `mute` more connect, are never dropped and never read.
    """

    sockets: int
    runs: int
    seconds: float
    drop_s: tuple[float, float] = (2.0, 6.0)
    mute: int = 0


@dataclass
class Listener:
    """A page that follows a run across its drops."""

    run_id: str
    seqs: list[int] = field(default_factory=list)
    handshakes: int = 0
    failed: list[str] = field(default_factory=list)
    slowest_s: float = 0.0
    late_ms: list[float] = field(default_factory=list)
    """How long after its moment each event came that happened while the socket was there."""

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
        async with _connection(client) as stream:
            self.handshakes += 1
            self.slowest_s = max(self.slowest_s, time.monotonic() - began)
            await stream.send(json.dumps({"op": "sub", "run": self.run_id, "after": self.last}))
            there = time.time() * 1000
            while time.monotonic() < drop and (head is None or self.last < head):
                try:
                    async with asyncio.timeout_at(_loop_time(drop)):
                        frame = json.loads(await stream.recv())
                except TimeoutError:
                    return
                if frame["op"] == "ev":
                    now = time.time() * 1000
                    self.seqs += [event["seq"] for event in frame["events"]]
                    moments = [_moment_ms(event["at"]) for event in frame["events"]]
                    self.late_ms += [now - at for at in moments if at > there]


def _moment_ms(at: str) -> float:
    return datetime.fromisoformat(at).timestamp() * 1000


def _connection(client: Client, **more: Any) -> connect:
    return connect(
        f"ws://127.0.0.1:{client.port}/ws/",
        additional_headers={"Cookie": client.cookie},
        origin=Origin(client.origin),
        open_timeout=HANDSHAKE_S,
        close_timeout=0.1,
        max_size=None,
        compression=None,
        **more,
    )


async def _never_read(client: Client, run_id: str, stack: AsyncExitStack) -> None:
    """Subscribe to a run over a socket that is left alone until the stack is closed."""
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, MUTE_BYTES)
    deaf.setblocking(False)
    await asyncio.get_running_loop().sock_connect(deaf, ("127.0.0.1", client.port))
    stream = await stack.enter_async_context(_connection(client, sock=deaf, max_queue=1))
    await stream.send(json.dumps({"op": "sub", "run": run_id, "after": 0}))


def memory_of(pid: int) -> int:
    """Return the bytes of memory that a process holds, 0 where the system does not say."""
    said = Path(f"/proc/{pid}/statm")
    return int(said.read_text().split()[1]) * resource.getpagesize() if said.exists() else 0


async def _watched(pid: int | None, seconds: float) -> list[int]:
    """Return what a process held at some moments of so many seconds."""
    found, began = [], time.monotonic()
    for share in PAGES if pid is not None else ():
        await asyncio.sleep(max(0.0, began + share * seconds - time.monotonic()))
        found.append(memory_of(pid or 0))
    return found


def _loop_time(at: float) -> float:
    return asyncio.get_running_loop().time() + at - time.monotonic()


def ticking(steps: int, step_ms: int) -> dict[str, Any]:
    """Return a document that waits `steps` times `step_ms`, an event or two at each."""
    ids = [f"d{number}" for number in range(steps)]
    nodes = [{"id": i, "type": "delay", "config": {"duration_ms": step_ms}} for i in ids]
    edges = [{"source": a, "target": b} for a, b in zip(["__start__", *ids], ids, strict=False)]
    return {"graphwright": 1, "id": "ticking", "name": "Ticking", "nodes": nodes, "edges": edges}


@dataclass
class Crowd:
    """What came of it: each listener, and the server's memory at some moments."""

    listeners: list[Listener]
    memory: list[int]


async def crowd(
    client: Client, plan: Plan, *, step_ms: int = 1_000, pid: int | None = None
) -> Crowd:
    """Start the runs, let everybody listen and be dropped, then let all come back to the end."""
    steps = int(plan.seconds * 1000 / step_ms) + 5
    graph = client.post("/api/graphs/", {"document": ticking(steps, step_ms)})["id"]
    loop = asyncio.get_running_loop()
    runs = [await loop.run_in_executor(None, client.start_run, graph) for _ in range(plan.runs)]
    listeners = [Listener(runs[number % len(runs)]) for number in range(plan.sockets)]
    async with AsyncExitStack() as stack:
        for number in range(plan.mute):
            await _never_read(client, runs[number % len(runs)], stack)
        until = time.monotonic() + plan.seconds
        watching = asyncio.ensure_future(_watched(pid, plan.seconds))
        await asyncio.gather(*(each.follow(client, plan, until, None) for each in listeners))
        memory = await watching
    heads = {}
    for run_id in runs:
        await loop.run_in_executor(None, client.wait_ended, run_id, 120)
        heads[run_id] = (await loop.run_in_executor(None, client.events, run_id))[-1]["seq"]
    back = time.monotonic() + 60
    await asyncio.gather(*(e.follow(client, plan, back, heads[e.run_id]) for e in listeners))
    away = [each for each in listeners if each.last != heads[each.run_id]]
    assert not away, f"{len(away)} did not come back: {[each.failed[-3:] for each in away[:3]]}"
    return Crowd(listeners, memory)


def summary(came: Crowd) -> str:
    """Return in a line what came of it."""
    listeners = came.listeners
    late = [ms for each in listeners for ms in each.late_ms]
    cuts = quantiles(late, n=20) if len(late) > 1 else [0.0] * 19
    held = ", ".join(f"{one / 2**20:.0f}" for one in came.memory)
    failed = [reason for each in listeners for reason in each.failed]
    return (
        f"{len(listeners)} sockets, {sum(each.handshakes for each in listeners)} handshakes, "
        f"{len(failed)} failed {sorted(set(failed))[:3]}, "
        f"slowest {max(each.slowest_s for each in listeners):.1f} s, "
        f"{sum(len(each.seqs) for each in listeners)} events, "
        f"{sum(not each.is_whole for each in listeners)} with a gap or a duplicate, "
        f"event to frame {cuts[9]:.0f} ms in the middle and {cuts[18]:.0f} ms at p95, "
        f"server {held} MB at a tenth, the half and the end"
    )


def main() -> int:
    """Run the long form and print; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.crowd", description=__doc__)
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--mute", type=int, default=20, help="how many of the sockets never read")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            server.start()
            owner = server.client()
            owner.set_up()
            listening = options.sockets - options.mute
            plan = Plan(listening, options.runs, options.seconds, mute=options.mute)
            pid = None if server.process is None else server.process.pid
            came = asyncio.run(crowd(owner, plan, pid=pid))
        finally:
            server.close()
    sys.stdout.write(summary(came) + "\n")
    return int(any(each.failed or not each.is_whole for each in came.listeners))


if __name__ == "__main__":
    sys.exit(main())
