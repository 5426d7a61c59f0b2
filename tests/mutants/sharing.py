"""Mistakes of what processes share: the patience of providers, circuits, the pace of callers."""

from __future__ import annotations

from functools import partial
from typing import Final

from tests.mutants.mutant import Mutant, Promise

PAUSES: Final = "tests/builder/adapters/test_provider_pauses.py"
BREAKERS: Final = "tests/builder/adapters/run_store/test_shared_breakers.py"
TURNS: Final = "tests/engine/runtime/test_call_turns.py"
of = partial(Mutant, promise=Promise.RUNS)

MUTANTS: Final = (
    of(
        name="pause_is_one_calls_own",
        file="builder/adapters/models/turns.py",
        old="                if left_ms > 0:  # asked",
        new="                if left_ms < 0:  # asked",
        breaks="A provider that asked for a pause is asked on by all others with the same key.",
        tests=(f"{PAUSES}::test_a_pause_that_one_worker_heard_of_holds_for_all_and_ends",),
    ),
    of(
        name="pause_of_a_shared_key_is_one_workspaces",
        file="builder/adapters/models/turns.py",
        old="WHERE w.id = ? OR (EXISTS ",
        new="WHERE w.id = ? OR (1 = 0 AND EXISTS ",
        breaks="Workspaces that share the key of the environment use up one another's attempts.",
        tests=(f"{PAUSES}::test_who_shares_the_key_of_the_environment_shares_its_pause",),
    ),
    of(
        name="pause_without_a_database_is_not_kept",
        file="engine/runtime/system.py",
        old="self._clock.now()) > 0:",
        new="self._clock.now()) > 10**12:",
        breaks="Runs of one process ask a provider that asked for a pause.",
        tests=(
            f"{TURNS}::test_a_provider_that_asks_for_a_pause_is_called_by_nobody_until_it_is_over",
        ),
    ),
    of(
        name="told_to_wait_is_an_attempt",
        file="engine/core/state/fold/steps.py",
        old='    if event.data.get("uncounted"):\n',
        new="    if event.seq < 0:\n",
        breaks="A node fails because its provider said four times when to ask again.",
        tests=(f"{TURNS}::test_an_attempt_that_was_told_when_to_ask_again_does_not_count",),
    ),
    of(
        name="circuit_of_the_last_writer",
        file="builder/adapters/run_store/apart/shared_breakers.py",
        old='DECIDE: Final = f"{STANDS} WHERE builder_breaker.epoch = excluded.epoch - 1"',
        new="DECIDE: Final = STANDS",
        breaks="A worker that missed what became of a circuit decides on it.",
        tests=(f"{BREAKERS}::test_who_missed_what_became_of_a_circuit_decides_nothing",),
    ),
    of(
        name="failures_of_before_count",
        file="builder/adapters/run_store/apart/shared_breakers.py",
        old='    "WHERE builder_breaker.epoch = excluded.epoch"\n',
        new='    ""\n',
        breaks="What failed before a circuit was closed counts against it afterwards.",
        tests=(f"{BREAKERS}::test_an_operators_word_holds_against_what_was_decided_before_it",),
    ),
    of(
        name="pace_is_each_process_own",
        file="builder/services/people/pace.py",
        old="self._bucket(caller, now).left -= count",
        new="self._bucket(caller, now).left -= 0 * count",
        breaks="Who asks two web processes gets twice what is allowed.",
        tests=(
            "tests/builder/services/test_pace.py"
            "::test_who_asks_two_processes_gets_no_more_than_at_one",
        ),
    ),
    of(
        name="given_up_functions_go_on",
        file="engine/runtime/execution/functions/own_process.py",
        old="                self._process.kill()\n",
        new="                self._process.is_alive()\n",
        breaks="A function that computes goes on where its step was cancelled or timed out.",
        tests=(
            "tests/engine/runtime/functions/test_own_process.py"
            "::test_its_process_is_gone_where_the_step_is_given_up",
        ),
    ),
)
