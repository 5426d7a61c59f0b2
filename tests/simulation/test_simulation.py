"""Seeded schedules of the whole engine, with crashes at every commit and await.

`SIM_SCHEDULES` says how many; a failure names its seed: `play(seed)` plays it again.
"""

from __future__ import annotations

import os

import pytest

from tests.simulation.composite_mutants import MUTANTS as COMPOSITE_MUTANTS
from tests.simulation.graphs import GRAPHS
from tests.simulation.harness import play
from tests.simulation.invariants import Violation
from tests.simulation.mutants import MUTANTS, Patch, mutated

SCHEDULES = int(os.environ.get("SIM_SCHEDULES", "600"))
LONG = int(os.environ.get("SIM_LONG", "50000"))
PARTS = 20
MUTANT_SCHEDULES = 400

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def _play_part(part: int, schedules: int) -> tuple[int, int]:
    boots = commits = 0
    for seed in range(part * schedules // PARTS, (part + 1) * schedules // PARTS):
        played = play(seed)
        boots += played.boots
        commits += played.checker.commits
    return boots, commits


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_schedule_breaks_a_promise(part: int) -> None:
    """I12, I17, C31, C34, C40, C43, C45: I1 to I8, I10 and I11 of the durability protocol after every commit."""
    boots, commits = _play_part(part, SCHEDULES)

    assert boots > SCHEDULES // PARTS
    assert commits > 10 * SCHEDULES // PARTS


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_no_long_schedule_breaks_a_promise(part: int) -> None:
    _play_part(part, LONG)


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_killed(name: str) -> None:
    """An engine without this safeguard breaks a promise that the simulation checks."""
    with mutated(name):
        for seed in range(MUTANT_SCHEDULES):
            try:
                play(seed, pool=(GRAPHS[seed % len(GRAPHS)],))
            except Violation:
                return
    pytest.fail(f"{name} survived {MUTANT_SCHEDULES} schedules")


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPOSITE_MUTANTS)
def test_mutant_of_a_composite_is_killed(name: str) -> None:
    """An engine without this safeguard breaks a promise in the graph that it is there for."""
    mutate, spec = COMPOSITE_MUTANTS[name]
    patch = Patch()
    mutate(patch)
    try:
        for seed in range(MUTANT_SCHEDULES):
            try:
                play(seed, pool=(spec,))
            except Violation:
                return
    finally:
        patch.undo()
    pytest.fail(f"{name} survived {MUTANT_SCHEDULES} schedules")


def test_a_schedule_is_played_the_same_again() -> None:
    """A seed decides everything, so that a failure can be looked at."""
    first, again = play(7), play(7)

    logs = [
        [(e.seq, e.type, e.at, e.key) for s in played.checker.shadows.values() for e in s.log]
        for played in (first, again)
    ]
    assert logs[0] == logs[1]
    assert first.world.charges == again.world.charges
