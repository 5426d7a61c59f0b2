"""Mistakes that leave a run without executor whose execution was stopped."""

from __future__ import annotations

from functools import partial
from typing import Final

from tests.mutants.mutant import Mutant, Promise

STOPPED: Final = ("tests/engine/runtime/test_stopped_executions.py",)
of = partial(Mutant, promise=Promise.RUNS)

MUTANTS: Final = (
    of(
        name="stopped_by_a_read_for_ever",
        file="engine/runtime/recovery/service.py",
        old="        if is_left and not self._runner.closed:",
        new="        if is_left and not isinstance(error, StoreError):",
        breaks="A run whose execution ended by a read that failed has no executor for ever.",
        tests=STOPPED,
    ),
    of(
        name="stopped_and_begun_at_once",
        file="engine/runtime/recovery/stops.py",
        old="        wait = min(2 * waited, MAX_STOPPED_SECONDS)",
        new="        wait = STOPPED_SECONDS",
        breaks="A run that cannot get on is begun again many times a second and fills its log.",
        tests=STOPPED,
    ),
    of(
        name="stopped_long_ago_and_late_for_ever",
        file="engine/runtime/recovery/service.py",
        old="        self._stops.forget()\n",
        new="",
        breaks="A run that was stopped often, and got on since, waits a minute for each read that fails.",
        tests=STOPPED,
    ),
    of(
        name="stopped_and_begun_unseen",
        file="engine/runtime/recovery/service.py",
        old="        while not runner.store.may_send():",
        new="        while runner.closed:",
        breaks="A worker that others take for dead fills its log with calls that it may not send.",
        tests=("tests/engine/runtime/test_leases.py",),
    ),
)
