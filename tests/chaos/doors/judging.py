"""What came of the doors: what came in against what was started, and what ended against what was told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from tests.chaos.doors.workflows import FOLLOWS, RANG
from tests.chaos.facts import Fact

Found = Iterator[tuple[str, str]]
"""What is broken, by its name in the line, and where."""


def doors_broken(recorded: Sequence[Fact], answered: Sequence[Fact]) -> Found:
    """Yield what the doors lost, started twice, or told under two names."""
    done: dict[tuple[str, str], set[str]] = defaultdict(set)
    for fact in recorded:
        if fact["what"] == "came":
            done[fact["door"], fact["key"]].add(fact["idempotency_key"])
    runs = [fact for fact in answered if fact["what"] == "door_run"]
    yield from _owed(done, answered, runs)
    yield from _twice(done, answered, runs)
    yield from _notices(recorded, answered, runs)


def _owed(
    done: dict[tuple[str, str], set[str]], answered: Sequence[Fact], runs: Sequence[Fact]
) -> Found:
    """What was taken in, was due, or follows from an end has happened outside."""
    owed = {(fact["door"], fact["key"]) for fact in answered if fact["what"] == "taken"}
    for fact in answered:
        if fact["what"] == "schedule":
            owed |= {("schedule", slot) for slot in slots(fact["first"], fact["until"])}
    owed |= {("event", run["run"]) for run in runs if _completed(run, RANG)}
    for door, key in sorted(owed - set(done)):
        yield "deliveries_lost", f"{door} {key} was taken or due, and started nothing"
    for run in runs:
        if run["status"] != "completed":
            yield "deliveries_lost", f"run {run['run']} ({run['flow']}) is {run['status']}"


def _twice(
    done: dict[tuple[str, str], set[str]], answered: Sequence[Fact], runs: Sequence[Fact]
) -> Found:
    """Each id, key, due time and end starts one run."""
    for (door, key), keys in done.items():
        if len(keys) > 1:
            yield "started_twice", f"{door} {key} was done by {len(keys)} runs"
    named: dict[tuple[str, str], set[str]] = defaultdict(set)
    for fact in answered:
        if fact["what"] == "taken" and fact["run"]:
            named[fact["door"], fact["key"]].add(fact["run"])
    for (door, key), found in named.items():
        if len(found) > 1:
            yield "started_twice", f"{door} {key} was answered with {len(found)} runs"
    if len(runs) > len(done):
        yield "started_twice", f"{len(runs)} runs were started of {len(done)} things that came"
    ends = {run["run"] for run in runs if run["flow"] == RANG}
    causes = {key for door, key in done if door == "event"}
    if runs and causes - ends:
        yield "started_twice", f"{FOLLOWS} was started by what did not end: {causes - ends}"


def _notices(recorded: Sequence[Fact], answered: Sequence[Fact], runs: Sequence[Fact]) -> Found:
    """Each end is told at least once, under one id, and marked as told."""
    told: dict[str, set[str]] = defaultdict(set)
    for fact in recorded:
        if fact["what"] == "told" and fact["run"]:
            told[fact["run"]].add(fact["id"])
    for run, ids in told.items():
        if len(ids) > 1:
            yield "notices_doubled", f"the end of {run} was told under {len(ids)} ids"
    marked = {fact["run"]: fact for fact in answered if fact["what"] == "notice"}
    for run in (run["run"] for run in runs if _completed(run, RANG)):
        if run not in told:
            yield "notices_lost", f"nobody was told that {run} ended"
        elif run not in marked or marked[run]["state"] != "sent":
            yield "notices_lost", f"the word of {run} is not marked as sent"
        elif marked[run]["id"] not in told[run]:
            yield "notices_doubled", f"the end of {run} was told under another id than its own"


def _completed(run: Fact, flow: str) -> bool:
    return bool(run["flow"] == flow and run["status"] == "completed")


def slots(first: str, until: float) -> Iterator[str]:
    """Yield the minutes from the first due one to `until` (seconds since 1970), as they are told."""
    at = datetime.fromisoformat(first)
    while at.timestamp() < until:
        yield at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:00.000Z")
        at += timedelta(minutes=1)
