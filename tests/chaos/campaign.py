"""One run of the kit: phases in which things break, each followed by a rest in which all must end."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from tests.chaos.crowd import Crowd
from tests.chaos.doors.ending import close_doors
from tests.chaos.evidence import Rules
from tests.chaos.facts import Journal, facts
from tests.chaos.faults import Faults
from tests.chaos.house import House, furnished
from tests.chaos.judge import judge
from tests.chaos.product import Product
from tests.chaos.product.embedded import Embedded
from tests.chaos.product.scaled import Scaled
from tests.chaos.verdict import Verdict
from tests.chaos.workflows import BUDGET_TOKENS
from tests.e2e.server import ROOT

MODES: Final[dict[str, type[Product]]] = {"embedded": Embedded, "scaled": Scaled}
REST_S: Final = 120
"""A run that has not ended after so long without any fault is stuck."""
LOOK_S: Final = 0.1
PURSE_A_KILL: Final = 150
"""Tokens of the shared budget: it is empty before the end, and not at the beginning."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked for."""

    mode: str
    kills: int
    seed: int
    minutes: float
    phase: int = 10
    """Kills between two rests."""
    under_way: int = 24
    """Runs at a time."""


@dataclass(slots=True)
class Outcome:
    """What came of it."""

    verdict: Verdict
    kills: int
    starts_s: list[float]
    struck: dict[str, int]


def campaign(plan: Plan, folder: Path) -> Outcome:
    """Play the plan on an empty folder; everything that was said and noted stays in it."""
    random = Random(plan.seed)
    record, answers = folder / "recorder.jsonl", folder / "answers.jsonl"
    with recorder(record) as address, product(plan.mode, folder, address) as running:
        house = furnished(running.port, address, PURSE_A_KILL * plan.kills)
        journal = Journal(answers)
        crowd = Crowd(house, journal, plan.seed, most=plan.under_way)
        faults = Faults(running, address, random)
        crowd.begin()
        try:
            _phases(plan, crowd, faults)
        finally:
            crowd.leave()
        close_doors(house.doorway, record, journal, faults.tend)
        rules = _rules(house)
    verdict = judge(facts(record), facts(answers), rules)
    return Outcome(verdict, faults.kills, running.starts_s, dict(faults.struck))


def _phases(plan: Plan, crowd: Crowd, faults: Faults) -> None:
    until = time.monotonic() + plan.minutes * 60
    while faults.kills < plan.kills and time.monotonic() < until:
        crowd.runs.may_start = True
        for _ in range(min(plan.phase, plan.kills - faults.kills)):
            faults.strike()
        faults.heal()
        crowd.runs.may_start = False
        if not _rested(crowd, faults):
            return


def _rested(crowd: Crowd, faults: Faults) -> bool:
    """Wait until all runs have ended; False where one has not in time."""
    until = time.monotonic() + REST_S
    while not crowd.is_quiet():
        if time.monotonic() > until:
            return False
        faults.tend()
        time.sleep(LOOK_S)
    return True


def _rules(house: House) -> Rules:
    owes = {name: flow.owes for name, flow in house.flows.items()}
    return Rules(
        owes,
        BUDGET_TOKENS,
        purse_tokens=house.purse_tokens,
        purse_booked=house.booked_of_purse(),
    )


@contextmanager
def recorder(record: Path) -> Iterator[str]:
    """Have the other side while the block lasts; yields its address."""
    command = [sys.executable, "-m", "tests.chaos.recorder", "--record", str(record)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{json.loads(process.stdout.readline())['port']}"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@contextmanager
def product(mode: str, folder: Path, allow: str) -> Iterator[Product]:
    """Have the product while the block lasts."""
    running = MODES[mode](folder, allow)
    try:
        running.start()
        running.starts_s.clear()
        yield running
    finally:
        running.close()
