"""Votes among given options: voters are held to them, and the built-in model can vote."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import Outcome, check, codes, doc, node, run

VOTERS = ["calm", "strict"]


def voting(script: dict[str, Any] | None = None, **config: Any) -> Outcome:
    """Run a vote between two agents."""
    chosen = {"voter_agent_ids": VOTERS, "prompt": "Ship it?", "options": ["yes", "no"], **config}
    agents = [{"id": name} for name in [*VOTERS, "judge"]]
    ballot = node("v", "voting", reads=["input"], config=chosen, policy={"max_retries": 0})
    return run(doc([ballot], agents=agents), script, input="It works and everybody is glad.")


def test_a_vote_is_one_of_the_options_C117() -> None:
    """C117: A vote is one of the options."""
    done = voting({"agents": {"calm": [{"json": {"vote": "yes", "why": "it works"}}],
                              "strict": [{"json": {"vote": "yes"}}]}})  # fmt: skip

    schema: Any = done.models[0].request.schema
    assert schema["properties"]["vote"]["enum"] == ["yes", "no"]
    assert done.memory["v_consensus"] == "yes"


def test_another_vote_counts_as_a_failed_voter_C117() -> None:
    """C117: Another vote counts as a failed voter."""
    wrong = {"json": {"vote": "maybe"}}
    done = voting({"agents": {"calm": [wrong, wrong], "strict": [{"json": {"vote": "no"}}]}})

    assert done.memory["v_consensus"] == "no"
    assert [vote["agent_id"] for vote in done.memory["v_votes"]] == ["strict"]
    errors = done.outputs["v"]["errors"]
    assert [(e["agent_id"], e["error"]["code"]) for e in errors] == [
        ("calm", "ResultSchemaMismatch")
    ]


def test_the_judge_is_held_to_the_options_C117() -> None:
    """C117: The judge is held to the options."""
    done = voting(
        {"agents": {"calm": [{"json": {"vote": "yes"}}], "strict": [{"json": {"vote": "no"}}],
                    "judge": [{"json": {"verdict": "no"}}]}},
        strategy="llm_judge", judge_agent_id="judge",
    )  # fmt: skip

    schema: Any = done.models[-1].request.schema
    assert schema["properties"]["verdict"]["enum"] == ["yes", "no"]
    assert done.memory["v_consensus"] == "no"


@pytest.mark.parametrize("options", [["yes"], ["yes", "yes"], ["yes", ""]])
def test_options_that_decide_nothing_are_refused_C117(options: list[str]) -> None:
    """C117: Options that decide nothing are refused."""
    ballot = node("v", "voting", config={"voter_agent_ids": ["a"], "options": options})

    assert "InvalidValue" in codes(check(doc([ballot], agents=[{"id": "a"}])), "InvalidValue")
