"""Who starts runs, each under a key, and asks again until it is acknowledged."""

from __future__ import annotations

import http.client
import itertools
import json
from random import Random
from typing import Any, Final

from tests.chaos.crowd.runs import Known, Runs
from tests.chaos.facts import Journal
from tests.chaos.house import House

HANGS_UP: Final = 0.1
"""How often the connection is cut before the answer: whether it counted is not known then."""
ASKS_AGAIN: Final = 0.2
"""How often an acknowledged start is sent once more."""


class Starter:
    """Starts one run after the other."""

    def __init__(self, house: House, runs: Runs, journal: Journal, seed: int) -> None:
        self._house = house
        self._runs = runs
        self._journal = journal
        self._tags = (f"t{number}x{seed}" for number in itertools.count(1))
        self._wanted: tuple[str, str] | None = None
        self._flows = list(house.flows)
        self._weights = [flow.weight for flow in house.flows.values()]

    def round(self, chance: Random) -> bool:
        """Start a run, or ask again for the last one; False where nothing may be started."""
        if self._wanted is None:
            if not self._runs.wants_more():
                return False
            flow = chance.choices(self._flows, self._weights)[0]
            self._wanted = next(self._tags), flow
        tag, flow = self._wanted
        if chance.random() < HANGS_UP:
            self._hang_up(tag, flow)
        if not self._start(tag, flow):
            return False
        if chance.random() < ASKS_AGAIN:
            self._start(tag, flow)
        self._wanted = None
        return True

    def _start(self, tag: str, flow: str) -> bool:
        path = f"/api/graphs/{self._house.graphs[flow]}/runs/"
        status, answer = self._house.owner.request("POST", path, _body(tag), **_key(tag))
        if status >= 300:
            self._journal.note("refused", tag=tag, status=status, answer=answer)
            return False
        run = str(answer["id"])
        self._journal.note("started", run=run, tag=tag, flow=flow)
        self._runs.add(Known(run, tag, flow))
        return True

    def _hang_up(self, tag: str, flow: str) -> None:
        owner = self._house.owner
        path = f"/api/graphs/{self._house.graphs[flow]}/runs/"
        headers = {"X-CSRFToken": owner.csrf, "Cookie": owner.cookie, "Origin": owner.origin}
        connection = http.client.HTTPConnection("127.0.0.1", owner.port, timeout=5)
        try:
            headers |= {"Content-Type": "application/json", **_key(tag)}
            connection.request("POST", path, json.dumps(_body(tag)), headers)
        finally:
            connection.close()


def _body(tag: str) -> dict[str, Any]:
    return {"input": {"tag": tag}, "memory": {"tag": tag}}


def _key(tag: str) -> dict[str, str]:
    return {"Idempotency-Key": tag}
