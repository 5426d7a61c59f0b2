"""`python -m tests.benchmarks.reviewers`: thousands of open approvals, and many people at them at once.

Starts the real server on an empty folder and as many runs as are wanted, each of which asks for an
approval. Then every person does what people do: asks for the list, opens an item of it, decides it. All
of them go for the same few items, so that most come second. Exits 1 where an item was granted to two.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.benchmarks.web import REVIEW, at_once
from tests.e2e.server import Client, serving, wait_until
from tests.e2e.test_hostile_input import joined

LIST: Final = "/api/interrupts/?state=open&ordering=deadline&limit=50"
ACCOUNTS: Final = 20
"""So many come by invitations, which are counted; each of them has several pages open."""


class Desk:
    """The open approvals of one server, and what came of going for them."""

    def __init__(self, owner: Client) -> None:
        self._owner = owner
        self.times: dict[str, list[float]] = {"list": [], "item": [], "decision": []}
        self.statuses: Counter[int] = Counter()
        self.granted: defaultdict[str, set[str]] = defaultdict(set)
        """Item → who was told that their word counted; a page may say the same again."""
        self.pause_s = 0.0
        """How long people look before they act, in the middle."""
        self.list_path = LIST

    def fill(self, count: int) -> None:
        """Start so many runs, and wait until each has asked."""
        made = self._owner.post("/api/graphs/", {"document": REVIEW})
        self._owner.post(f"/api/graphs/{made['id']}/publish/", {"revision": made["revision"]})
        path = f"/api/graphs/{made['id']}/runs/"
        for number in range(count):
            self._owner.post(path, {"input": {"number": number}})
        wait_until(lambda: self._open() == count, f"{count} open approvals", 300)

    def _open(self) -> int:
        return int(self._owner.get("/api/overview/")["open_interrupts"])

    def sit(self, client: Client, seed: int, until: float) -> None:
        """Decide one item after the other until it is over."""
        chance = Random(seed)
        time.sleep(chance.uniform(0, self.pause_s))
        while time.monotonic() < until:
            rows = self._timed("list", client, "GET", self.list_path)[1]["results"]
            if not rows:
                return
            place = min(int(chance.expovariate(0.3)), len(rows) - 1)
            path = f"/api/interrupts/{rows[place]['request_id']}/"
            item = self._timed("item", client, "GET", path)[1]
            if item["status"] != "open":
                continue
            time.sleep(chance.uniform(0, 2 * self.pause_s))
            said = {"token": item["resume_token"], "decision": "approved"}
            said["content_hash"] = item["content_hash"]
            status, _ = self._timed("decision", client, "POST", f"{path}answer/", said)
            self.statuses[status] += 1
            if status < 300:
                self.granted[item["request_id"]].add(client.csrf)

    def _timed(
        self, what: str, client: Client, method: str, path: str, body: Any = None
    ) -> tuple[int, Any]:
        began = time.perf_counter()
        answer = client.request(method, path, body)
        self.times[what].append((time.perf_counter() - began) * 1_000)
        return answer

    def lines(self) -> Sequence[str]:
        """Return what it took, in ms, and how the decisions went."""
        told = []
        for what, times in self.times.items():
            p95 = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else 0
            told.append(
                f"{what:<9} {statistics.median(times):5.0f} ms, p95 {p95:5.0f} ({len(times):,})"
            )
        twice = sum(len(who) > 1 for who in self.granted.values())
        told.append(
            f"{len(self.granted):,} decided, {twice} of them by two; answers {dict(self.statuses)}"
        )
        return told


def main() -> int:
    """Print what lists, items and decisions took; 1 where something was granted twice."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.reviewers", description=__doc__
    )
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument(
        "--pause", type=float, default=5, help="seconds that somebody reads an item"
    )
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--view", help="of the list, as decide, which the page begins with")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), API_PACE="0") as server,
    ):
        server.start()
        owner = server.client()
        owner.set_up()
        desk = Desk(owner)
        desk.pause_s = options.pause
        desk.list_path += f"&view={options.view}" if options.view else ""
        desk.fill(options.items)
        names = [f"rita{number}" for number in range(min(options.people, ACCOUNTS))]
        known = [joined(server, owner, name, "reviewer") for name in names]
        people = [known[number % len(known)] for number in range(options.people)]
        until = time.monotonic() + options.seconds
        at_once([partial(desk.sit, client, n, until) for n, client in enumerate(people)])
    sys.stdout.write("\n".join(desk.lines()) + "\n")
    return int(any(len(who) > 1 for who in desk.granted.values()))


if __name__ == "__main__":
    sys.exit(main())
