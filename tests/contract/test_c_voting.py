"""Rows C110 to C116: voting."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import (
    Outcome,
    check,
    doc,
    node,
    run,
)

ONE_TRY = {"max_retries": 0}


def voting(
    voters: list[str], *, once: bool = True, agents: list[Any] | None = None, **config: Any
) -> dict[str, Any]:
    """Return a document of one voting node; its agents are plain ones unless given."""
    policy = {"policy": ONE_TRY} if once else {}
    names = [*voters, *([config["judge_agent_id"]] if "judge_agent_id" in config else [])]
    plain = [{"id": name} for name in dict.fromkeys(names)]
    vote = node("v", "voting", config={"voter_agent_ids": voters, **config}, **policy)
    return doc([vote], agents=plain if agents is None else agents, goal="Choose well.")


def says(reply: Any) -> dict[str, Any]:
    if isinstance(reply, dict) and set(reply) <= {"text", "json", "error", "delay_ms", "usage"}:
        return reply
    return {"text": reply} if isinstance(reply, str) else {"json": reply}


def voted(*replies: Any, judge: Any = None, **config: Any) -> Outcome:
    voters = [f"a{i}" for i in range(len(replies))]
    script: dict[str, Any] = {
        name: [says(reply)] for name, reply in zip(voters, replies, strict=True)
    }
    if judge is not None:
        config |= {"strategy": "llm_judge", "judge_agent_id": "judge"}
        script["judge"] = [says(judge)]
    return run(voting(voters, **config), {"agents": script})


def consensus(*replies: Any, **config: Any) -> Any:
    return voted(*replies, **config).memory["v_consensus"]


FAILS = {"error": {"status": 400, "message": "no"}}


def test_all_vote_in_parallel_and_see_no_vote() -> None:
    """C110."""
    slow = [{"text": f"opinion-{i}", "delay_ms": 40} for i in range(3)]
    done = voted(*slow)
    kinds = [e["type"] for e in done.events if e["type"] in ("StepIntended", "StepCompleted")]

    assert kinds == ["StepIntended"] * 3 + ["StepCompleted"] * 3
    assert not any("opinion" in done.prompt(i) for i in range(3))
    assert "InvalidValue" in check(voting([])).codes
    assert "MissingField" in check(doc([node("v", "voting", config={})])).codes
    found = check(voting(["a", "zzz"], agents=[{"id": "a"}]), {"agents": {"a": [{"text": "x"}]}})
    assert "UnknownAgent" in found.codes


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        (("approve", "reject", "approve"), "approve"),
        (("a", "b"), "a"),
        (("b", "a", "a", "b"), "b"),
        (({"x": 0}, {"x": 1, "y": 2}, {"y": 2, "x": 1}), {"x": 1, "y": 2}),
        ((" no\n", "yes ", "yes"), "yes"),
        (("no", {"vote": 1}, {"vote": 1.0}), 1),
        (("no", '{"vote": "yes"}', '```json\n{"vote": "yes"}\n```'), "yes"),
    ],
)
def test_the_majority_wins_and_ties_go_to_the_first(
    replies: tuple[Any, ...], expected: Any
) -> None:
    """C111."""
    assert consensus(*replies) == expected


def test_a_strategy_is_one_of_three() -> None:
    """C111."""
    assert "InvalidValue" in check(voting(["a"], strategy="coin")).codes


def test_a_tie_does_not_depend_on_who_answers_first() -> None:
    """C111."""
    done = voted({"text": "late", "delay_ms": 40}, "early")

    assert done.memory["v_consensus"] == "late"


def test_the_vote_is_a_field_or_the_whole_answer() -> None:
    """C112."""
    assert consensus({"vote": "yes", "why": "because"}) == "yes"
    assert consensus("yes") == "yes"
    assert consensus(" yes\n") == consensus({"vote": " yes "}) == "yes"
    assert consensus({"pick": "b", "vote": "a"}, vote_key="pick") == "b"
    assert consensus({"other": 1}) == {"other": 1}
    assert '"pick"' in voted("x", vote_key="pick").prompt()


def test_a_quorum_must_be_reached() -> None:
    """C113."""
    failed = voted("a", FAILS, FAILS, quorum=2)
    nobody = voted(FAILS, FAILS)

    assert (failed.status, failed.code) == ("failed", "QuorumNotReached")
    assert nobody.code == "NoVotes"
    assert voted("a", "b", FAILS, quorum=2).memory["v_consensus"] == "a"
    assert "InvalidValue" in check(voting(["a", "b"], quorum=3)).codes


def test_only_failed_voters_are_asked_again() -> None:
    """C113, C34."""
    error = {"error": {"status": 500, "message": "busy"}}
    graph = voting(["a", "b"], quorum=2, once=False)
    done = run(graph, {"agents": {"a": [{"text": "x"}], "b": [error, error, {"text": "x"}]}})

    assert (done.status, done.activation("v")["attempts"]) == ("completed", 3)
    assert [c.origin.agent_id for c in done.models].count("a") == 1
    assert done.memory["v_consensus"] == "x"


def test_a_judge_decides_over_all_votes() -> None:
    """C114."""
    done = voted("a", {"vote": "b"}, judge={"verdict": "b", "why": "better"})
    asked = done.prompt(2)

    assert done.memory["v_consensus"] == "b"
    assert all(part in asked for part in ("Choose well.", '"agent_id": "a0"', '"vote": "b"'))
    assert consensus("a", judge={"vote": "c"}) == "c"
    assert consensus("a", judge={"vote": "c", "verdict": "b"}) == "b"
    assert consensus("a", judge="d") == "d"
    assert "MissingField" in check(voting(["a"], strategy="llm_judge")).codes


def test_a_judge_that_fails_costs_no_second_vote() -> None:
    """C114, C34."""
    graph = voting(["a"], strategy="llm_judge", judge_agent_id="j", once=False)
    busy = {"error": {"status": 503, "message": "busy"}}
    done = run(graph, {"agents": {"a": [{"text": "x"}], "j": [busy, {"json": {"verdict": "x"}}]}})

    assert (done.memory["v_consensus"], len(done.models)) == ("x", 3)


def test_weights_count_for_weighted_votes_only() -> None:
    """C115."""

    def asked(**config: Any) -> Any:
        return consensus("a", "b", "b", weights={"a0": 3}, **config)

    assert asked(strategy="weighted_vote") == "a"
    assert asked() == "b"
    assert "InvalidValue" in check(voting(["a"], weights={"a": -1})).codes
    exact = {"a0": 0.3, "a1": 0.1, "a2": 0.2}
    assert consensus("a", "b", "b", weights=exact, strategy="weighted_vote") == "a"


def test_votes_are_listed_in_declared_order_and_failures_beside() -> None:
    """C116, C8."""
    done = voted({"text": "approve", "delay_ms": 30}, "reject", "approve")
    votes = [
        {"agent_id": f"a{i}", "vote": v} for i, v in enumerate(["approve", "reject", "approve"])
    ]

    assert done.memory == {"v_consensus": "approve", "v_votes": votes}
    assert done.outputs["v"] == {**done.memory, "errors": []}
    partly = voted("a", FAILS)
    assert partly.memory["v_votes"] == [{"agent_id": "a0", "vote": "a"}]
    [error] = partly.outputs["v"]["errors"]
    assert (error["agent_id"], error["error"]["code"]) == ("a1", "ProviderRejected")


def test_voters_are_isolated() -> None:
    """C19."""
    call = {"tool_calls": [{"name": "memory_write", "arguments": {"key": "k", "value": 1}}]}
    graph = voting(["a"], agents=[{"id": "a", "tools": ["memory_write"]}])
    graph["nodes"][0]["write_keys"] = ["k"]
    done = run(graph, {"agents": {"a": [call, {"text": "x"}]}})

    assert "k" not in done.memory
    assert [offer.name for offer in done.models[0].request.tools] == []


def test_each_voter_sees_what_its_ceiling_allows() -> None:
    """C9, C110."""
    agents = [{"id": "a"}, {"id": "b", "permissions": {"read_keys": [], "write_keys": []}}]
    graph = voting(["a", "b"], agents=agents)
    graph["nodes"][0]["read_keys"] = ["secret"]
    graph["initial_memory"] = {"secret": "s3cret"}
    done = run(graph, {"default": [{"text": "x"}] * 2})
    seen = {c.origin.agent_id: "s3cret" in c.request.messages[-1].content for c in done.models}

    assert seen == {"a": True, "b": False}


def test_a_vote_that_does_not_fit_its_cap_is_not_asked_for() -> None:
    """C41."""
    graph = voting(["a", "b"])
    graph["nodes"][0]["budget"] = {"max_tokens": 15}
    reply = {"text": "x", "usage": {"input_tokens": 10, "output_tokens": 0}}
    done = run(graph, {"default": [reply, reply]})

    assert (done.status, done.code, len(done.models)) == ("failed", "NodeBudgetExceeded", 1)


def test_a_block_that_merely_stands_in_prose_is_no_vote() -> None:
    """C112, C114: A block of JSON in prose is the answer only where it has the field."""
    prose = 'I looked at this:\n```json\n{"seen": 1}\n```\nand say yes.'
    keyed = 'I looked at this:\n```json\n{"vote": "yes"}\n```\nand that is it.'
    fenced = '```json\n{"seen": 1}\n```'

    votes = voted(prose, keyed, fenced).memory["v_votes"]
    assert [vote["vote"] for vote in votes] == [prose, "yes", {"seen": 1}]
    assert consensus("a", "b", judge=prose) == prose


@pytest.mark.parametrize(
    ("votes", "config", "tie"),
    [
        ("abba", {}, {"between": ["a", "b"], "broken_by": "order"}),
        ("aba", {}, None),
        ("ab", {"strategy": "weighted_vote", "weights": {"v0": 2}}, None),
        (
            "ab",
            {"strategy": "llm_judge", "judge_agent_id": "v0"},
            {"between": ["a", "b"], "broken_by": "judge"},
        ),
    ],
)
def test_a_tie_is_told_to_who_watches(votes: str, config: dict[str, Any], tie: Any) -> None:
    """C111: The last row of the view says what was tied and how one of it came to win."""
    names = [f"v{place}" for place in range(len(votes))]
    replies: dict[str, list[dict[str, Any]]] = {
        name: [{"text": vote}] for name, vote in zip(names, votes, strict=True)
    }
    replies["v0"].append({"json": {"verdict": "b"}})
    ballot = node("v", "voting", config={"voter_agent_ids": names, "prompt": "?", **config})
    done = run(doc([ballot], agents=[{"id": name} for name in names]), {"agents": replies})

    assert done.of("RowShown")[-1]["row"].get("tie") == tie
