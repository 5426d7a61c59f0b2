"""Rows C160 to C165: verifiers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import Outcome, check, codes, doc, fn, run
from tests.contract.remembering import judged, verifier

REPLY = {"default": [{"text": "done"}], "repeat_last": True}


def verdict(done: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = done.memory["v_verification"]
    return found


def test_a_judges_score_passes_from_the_threshold_on() -> None:
    """C160."""
    passed, failed = judged(0.8), judged(0.79)

    assert (verdict(passed)["passed"], verdict(failed)["passed"]) == (True, False)
    assert (verdict(failed)["score"], verdict(failed)["threshold"]) == (0.79, 0.8)
    assert verdict(judged(0.5, pass_threshold=0.5))["passed"]
    assert passed.report["spend"]["by_node"]["v"]["attempts"] == 1


def test_a_judge_sees_the_value_and_the_criteria() -> None:
    """C160."""
    done = judged(0.9, evaluation_criteria="Is it polite?")

    assert "Is it polite?" in done.prompt()
    assert "a text" in done.prompt()


@pytest.mark.parametrize(
    ("type", "config", "missing"),
    [
        ("llm_judge", {}, ["evaluator_agent_id", "target_key"]),
        ("expression", {}, ["expression"]),
        ("jsonpath", {"path": "$"}, ["assertion", "target_key"]),
    ],
)
def test_each_kind_needs_its_fields(type: str, config: dict[str, Any], missing: list[str]) -> None:
    """C160, C161, C162."""
    found = check(doc([verifier(type, **config)]))

    lost = sorted(
        p["path"].rpartition(".")[2] for p in found.problems if p["code"] == "MissingField"
    )
    assert lost == missing


def test_a_field_of_another_kind_is_refused() -> None:
    """C161."""
    found = check(doc([verifier("expression", expression="true", path="$")]))

    assert [p["path"] for p in found.problems if p["code"] == "UnknownField"] == [
        "nodes[0].config.path"
    ]


@pytest.mark.parametrize(("draft", "passed"), [("nine char", True), ("abc", False)])
def test_an_expression_decides_over_the_view(draft: str, passed: bool) -> None:
    """C161."""
    graph = doc(
        [verifier("expression", expression="size(memory.draft) > 5 && goal != ''")], goal="g"
    )
    done = run(graph, {}, memory={"draft": draft})

    assert verdict(done)["passed"] is passed
    assert done.report["spend"]["tokens"] == 0


def test_an_expression_sees_only_what_the_node_may_read() -> None:
    """C161."""
    hidden = doc([verifier("expression", expression="memory.other == 1")])
    broken = doc([verifier("expression", expression="memory.draft > 1")])

    assert not verdict(run(hidden, {}, memory={"other": 1}))["passed"]
    assert run(broken, {}, memory={"draft": "text"}).code == "ExpressionFailed"


def asserted(op: str, match: Any, **value: Any) -> dict[str, Any]:
    config: dict[str, Any] = {
        "target_key": "draft",
        "path": "$.a[*]",
        "assertion": {"op": op, **value},
    }
    done = run(doc([verifier("jsonpath", **config)]), {}, memory={"draft": {"a": [match, "later"]}})
    assert done.exit == 0
    return verdict(done)


@pytest.mark.parametrize(
    ("op", "value", "passing", "failing"),
    [
        ("exists", None, 0, None),
        ("equals", {"b": [1, None]}, {"b": [1.0, None]}, {"b": [1]}),
        ("equals", 1, 1.0, True),
        ("matches", "^[a-c]+$", "abc", "abd"),
        ("matches", "1", "1", 1),
        ("gt", 5, 6, 5),
        ("gt", 5, 6, "6"),
        ("gte", 5, 5, 4.9),
        ("lt", 5, 4, 5),
        ("lt", 5, 4, True),
        ("lte", 5, 5, 6),
    ],
)
def test_every_assertion_passes_and_fails(op: str, value: Any, passing: Any, failing: Any) -> None:
    """C162."""
    given = {} if op == "exists" else {"value": value}
    passed = asserted(op, passing, **given)

    assert (passed["passed"], passed["extracted_value"]) == (True, passing)
    assert asserted(op, failing, **given)["passed"] is False


def test_a_path_without_match_does_not_pass() -> None:
    """C162."""
    config: dict[str, Any] = {
        "target_key": "draft",
        "path": "$.b",
        "assertion": {"op": "equals", "value": None},
    }
    done = run(doc([verifier("jsonpath", **config)]), {}, memory={"draft": {}})

    assert not verdict(done)["passed"]
    assert "extracted_value" not in verdict(done)


@pytest.mark.parametrize(
    ("path", "assertion", "code"),
    [
        ("$", {"op": "matches", "value": "("}, "ExpressionInvalid"),
        ("$", {"op": "matches", "value": "(?=a)"}, "ExpressionInvalid"),
        ("$", {"op": "matches", "value": 1}, "InvalidValue"),
        ("$", {"op": "gt", "value": "5"}, "InvalidValue"),
        ("$", {"op": "gt"}, "MissingField"),
        ("$", {"op": "like", "value": 1}, "InvalidValue"),
        ("$[", {"op": "exists"}, "ExpressionInvalid"),
    ],
)
def test_a_bad_path_pattern_or_value_is_found_before(
    path: str, assertion: dict[str, Any], code: str
) -> None:
    """C162, C17."""
    graph = doc([verifier("jsonpath", target_key="draft", path=path, assertion=assertion)])

    assert codes(check(graph), code) == [code]


def test_the_envelope_and_its_boolean_are_written_and_route() -> None:
    """C163."""
    nodes = [
        verifier("expression", expression="memory.draft == 'x'"),
        fn("yes", "end"),
        fn("no", "end"),
    ]
    edges: list[Any] = [
        "__start__ -> v",
        ("v", "yes", {"condition": "memory.v_verification_passed"}),
        "v -> no",
    ]
    script: dict[str, Any] = {"functions": {"end": {"returns": {}}}}
    passed = run(doc(nodes, edges), script, memory={"draft": "x"})

    assert passed.path == ["v", "yes"]
    assert run(doc(nodes, edges), script, memory={"draft": "y"}).path == ["v", "no"]
    assert passed.memory["v_verification_passed"] is True
    assert verdict(passed).keys() == {"type", "passed", "reasoning", "evaluated_at"}
    assert passed.outputs["v"] == verdict(passed)
    assert judged(0.9).memory["v_verification"].keys() == {
        "type",
        "passed",
        "reasoning",
        "score",
        "threshold",
        "evaluated_at",
    }


def test_the_result_key_can_be_named_and_declared() -> None:
    """C163, C8."""
    named = verifier(
        "expression", expression="true", result_key="gate", writes=["gate", "gate_passed"]
    )
    found = check(doc([named], initial_memory={"draft": 1}))
    done = run(doc([named]), {})

    assert codes(found, "WriteKeyUnused") == []
    assert set(done.memory) == {"gate", "gate_passed"}


def test_a_fail_can_fail_the_node_and_is_retried() -> None:
    """C164."""
    asked: dict[str, Any] = {"expression": "memory.draft == 'x'", "policy": {"max_retries": 1}}
    thrown = run(
        doc([verifier("expression", throw_on_fail=True, **asked)]), {}, memory={"draft": "y"}
    )
    routed = run(doc([verifier("expression", **asked)]), {}, memory={"draft": "y"})

    assert (thrown.code, thrown.activation("v")["attempts"]) == ("VerificationFailed", 2)
    assert thrown.of("NodeFailed")[0]["error"]["detail"]["passed"] is False
    assert thrown.memory == {"draft": "y"}
    assert (routed.exit, routed.memory["v_verification_passed"]) == (0, False)


def test_a_judge_is_asked_anew_in_a_retry() -> None:
    """C164, C34."""
    graph = doc(
        [verifier("llm_judge", target_key="draft", evaluator_agent_id="judge", throw_on_fail=True)],
        agents=[{"id": "judge"}],
    )
    scores = [{"json": {"score": 0.1}}, {"json": {"score": 0.9}}]
    done = run(graph, {"agents": {"judge": scores}}, memory={"draft": "x"})

    assert (done.exit, done.activation("v")["attempts"], len(done.models)) == (0, 2, 2)
    assert verdict(done)["score"] == 0.9


@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("llm_judge", {"evaluator_agent_id": "judge"}),
        ("jsonpath", {"path": "$", "assertion": {"op": "exists"}}),
    ],
)
@pytest.mark.parametrize("reads", [["draft"], []])
def test_a_target_that_is_absent_does_not_pass_and_costs_nothing(
    kind: str, config: dict[str, Any], reads: list[str]
) -> None:
    """C165."""
    graph = doc(
        [verifier(kind, **config, target_key="draft", reads=reads)], agents=[{"id": "judge"}]
    )
    done = run(graph, REPLY, memory={} if reads else {"draft": "there"})

    assert (done.exit, verdict(done)["passed"], done.models) == (0, False, [])
    assert done.report["spend"]["tokens"] == 0
    assert codes(check(graph), "UnreadableKey") == ([] if reads else ["UnreadableKey"])


def test_a_target_may_be_a_lane_or_a_part_of_one() -> None:
    """C165: What stands among the read keys can be judged: lanes, and parts of them."""
    config = {"path": "$", "assertion": {"op": "equals", "value": "ready"}}
    for key, source in (("previous", "previous"), ("outputs.a", "outputs"), ("input.s", "input")):
        looks = verifier("jsonpath", **config, target_key=key, reads=[source])
        graph = doc([fn("a"), looks])
        done = run(
            graph, {"functions": {"a": {"returns": {"output": "ready"}}}}, input={"s": "ready"}
        )
        assert (verdict(done)["passed"], codes(check(graph), "UnreadableKey")) == (True, [])

    unread = verifier("jsonpath", **config, target_key="outputs.a", reads=["outputs.b"])
    graph = doc([fn("a"), unread])
    done = run(graph, {"functions": {"a": {"returns": {"output": "ready"}}}})
    assert not verdict(done)["passed"]
    assert codes(check(graph), "UnreadableKey") == ["UnreadableKey"]
