"""The end of a campaign at the doors: the schedule goes off, and what the product says of all is noted."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.chaos.crowd.runs import AWAY
from tests.chaos.doors.doorway import Doorway
from tests.chaos.doors.judging import doors_broken
from tests.chaos.facts import Journal, facts
from tests.e2e.server import Client

REST_S: Final = 240
"""A claim lasts a minute, and an end, its delivery, its run's end and the word of it follow one another."""
LOOK_S: Final = 1.0
GRACE_S: Final = 20
"""A time that was due so shortly before the schedule went off need not have been fired."""


def close_doors(doorway: Doorway, record: Path, answers: Journal, tend: Callable[[], None]) -> None:
    """Switch the schedule off, wait until nothing is owed any more, and note what the product says."""
    until = time.monotonic() + REST_S
    while not _switched_off(doorway):
        tend()
    answers.note("schedule", first=doorway.first_due, until=time.time() - GRACE_S)
    while time.monotonic() < until:
        tend()
        try:
            told = _told(doorway)
        except AWAY:
            continue
        said = [*facts(answers.path), *told]
        if not list(doors_broken(facts(record), said)):
            break
        _hurry(doorway, told)
        time.sleep(LOOK_S)
    for fact in _told(doorway):
        answers.note(**fact)


def _switched_off(doorway: Doorway) -> bool:
    try:
        path = f"/api/triggers/{doorway.schedule}/"
        return doorway.owner.request("PATCH", path, {"on": False})[0] == 200
    except AWAY:
        return False


def _hurry(doorway: Doorway, told: list[dict[str, Any]]) -> None:
    """Have what was refused again and again sent now, as people would: its pauses grow to an hour."""
    for fact in told:
        if fact["what"] == "notice" and fact["state"] == "waiting" and fact["tries"] > 1:
            with contextlib.suppress(*AWAY):
                doorway.owner.request("POST", f"/api/notices/{fact['id']}/again/", {})


def _told(doorway: Doorway) -> list[dict[str, Any]]:
    """Return the runs of the doors' workflows and the notices, as the product lists them."""
    found = []
    for name, graph in doorway.graphs.items():
        for run in _all(doorway.owner, f"/api/runs/?graph={graph}"):
            fact = {"run": run["id"], "status": run["status"], "source": run["source"]}
            found.append({"what": "door_run", "flow": name, **fact})
    for notice in _all(doorway.owner, f"/api/notices/?of=workspace&channel={doorway.channel}"):
        fact = {key: notice[key] for key in ("id", "state", "run", "tries")}
        found.append({"what": "notice", **fact})
    return found


def _all(client: Client, path: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    cursor = ""
    while True:
        page = client.get(f"{path}&limit=200{cursor}")
        rows += page["results"]
        if not page["next"]:
            return rows
        cursor = f"&cursor={page['next']}"
