"""Mistakes with calls to the outside: what is recorded once, and what is sent again."""

from __future__ import annotations

from functools import partial
from typing import Final

from tests.mutants.mutant import Mutant, Promise

FENCES: Final = ("tests/engine/runtime/test_fences.py",)
MONEY: Final = ("tests/engine/runtime/approvals/test_money_and_approvals.py",)
of = partial(Mutant, promise=Promise.ONCE)

MUTANTS: Final = (
    of(
        name="end_begins_calls",
        file="engine/runtime/runner.py",
        old="(self.under_way.are_last and not is_outcome)",
        new="(self.under_way.are_last and is_outcome)",
        breaks="A process that was told to end sends more, and loses what its calls gave.",
        tests=("tests/engine/runtime/test_drain.py",),
    ),
    of(
        name="end_waits_for_no_call",
        file="engine/runtime/under_way.py",
        old="            if not before:\n                break",
        new="            break",
        breaks="A payment under way is in doubt after each upgrade.",
        tests=("tests/engine/runtime/test_drain.py",),
    ),
    of(
        name="end_keeps_runs_that_wait",
        file="engine/runtime/under_way.py",
        old="            if leave is not None and before != told:",
        new="            if leave is not None and not before and before != told:",
        breaks="While one call of a worker that ends takes long, all its other runs stand still.",
        tests=("tests/engine/runtime/test_drain.py",),
    ),
    of(
        name="no_fence_where_a_call_is_recorded",
        file="engine/runtime/runner.py",
        old="            if act is None or act.epoch != epoch:\n                raise Cancelled\n            if tx",
        new="            if act is None:\n                raise Cancelled\n            if tx",
        breaks="Who was taken over still sends calls, asks people and starts children.",
        tests=FENCES,
    ),
    of(
        name="no_fence_where_a_node_completes",
        file="engine/runtime/execution/executor.py",
        old="                raise Cancelled\n            try:\n                complete_node(",
        new="                pass\n            try:\n                complete_node(",
        breaks="Who was taken over completes the node.",
        tests=FENCES,
    ),
    of(
        name="no_fence_where_a_node_fails",
        file="engine/runtime/execution/executor.py",
        old="            if act is None or act.epoch != claim.epoch:\n                raise Cancelled\n"
        "            rejected =",
        new="            if act is None:\n                raise Cancelled\n            rejected =",
        breaks="Who was taken over fails the node.",
        tests=FENCES,
    ),
    of(
        name="no_fence_where_a_node_is_late",
        file="engine/runtime/execution/executor.py",
        old="            if act is None or act.epoch != claim.epoch:\n                raise Cancelled\n"
        "            open_steps =",
        new="            if act is None:\n                raise Cancelled\n            open_steps =",
        breaks="The timeout of who was taken over fails the new attempt.",
        tests=FENCES,
    ),
    of(
        name="no_fence_where_a_node_leaves",
        file="engine/core/decide/exits/early_exits.py",
        old="    if act is None or act.epoch != claim.epoch:",
        new="    if act is None:",
        breaks="A breach or a wait of who was taken over ends the new attempt.",
        tests=FENCES,
    ),
    of(
        name="stale_claim_begins",
        file="engine/runtime/execution/executor.py",
        old="        if act is None or act.epoch != self._claim.epoch:\n            return None",
        new="        if act is None:\n            return None",
        breaks="A claim that was taken over before it began runs the node's code.",
        tests=FENCES,
    ),
    of(
        name="a_takeover_keeps_the_epoch",
        file="engine/core/decide/scheduler.py",
        old="epoch = (act.epoch if act is not None else 0) + 1",
        new="epoch = max(act.epoch if act is not None else 0, 1)",
        breaks="No fence can tell the new owner from the old one.",
        tests=FENCES,
    ),
    of(
        name="probe_sent_again_without_a_person",
        file="engine/runtime/execution/call_log.py",
        old="DOUBTFUL = frozenset({EffectClass.UNSAFE, EffectClass.PROBE})",
        new="DOUBTFUL = frozenset({EffectClass.UNSAFE})",
        breaks="A probe call that may have happened is sent again by itself.",
        tests=MONEY,
    ),
    of(
        name="unsafe_sent_again_without_a_person",
        file="engine/runtime/execution/call_log.py",
        old="DOUBTFUL = frozenset({EffectClass.UNSAFE, EffectClass.PROBE})",
        new="DOUBTFUL = frozenset({EffectClass.PROBE})",
        breaks="The same for unsafe calls.",
        tests=MONEY,
    ),
    of(
        name="keyed_sent_under_a_new_key",
        file="engine/runtime/execution/calls.py",
        old="attempt, path = (ctx.attempt, path) if sent is None else (sent.attempt, sent.path)\n"
        "        return idempotency_key",
        new="attempt, path = ctx.attempt, path\n        return idempotency_key",
        breaks="A retried keyed call has another key: it happens twice.",
        tests=MONEY,
    ),
    of(
        name="refused_resend_counts_for_what_was_sent_first",
        file="engine/runtime/execution/calls.py",
        old="error.retryable and (unsure or again)",
        new="error.retryable and again < 0",
        breaks="A service that did a call and is busy when asked again is asked under a new key.",
        tests=("tests/engine/runtime/test_unsure_keys.py",),
    ),
    of(
        name="another_try_forgets_what_was_sent",
        file="engine/core/state/fold/steps.py",
        old='if data.get("again") and step.effect is EffectClass.KEYED:',
        new='if data.get("again") and step.effect is EffectClass.READ:',
        breaks="A call that a person has sent again after doubt gets a new key once it is refused.",
        tests=("tests/engine/runtime/test_unsure_keys.py",),
    ),
    of(
        name="lost_call_costs_nothing",
        file="engine/core/decide/endings.py",
        old='crossed = tx.ledger.settle(hold_id, tokens, usd, "presumed")',
        new='crossed = tx.ledger.settle(hold_id, 0, hold.usd * 0, "presumed")',
        breaks="A model call that a kill cut off counts as free.",
        tests=("tests/engine/runtime/budgets/test_shared_budgets.py",),
    ),
    of(
        name="broken_answer_counts_as_far_as_it_came",
        file="engine/runtime/execution/calls.py",
        old="                heard.void()\n",
        new="                heard.note(1)\n",
        breaks="A provider that ended the call itself is taken to have stopped generating.",
        tests=("tests/engine/runtime/budgets/test_stopped_answers.py",),
    ),
    of(
        name="answer_forgotten_with_a_failed_commit",
        file="engine/runtime/stores/buffered.py",
        old="        self.facts.keep(batch.run_id, batch.facts)\n",
        new="",
        breaks="A full disk makes the engine send a call again that was answered.",
        tests=("tests/engine/runtime/test_answers_kept.py",),
    ),
    of(
        name="intent_not_durable_before_the_call",
        file="engine/runtime/execution/call_log.py",
        old="return hold_id, await self._host.transact_held(ctx, intend, flush=True)",
        new="return hold_id, await self._host.transact_held(ctx, intend, flush=False)",
        breaks="After a crash nobody knows that the call was sent.",
        tests=MONEY,
    ),
    of(
        name="happened_is_sent_again",
        file="engine/core/decide/in_doubt.py",
        old='    if decision == "happened":\n        tx.emit("StepCompleted"',
        new='    if decision == "it happened":\n        tx.emit("StepCompleted"',
        breaks="A call of which a person says that it happened is sent again.",
        tests=MONEY,
    ),
)
