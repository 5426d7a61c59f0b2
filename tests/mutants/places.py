"""Mistakes that let more runs be under way than a workspace allows."""

from __future__ import annotations

from functools import partial
from typing import Final

from tests.mutants.mutant import Mutant, Promise

PLACES: Final = (
    "tests/engine/runtime/test_places.py",
    "tests/builder/adapters/run_store/test_places.py",
)
of = partial(Mutant, promise=Promise.RUNS)

MUTANTS: Final = (
    of(
        name="rested_runs_push_in",
        file="engine/core/decide/begin/moves.py",
        old="    if rested and not claims:",
        new="    if False:",
        breaks="More runs are under way than their workspace allows, once many are answered.",
        tests=PLACES,
    ),
    of(
        name="places_are_not_counted",
        file="builder/adapters/run_store/places.py",
        old="max(limit - runs.filter(HOLDING).count(), 0)",
        new="limit",
        breaks="Each look gives all places of a workspace anew.",
        tests=PLACES,
    ),
    of(
        name="parent_keeps_the_place_of_its_child",
        file="engine/core/decide/begin/places.py",
        old='a.waiting_on in ("timer", "run") or not a.busy',
        new='a.waiting_on == "timer" or not a.busy',
        breaks="Parents hold all places and wait for ever for runs below them that get none.",
        tests=(
            "tests/engine/runtime/test_places.py"
            "::test_a_run_that_waits_for_the_runs_below_it_leaves_them_its_place",
        ),
    ),
)
