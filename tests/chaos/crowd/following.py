"""Who looks on: at one run over a socket that is cut again and again, and at how each run ends."""

from __future__ import annotations

import json
import time
from random import Random
from typing import Any, Final

from websockets.sync.client import connect
from websockets.typing import Origin

from tests.chaos.crowd.runs import AWAY, Known, Runs
from tests.chaos.facts import Journal
from tests.chaos.house import House
from tests.e2e.server import TERMINAL, Client

CUT_S: Final = (0.3, 3.0)
GIVE_UP_S: Final = 100
"""Who has not seen the end of a run that is over for so long has missed it: less than a rest."""
PAGE: Final = 500


class Watcher:
    """Follows one run after the other from its first event to its last."""

    def __init__(self, house: House, runs: Runs, journal: Journal) -> None:
        self._client = house.owner
        self._runs = runs
        self._journal = journal
        self._known: Known | None = None
        self._seen: list[list[Any]] = []
        self._over_since = 0.0

    @property
    def idle(self) -> bool:
        """Whether it follows nothing."""
        return self._known is None

    def round(self, chance: Random) -> bool:
        """Follow the run over one connection; False where there is none to follow."""
        if self._known is None:
            under_way = self._runs.under_way()
            if not under_way:
                return False
            self._known, self._seen, self._over_since = chance.choice(under_way), [], 0.0
        try:
            self._listen(self._known, time.monotonic() + chance.uniform(*CUT_S))
        finally:
            self._look_at_end(self._known)
        return True

    def _listen(self, known: Known, until: float) -> None:
        with connect(
            f"ws://127.0.0.1:{self._client.port}/ws/",
            additional_headers={"Cookie": self._client.cookie},
            origin=Origin(self._client.origin),
            open_timeout=5,
            close_timeout=0.1,
        ) as stream:
            stream.send(json.dumps({"op": "sub", "run": known.run, "after": self._last}))
            while time.monotonic() < until and not self._has_all(known):
                try:
                    frame = json.loads(stream.recv(timeout=0.1))
                except TimeoutError:
                    continue
                if frame["op"] == "ev":
                    self._seen += [[event["seq"], event["type"]] for event in frame["events"]]

    @property
    def _last(self) -> int:
        return int(self._seen[-1][0]) if self._seen else 0

    def _has_all(self, known: Known) -> bool:
        return known.head is not None and self._last >= known.head

    def _look_at_end(self, known: Known) -> None:
        if known.head is None:
            return
        self._over_since = self._over_since or time.monotonic()
        if self._has_all(known) or time.monotonic() - self._over_since > GIVE_UP_S:
            self._journal.note("watched", run=known.run, seen=self._seen)
            self._known = None


class Bookkeeper:
    """Notes how each run ended, and its log."""

    def __init__(self, house: House, runs: Runs, journal: Journal) -> None:
        self._client = house.owner
        self._runs = runs
        self._journal = journal

    def round(self, chance: Random) -> bool:
        """Look at every run that was under way."""
        for known in self._runs.under_way():
            try:
                self._look(known)
            except AWAY:
                return False
        return False

    def _look(self, known: Known) -> None:
        status, run = self._client.request("GET", f"/api/runs/{known.run}/")
        if status == 404:
            self._journal.note("gone", run=known.run, tag=known.tag)
        if status != 200 or run["status"] not in TERMINAL:
            return
        log = log_of(self._client, known.run)
        if log is None:
            return
        spend = run["spend"]
        self._journal.note(
            "ended",
            run=known.run,
            tag=known.tag,
            flow=known.flow,
            status=run["status"],
            code=(run["error"] or {}).get("code"),
            booked=spend["tokens"],
            held=spend["held_tokens"],
            log=[[event["seq"], event["type"]] for event in log],
            resolved=[_resolution(e) for e in log if e["type"] == "InterruptResolved"],
        )
        known.head = log[-1]["seq"]


def log_of(client: Client, run: str) -> list[dict[str, Any]] | None:
    """Return a whole log, None where the server is away."""
    found: list[dict[str, Any]] = []
    while True:
        after = found[-1]["seq"] if found else 0
        path = f"/api/runs/{run}/events/?after={after}&limit={PAGE}"
        status, answer = client.request("GET", path)
        if status != 200:
            return None
        found += answer["events"]
        if not answer["events"] or found[-1]["seq"] >= answer["head"]:
            return found


def _resolution(event: dict[str, Any]) -> dict[str, Any]:
    """Return what closed a request; nobody did where its run ended first."""
    said = {name: event.get(name) for name in ("decision", "by")}
    return {"request": event["request_id"], **said}
