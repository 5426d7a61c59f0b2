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


def test_a_vote_is_one_of_the_options() -> None:
    """C117."""
    done = voting(
        {
            "agents": {
                "calm": [{"json": {"vote": "yes", "why": "it works"}}],
                "strict": [{"json": {"vote": "yes"}}],
            }
        }
    )

    schema: Any = done.models[0].request.schema
    assert schema["properties"]["vote"]["enum"] == ["yes", "no"]
    assert done.memory["v_consensus"] == "yes"


def test_another_vote_counts_as_a_failed_voter() -> None:
    """C117."""
    wrong = {"json": {"vote": "maybe"}}
    done = voting({"agents": {"calm": [wrong, wrong], "strict": [{"json": {"vote": "no"}}]}})

    assert done.memory["v_consensus"] == "no"
    assert [vote["agent_id"] for vote in done.memory["v_votes"]] == ["strict"]
    errors = done.outputs["v"]["errors"]
    assert [(e["agent_id"], e["error"]["code"]) for e in errors] == [
        ("calm", "ResultSchemaMismatch")
    ]


def test_the_judge_is_held_to_the_options() -> None:
    """C117."""
    done = voting(
        {
            "agents": {
                "calm": [{"json": {"vote": "yes"}}],
                "strict": [{"json": {"vote": "no"}}],
                "judge": [{"json": {"verdict": "no"}}],
            }
        },
        strategy="llm_judge",
        judge_agent_id="judge",
    )

    schema: Any = done.models[-1].request.schema
    assert schema["properties"]["verdict"]["enum"] == ["yes", "no"]
    assert done.memory["v_consensus"] == "no"


@pytest.mark.parametrize("options", [["yes"], ["yes", "yes"], ["yes", ""]])
def test_options_that_decide_nothing_are_refused(options: list[str]) -> None:
    """C117."""
    ballot = node("v", "voting", config={"voter_agent_ids": ["a"], "options": options})

    assert "InvalidValue" in codes(check(doc([ballot], agents=[{"id": "a"}])), "InvalidValue")


def replies(*given: dict[str, Any]) -> dict[str, Any]:
    """Return a script in which the two voters answer so, without a second try."""
    return {"agents": {name: [reply] for name, reply in zip(VOTERS, given, strict=True)}}


@pytest.mark.parametrize(
    "said",
    [{"text": "yes"}, {"text": " YES\n"}, {"text": '"Yes"'}, {"json": {"vote": " Yes"}}],
)
def test_an_option_counts_however_it_is_written(said: dict[str, Any]) -> None:
    """C117: Text that is one option, or a field that is, counts whatever its case and blanks."""
    done = voting(replies(said, {"json": {"vote": "yes"}}))

    assert [vote["vote"] for vote in done.memory["v_votes"]] == ["yes", "yes"]
    assert (len(done.models), done.outputs["v"]["errors"]) == (2, [])


@pytest.mark.parametrize("said", ["yes, of course", "YES", "maybe"])
def test_text_that_is_no_option_alone_does_not_count(said: str) -> None:
    """C117: Text that says more, fits two options, or fits none, is a failed vote."""
    done = voting(replies({"text": said}, {"text": "no"}), options=["yes", "Yes", "no"])

    assert [vote["agent_id"] for vote in done.memory["v_votes"]] == ["strict"]


def test_numbers_can_be_options() -> None:
    """C117: An option that looks like a number is text all the same."""
    done = voting(replies({"text": "1"}, {"text": " 2 "}), options=["1", "2"])

    assert [vote["vote"] for vote in done.memory["v_votes"]] == ["1", "2"]


def test_a_judge_may_answer_with_the_option_alone() -> None:
    """C117: The verdict is found as votes are, in `verdict` or the vote's own field too."""
    for verdict in ({"text": "No"}, {"json": {"vote": "no"}}):
        script = replies({"text": "yes"}, {"text": "no"})
        script["agents"]["judge"] = [verdict]
        done = voting(script, strategy="llm_judge", judge_agent_id="judge")
        assert done.memory["v_consensus"] == "no"


def errors(**config: Any) -> list[dict[str, Any]]:
    """Return the errors of a voting node with this config."""
    ballot = node("v", "voting", config={"voter_agent_ids": VOTERS, **config})
    found = check(doc([ballot], agents=[{"id": name} for name in VOTERS]))
    return [problem for problem in found.problems if problem["severity"] == "error"]


def test_weights_are_of_voters() -> None:
    """C115: A weight of an agent that does not vote is told, with the voters' field to look at."""
    [problem] = errors(strategy="weighted_vote", weights={"clam": 2})

    assert (problem["code"], problem["path"]) == ("InvalidValue", "nodes[0].config.weights")
    assert problem["message"].startswith("clam: no voter of that name")


def test_a_list_of_wrong_elements_is_not_called_short() -> None:
    """C190: Options of another type are told one by one, and not as too few."""
    paths = [problem["path"] for problem in errors(options=[1, 2])]

    assert paths == ["nodes[0].config.options[0]", "nodes[0].config.options[1]"]
