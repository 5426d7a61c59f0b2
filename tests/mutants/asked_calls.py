"""Mistakes with calls of agents that people decide on: which, when, and what is sent then."""

from __future__ import annotations

from functools import partial
from typing import Final

from tests.mutants.mutant import Mutant, Promise

ASKED: Final = ("tests/engine/runtime/approvals/test_asked_calls.py",)
WHOLE: Final = ("tests/contract/test_call_asks.py",)
of = partial(Mutant, promise=Promise.APPROVAL)

MUTANTS: Final = (
    of(
        name="another_tool_sent_than_was_approved",
        file="engine/agents/tool_offers.py",
        old="        if not is_approved and not ctx.was_sent():",
        new="        if False and not is_approved:",
        breaks="A tool that has changed since is called under the approval of the one before.",
        tests=ASKED,
    ),
    of(
        name="sent_as_the_model_wanted_it",
        file="engine/agents/asked_calls.py",
        old='    return FrozenDict({**call.arguments, **(decision.get("edits") or {})})',
        new="    return call.arguments",
        breaks="An amount that was edited down is not what the tool gets.",
        tests=WHOLE,
    ),
    of(
        name="condition_that_cannot_be_told_asks_nobody",
        file="engine/agents/asked_calls.py",
        old="    except (NodeError, ExpressionInvalid):\n        return UNSURE",
        new="    except (NodeError, ExpressionInvalid):\n        return None",
        breaks="A condition that fails lets the call pass.",
        tests=WHOLE,
    ),
    of(
        name="refused_call_counts_as_the_first",
        file="engine/core/state/fold/people.py",
        old='    if event.data.get("decision") == "approved":\n        state.allowed_calls',
        new='    if event.data.get("decision") is not None:\n        state.allowed_calls',
        breaks="After a refusal the same kind of call is sent without asking.",
        tests=WHOLE,
    ),
    of(
        name="asked_at_times_counts_as_a_guard",
        file="engine/check/rules/people/asks.py",
        old='    return next((when for when in said if when != "always"), "always")',
        new='    return "always"',
        breaks="The check calls a step guarded that people see only the first time.",
        tests=("tests/engine/check/test_asks.py",),
    ),
)
