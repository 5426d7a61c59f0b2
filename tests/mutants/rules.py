"""The rules by which many processes share the runs, and the seeded mistakes that break each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that a simulation of two owners has shown to be needed, and names of mistakes."""

    words: str
    broken_by: tuple[str, ...]


RULES: Final = (
    Rule(
        "A run that nobody owns and that may move says so by the moment at which it wakes: starting "
        "and draining write it.",
        ("starts_wait_for_their_deadline", "drained_runs_want_nothing"),
    ),
    Rule(
        "Waiting for another run is rest: a parent keeps no place from its child.",
        ("parent_keeps_the_place_of_its_child", "waiting_runs_take_room"),
    ),
    Rule(
        "A worker also looks for runs whose row names it and that it does not hold.",
        ("lost_claims_are_nobodys_business",),
    ),
    Rule(
        "After a commit of unknown outcome the run is claimed anew, with the next epoch; a worker "
        "that begins anew is another one.",
        (
            "unknown_outcome_keeps_its_epoch",
            "fence_without_epoch",
            "new_beginning_has_the_old_name",
            "lost_claim_forgets_whose_money_it_was",
        ),
    ),
    Rule(
        "It is the worker that is alive or not, never the run: nobody takes from who is alive.",
        ("claim_takes_from_the_living", "claims_from_those_who_live", "a_hung_worker_looks_alive"),
    ),
    Rule(
        "Every commit carries its fence.",
        ("commits_carry_no_fence", "fence_is_not_looked_at"),
    ),
    Rule(
        "A group of commits first locks its runs in one order, compares their epochs, and leaves "
        "out what it does not own any more.",
        ("fence_without_lock", "locks_in_any_order"),
    ),
    Rule(
        "The clock is the database's, and within a run it never goes back.",
        ("workers_go_by_their_own_clocks", "time_goes_back_in_a_run"),
    ),
    Rule(
        "A late outcome names the intent that it is of, and counts only while that one is open.",
        ("late_outcomes_name_no_intent",),
    ),
    Rule(
        "The end of a run settles what it holds, or counts it as spent, in the same commit.",
        ("end_leaves_its_holds", "lost_call_costs_nothing"),
    ),
    Rule(
        "A request is found because it is not answered, of ended runs too; it comes before timers "
        "and before calls in doubt, and counts by when it was made.",
        (
            "bell_alone_finds_requests",
            "ended_runs_are_not_asked",
            "ended_runs_are_not_claimed",
            "timers_before_requests",
            "take_over_before_requests",
            "answers_judged_when_they_are_read",
        ),
    ),
    Rule(
        "A look for runs claims what it has room for.",
        ("first_worker_takes_all", "waiting_runs_take_room"),
    ),
    Rule(
        "A hold is settled by who deletes its row.",
        ("hold_settled_by_whoever_asks",),
    ),
    Rule(
        "A hold is released only where no open call has it, never for its age.",
        ("open_call_is_an_orphan",),
    ),
    Rule(
        "Runs are locked by their numbers, then budgets by their level and id.",
        ("locks_in_any_order", "budgets_locked_as_they_come"),
    ),
)
