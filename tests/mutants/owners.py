"""Mistakes of who owns a run: claims, beginnings, signs of life, and the order of locks."""

from __future__ import annotations

from functools import partial
from typing import Final

from tests.mutants.mutant import Mutant, Promise

APART: Final = "tests/builder/adapters/run_store/test_apart.py"
MAILBOX: Final = "tests/builder/adapters/run_store/test_mailbox.py"
HANDS: Final = "tests/builder/adapters/run_store/test_changed_hands.py"
LOST: Final = "tests/builder/adapters/run_store/test_lost_answers.py"
LATE: Final = "tests/builder/adapters/run_store/test_late_outcomes.py"
SCHEDULES: Final = (
    "tests/simulation/owners/test_owners.py::test_no_schedule_of_two_owners_breaks_a_promise"
)
HEARTBEAT: Final = "tests/builder/process/test_heartbeat.py"
of = partial(Mutant, promise=Promise.RUNS)

MUTANTS: Final = (
    of(
        name="lost_claims_are_nobodys_business",
        file="engine/runtime/stores/sql/ownership.py",
        old="(owner IS NULL OR owner = ? OR NOT EXISTS",
        new="(owner IS NULL OR owner <> ? AND NOT EXISTS",
        breaks="A run whose claim landed while its answer was lost stands until its worker dies.",
        tests=(f"{APART}::test_a_claim_whose_answer_was_lost_is_found_by_the_next_scan",),
    ),
    of(
        name="lost_claim_forgets_whose_money_it_was",
        file="engine/runtime/stores/sql/ownership.py",
        old="        if former != self.worker:\n            self.came.add(run_id)  # before the claim: "
        "its answer may be lost\n"
        "        if former != self.worker or run_id in self._doubted:\n"
        "            await self._writer.write([(CLAIM, (self.worker, run_id, self.worker))])\n",
        new="        if former != self.worker or run_id in self._doubted:\n"
        "            await self._writer.write([(CLAIM, (self.worker, run_id, self.worker))])\n"
        "        if former != self.worker:\n            self.came.add(run_id)\n",
        breaks="A worker whose claim was answered late spends the run's budget once more.",
        tests=(f"{APART}::test_after_a_lost_answer_a_worker_learns_what_the_former_one_spent",),
    ),
    of(
        name="new_beginning_has_the_old_name",
        file="engine/runtime/stores/sql/ownership.py",
        old="self.worker = str(uuid.uuid4())",
        new='self.worker = str(uuid.uuid5(uuid.NAMESPACE_DNS, "this machine"))',
        breaks="What a worker had on its way as it was stopped lands after it has begun anew.",
        tests=(f"{APART}::test_a_worker_that_begins_anew_is_another_one",),
    ),
    of(
        name="beats_on_the_writers_connection",
        file="builder/adapters/run_store/heartbeat.py",
        old="Beats(store.dialect, self._boot_id",
        new='Beats(__import__("dataclasses").replace(store.dialect, connect=store.writer._connect), '
        "self._boot_id",
        breaks="A worker that commits for long looks dead, and others take its runs.",
        tests=(f"{HEARTBEAT}::test_the_sign_of_life_does_not_queue_behind_commits",),
    ),
    of(
        name="locks_in_any_order",
        file="engine/runtime/stores/sql/writer.py",
        old="AND owner = ? ORDER BY number{self._dialect.lock}",
        new="AND owner = ?{self._dialect.lock}",
        breaks="Two commits that lock the same runs wait for each other.",
        tests=(f"{APART}::test_a_commit_locks_its_runs_in_the_order_of_their_numbers",),
    ),
    of(
        name="drained_runs_want_nothing",
        file="engine/runtime/stores/sql/ownership.py",
        old="SET owner = NULL, wake_at = NOW_MS WHERE owner = ?",
        new="SET owner = NULL WHERE owner = ?",
        breaks="What a worker leaves as it ends is found by no scan.",
        tests=(f"{APART}::test_a_worker_begins_with_what_is_left_to_it",),
    ),
    of(
        name="ended_runs_are_not_asked",
        file="engine/runtime/stores/request_rows.py",
        old='"SELECT run FROM builder_request WHERE answered IS NULL GROUP BY run ORDER BY MIN(id)"',
        new='"SELECT run FROM builder_request JOIN builder_run r ON r.id = run "\n'
        "    \"WHERE answered IS NULL AND r.status NOT IN ('completed', 'failed', 'cancelled', "
        "'timeout') \"\n"
        '    "GROUP BY run ORDER BY MIN(builder_request.id)"',
        breaks="Who asks something of a run that has ended waits for an answer for ever.",
        tests=(f"{MAILBOX}::test_an_ended_run_answers_too",),
    ),
    of(
        name="ended_runs_are_not_claimed",
        file="engine/runtime/stores/sql/ownership.py",
        old='f"WHERE id = ? AND {FREE}"\n)',
        new='f"WHERE id = ? AND {NOT_ENDED} AND {FREE}"\n)',
        breaks="A worker finds what was asked of an ended run and may not answer it.",
        tests=(f"{MAILBOX}::test_an_ended_run_answers_too",),
    ),
    of(
        name="first_worker_takes_all",
        file="builder/adapters/run_store/apart/worker_store.py",
        old="offered = await self.owned.offered(room)",
        new="offered = await self.owned.offered(1_000_000)",
        breaks="Of two workers that begin on a backlog one takes all and the other one idles.",
        tests=(f"{APART}::test_two_workers_share_a_backlog",),
    ),
    of(
        name="waiting_runs_take_room",
        file="builder/adapters/run_store/apart/worker_store.py",
        old="moving = sum(not rests(warm.state) for warm in self._warm.values())",
        new="moving = len(self._warm)",
        breaks="A worker whose runs wait for people, or for runs below them, takes no others.",
        tests=(f"{APART}::test_runs_that_only_wait_take_no_room",),
    ),
    of(
        name="fence_is_not_looked_at",
        file="engine/runtime/stores/sql/writer.py",
        old="            if job.fence in held:\n",
        new="            if job.fence in held or held:\n",
        breaks="A worker that was stopped writes into a run that another one goes on with.",
        tests=(SCHEDULES,),
    ),
    of(
        name="claims_from_those_who_live",
        file="engine/runtime/stores/sql/ownership.py",
        old='f"WHERE id = ? AND {FREE}"\n)',
        new='"WHERE id = ? AND (owner IS NULL OR owner <> ?)"\n)',
        breaks="Two workers take a run from each other for as long as it lasts.",
        tests=(SCHEDULES,),
    ),
    of(
        name="what_came_with_word_is_not_executed",
        file="engine/runtime/recovery/service.py",
        old="if r in strays or store.peek(r) is None]",
        new="if store.peek(r) is None]",
        breaks="A run of a dead worker stands for ever once a signal has found it.",
        tests=(f"{HANDS}::test_a_run_that_came_for_another_reason_is_executed_by_the_next_scan",),
    ),
    of(
        name="budgets_of_runs_are_judged_by_memory",
        file="builder/adapters/run_store/apart/worker_store.py",
        old="self._projector.money.judged = frozenset(LEVELS)",
        new="assert LEVELS",
        breaks="Runs below one overspend its budget where two workers have them.",
        tests=(f"{HANDS}::test_a_budget_of_a_run_is_judged_by_its_row_whoever_has_the_runs_below",),
    ),
    of(
        name="late_outcomes_are_kept_to_oneself",
        file="engine/runtime/recovery/service.py",
        old="                await runner.store.hand_over(run_id)\n                return",
        new="                return",
        breaks="People are asked about a call that was answered.",
        tests=(f"{LATE}::test_what_a_worker_learns_that_lost_its_run_ends_the_doubt",),
    ),
    of(
        name="what_was_answered_meanwhile_is_asked_again",
        file="engine/runtime/execution/call_log.py",
        old='if step is not None and step.status == "done":',
        new='if step is not None and step.status == "sent":',
        breaks="A model is asked again for what it answered while the new owner waited for its turn.",
        tests=(f"{LATE}::test_what_is_told_while_one_waits_for_a_turn_is_not_asked_again",),
    ),
    of(
        name="a_look_back_forgets_what_is_held",
        file="builder/adapters/run_store/apart/worker_store.py",
        old="        if seq is not None or run_id in self._warm:\n            return await super()._fold(run_id, seq)\n",
        new="",
        breaks="A call loses its hold while another node of its run looks at an earlier state.",
        tests=(f"{LOST}::test_what_is_held_stays_known_while_one_looks_back",),
    ),
    of(
        name="late_outcomes_name_no_intent",
        file="engine/runtime/stores/call_outcome.py",
        old=" and step.seq == self.seq",
        new="",
        breaks="The answer of a first send completes a second one.",
        tests=(f"{LATE}::test_the_answer_of_a_first_send_says_nothing_of_a_second",),
    ),
    of(
        name="late_outcomes_leave_the_question_open",
        file="engine/runtime/mailbox/verbs.py",
        old='            no_longer_in_doubt(tx, outcome.key, outcome.path, happened=outcome.kind == "done")\n',
        new="            assert no_longer_in_doubt\n",
        breaks="A call that was answered late waits for a person all the same.",
        tests=(f"{LATE}::test_what_a_worker_learns_that_lost_its_run_ends_the_doubt",),
    ),
    of(
        name="workers_go_by_their_own_clocks",
        file="builder/adapters/run_store/beats.py",
        old="if said is not None and self._learn is not None:",
        new="if said is None and self._learn is not None:",
        breaks="Timers of a run fire early or late under an owner whose machine's clock is wrong.",
        tests=(
            "tests/builder/adapters/run_store/test_database_clock.py"
            "::test_a_process_with_a_clock_of_its_own_takes_the_databases",
        ),
    ),
    of(
        name="time_goes_back_in_a_run",
        file="engine/core/decide/transition.py",
        old="return state.at if now < state.at <= now + MAX_BACK_MS else now",
        new="return now",
        breaks="A run's log is out of order where its owners' clocks differ.",
        tests=(SCHEDULES,),
    ),
    of(
        name="claims_before_limits_are_known",
        file="builder/adapters/run_store/apart/worker_store.py",
        old="        if self.ledger.shared is None:\n            raise RunElsewhere",
        new="        if run_id is None:\n            raise RunElsewhere",
        breaks="What a worker sends that hears of a run while it begins is held on no shared budget.",
        tests=(f"{HANDS}::test_a_worker_claims_nothing_before_it_knows_the_limits",),
    ),
    of(
        name="older_reading_overwrites_newer_rows",
        file="builder/adapters/run_store/apart/shared_money.py",
        old="            if rows.get(row.id) is not row:",
        new="            if rows.get(row.id) is None:",
        breaks="A run that was taken over while rows were read has spent less than it did.",
        tests=(f"{HANDS}::test_a_row_that_goes_while_rows_are_learnt_stops_nothing",),
    ),
    of(
        name="doubted_commits_free_what_they_held",
        file="engine/runtime/stores/doubted.py",
        old="take_back(self._ledger, run_id, [event for event in events if not _holds(event)])",
        new="take_back(self._ledger, run_id, events)",
        breaks="Where the answer to a commit is lost, other runs spend what it has set aside.",
        tests=(
            "tests/engine/runtime/stores/test_doubted.py"
            "::test_what_a_doubted_commit_held_stays_held",
        ),
    ),
)
