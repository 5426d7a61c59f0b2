"""Mistakes of who owns a run: claims, beginnings, signs of life, and the order of locks."""

from __future__ import annotations

from functools import partial
from typing import Final

from tests.mutants.mutant import Mutant, Promise

APART: Final = "tests/builder/adapters/run_store/test_apart.py"
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
        "if its answer is lost, the row is ours next time\n"
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
)
