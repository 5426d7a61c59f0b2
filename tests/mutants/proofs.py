"""Mistakes of what is found while drawing."""

from __future__ import annotations

from functools import partial
from typing import Final

from tests.mutants.mutant import Mutant, Promise

DANGERS: Final = ("tests/engine/check/test_dangers.py", "tests/engine/check/test_unsafe.py")
FLOW: Final = ("tests/engine/check/test_flow.py",)
KEYS: Final = ("tests/engine/check/test_keys.py",)
PEOPLE: Final = (
    "tests/engine/check/test_approvals.py",
    "tests/engine/check/test_approval_people.py",
)
SAVES: Final = ("tests/builder/services/test_one_proof.py",)
JOINED: Final = ("tests/engine/check/test_joined_approvals.py",)
of = partial(Mutant, promise=Promise.PROOF)

MUTANTS: Final = (
    of(
        name="probe_tools_are_harmless",
        file="engine/check/rules/dangers.py",
        old="        if keyed is None and classes & {EffectClass.KEYED, EffectClass.PROBE}:",
        new="        if keyed is None and classes & {EffectClass.KEYED}:",
        breaks="A way to a tool that can only be looked up needs no approval.",
        tests=DANGERS,
    ),
    of(
        name="keyed_tools_are_harmless",
        file="engine/check/rules/dangers.py",
        old="        if keyed is None and classes & {EffectClass.KEYED, EffectClass.PROBE}:",
        new="        if keyed is None and classes & {EffectClass.PROBE}:",
        breaks="The same for keyed tools.",
        tests=DANGERS,
    ),
    of(
        name="unsafe_tools_are_harmless",
        file="engine/check/rules/dangers.py",
        old="        if EffectClass.UNSAFE in classes:\n            return",
        new="        if EffectClass.UNSAFE in classes and keyed:\n            return",
        breaks="The same for unsafe tools.",
        tests=DANGERS,
    ),
    of(
        name="mark_is_ignored",
        file="engine/check/rules/dangers.py",
        old='    if (found is None or found[0] == "keyed") and node.spec.metadata.get(MARK) is True:',
        new='    if found is None and node.spec.metadata.get(MARK) == "true":',
        breaks="A step that its author marked as dangerous is not.",
        tests=DANGERS,
    ),
    of(
        name="rejection_counts_as_guard",
        file="engine/check/rules/dangers.py",
        old='        return [edge for edge in edges if edge.on != "completed"]',
        new="        return []",
        breaks="The way behind a rejection leads to a dangerous step unseen.",
        tests=DANGERS,
    ),
    of(
        name="disabled_approval_guards",
        file="engine/check/rules/dangers.py",
        old="    if node.spec.disabled:\n        return edges\n",
        new="",
        breaks="An approval that is switched off counts as a guard.",
        tests=DANGERS,
    ),
    of(
        name="danger_inside_a_graph",
        file="engine/check/rules/dangers.py",
        old='        if danger.way is not None and danger.kind != "keyed":',
        new='        if danger.way is None and danger.kind != "keyed":',
        breaks="A dangerous step of a graph that a node runs is not seen.",
        tests=DANGERS,
    ),
    of(
        name="join_is_guarded_by_a_condition",
        file="engine/check/paths/joined.py",
        old='edge.drawn and edge.on == "completed" and not edge.conditional and not edge.agent',
        new='edge.drawn and edge.on == "completed" and not edge.agent',
        breaks="A join counts as approved although the approval may be passed by.",
        tests=JOINED,
    ),
    of(
        name="nobody_may_decide_unseen",
        file="engine/check/rules/people/approvals.py",
        old="    if can_be_met(seats, [], [*fills, *(None for _ in spare)]):",
        new="    if fills or can_be_met(seats, [], [*fills, *(None for _ in spare)]):",
        breaks="An approval that needs more people than there are is drawn without a word.",
        tests=PEOPLE,
    ),
    of(
        name="four_eyes_of_one",
        file="engine/check/rules/people/approvals.py",
        old='    if len(pool) == 1 and "starter" in policy["four_eyes"]:',
        new='    if not pool and "starter" in policy["four_eyes"]:',
        breaks="The only reviewer is kept out of his own runs, and nobody said so.",
        tests=PEOPLE,
    ),
    of(
        name="failed_branch_has_written",
        file="engine/check/paths/proof.py",
        old='_NOT_WRITTEN = frozenset({"failed", "rejected", "timed_out"})',
        new='_NOT_WRITTEN = frozenset({"rejected", "timed_out"})',
        breaks="What a failed node would have written counts as there.",
        tests=("tests/engine/check/test_expressions.py", *KEYS),
    ),
    of(
        name="one_branch_is_enough",
        file="engine/check/paths/proof.py",
        old="                found &= before[source] |",
        new="                found |= before[source] |",
        breaks="A key that one of two ways writes counts as written.",
        tests=("tests/engine/check/test_expressions.py", *KEYS),
    ),
    of(
        name="any_join_waits_for_all",
        file="engine/check/paths/proof.py",
        old='        return several and self.subject.by_id[name].spec.join != "any"',
        new="        return several",
        breaks="Behind `join: any` everything counts as written.",
        tests=("tests/engine/check/test_expressions.py", *KEYS),
    ),
    of(
        name="unreachable_unseen",
        file="engine/check/rules/flow/__init__.py",
        old="            if node.id not in reached:",
        new="            if node.id not in reached and node.index == 0:",
        breaks="A node that no edge leads to is drawn without a word.",
        tests=FLOW,
    ),
    of(
        name="closed_loop_unseen",
        file="engine/check/rules/flow/__init__.py",
        old="        if not to_end and not leaves(moves, group):",
        new="        if to_end and not leaves(moves, group):",
        breaks="A loop without a way out is drawn without a word.",
        tests=FLOW,
    ),
    of(
        name="second_else_unseen",
        file="engine/check/rules/flow/ways_out.py",
        old="        if first is edge:\n            continue",
        new="        if first is edge or not edge.conditional:\n            continue",
        breaks="An edge that is never taken is drawn without a word.",
        tests=FLOW,
    ),
    of(
        name="limit_too_low_unseen",
        file="engine/check/rules/flow/__init__.py",
        old="    if length > limit:",
        new="    if length > limit + 1:",
        breaks="A graph that cannot end within its limit is drawn without a word.",
        tests=FLOW,
    ),
    of(
        name="wildcard_write_unsaid",
        file="engine/check/rules/keys.py",
        old='            code, verb = ("WildcardRead", "read") if reading else ("WildcardWrite", "write")',
        new='            code, verb = ("WildcardRead", "read")',
        breaks="A node that may write everything is said to read everything.",
        tests=KEYS,
    ),
    of(
        name="save_waits_for_the_loop",
        file="builder/services/graphs/drafts.py",
        old="        proof = prove(graph, document, wait=False)",
        new="        proof = prove(graph, document)",
        breaks="While the engine is busy nobody's drawing is saved.",
        tests=SAVES,
    ),
    of(
        name="start_reads_the_draft_again",
        file="builder/services/runs/runs.py",
        old="start_run(request, frozen.spec)",
        new="start_run(request, None)",
        breaks="A draft that was just checked is parsed once more to be run.",
        tests=SAVES,
    ),
    of(
        name="slow_source_loses_its_tools",
        file="builder/adapters/tools/known.py",
        old="before.get(each.name, each) if each.pending else each",
        new="each",
        breaks="A save says that tools are missing whose source is only slow to answer.",
        tests=SAVES,
    ),
)
