"""A run of each graph, crashed at every await and commit point of its calm course, one by one."""

from __future__ import annotations

import os

import pytest

from engine.core.graph.document import GraphSpec
from tests.simulation.asked import ASKED
from tests.simulation.harness import POOL, play

SEEDS = int(os.environ.get("SIM_ASKED", "12"))
EVERY = int(os.environ.get("SIM_EVERY", "3"))
"""Try each how-manieth point."""

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*POOL, ASKED], ids=lambda spec: spec.id)
def test_no_crash_point_breaks_a_promise(spec: GraphSpec) -> None:
    """I12, I17: Wherever the process dies, the run goes on and every promise is kept."""
    calm = play(1, pool=(spec,), crash_at=0)

    assert calm.boots == 1
    assert calm.points > 70
    for point in range(1, calm.points + 1, EVERY):
        assert play(1, pool=(spec,), crash_at=point).boots == 2


def test_a_breakpoint_survives_every_crash_point() -> None:
    """A run that its starter steps through goes on wherever the process dies."""
    for point in range(1, play(2, pool=POOL[:1], crash_at=0).points + 1, 4):
        played = play(2, pool=POOL[:1], crash_at=point)
        assert played.boots == 2
        [shadow] = played.checker.shadows.values()
        assert any(e.data.get("kind") == "breakpoint" for e in shadow.log)


def test_the_points_stand_on_both_sides_of_every_commit() -> None:
    """A crash at one point more than there are never comes."""
    calm = play(1, pool=POOL[:1], crash_at=0)

    assert calm.points > 2 * calm.checker.commits
    assert play(1, pool=POOL[:1], crash_at=calm.points + 1).boots == 1


def test_calls_that_are_asked_about_survive_faults_and_crashes() -> None:
    """Seeded schedules: what is sent is what a person approved, once, whatever goes wrong beside."""
    for seed in range(1, SEEDS + 1):
        play(seed, pool=(ASKED,))
