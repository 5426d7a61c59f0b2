"""What is proven of calls of agents that people decide on."""

from __future__ import annotations

from typing import Any

import pytest

from engine.check import examine
from engine.core.graph.document import AgentSpec
from engine.core.state.requests import Actor
from tests.engine.check.graphs import found, line, node, problems, spec, world

ANN = Actor("ann", "Ann", roles=frozenset({"reviewer"}))
AUTHOR = Actor("otto", "Otto", roles=frozenset({"author"}))


def refunder(name: str = "mail/send", tools: Any = ("send",), **rule: Any) -> dict[str, Any]:
    agent = {"id": "x", "tools": list(tools), "ask": {name: {"when": "always", **rule}}}
    return line(node("a", "agent", config={"agent_id": "x"}), agents=[agent])


def way(document: dict[str, Any], **given: Any) -> Any:
    [danger] = examine(spec(document), world(**given)).dangers
    return danger


@pytest.mark.parametrize("name", ["mail/send", "send", "mail/*", "*"])
def test_a_call_that_is_always_asked_about_is_guarded(name: str) -> None:
    assert way(refunder(name)).way is None
    assert "people decide on each call" in way(refunder(name)).why
    assert found(refunder(name)) == set()


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"when": "first"}, "only the first time in a run"),
        ({"when": "expression", "expression": "arguments.n > 1"}, "only under a condition"),
        ({"when": "never"}, None),
    ],
)
def test_a_call_that_is_asked_about_at_times_is_not(rule: dict[str, Any], said: str | None) -> None:
    document = refunder(**rule)

    assert way(document).way is not None
    [problem] = [p for p in problems(document) if p.code == "UnguardedEffect"]
    assert (said or "unsafe to repeat") in problem.message
    assert ("asked only" in problem.message) == (said is not None)


def test_a_tool_beside_it_that_nobody_is_asked_about_is_a_danger() -> None:
    assert way(refunder("web/*")).way is not None


def test_a_tool_node_is_not_guarded_by_an_agents_rule() -> None:
    agent = {"id": "x", "tools": ["send"], "ask": {"*": {}}}
    document = line(node("a", "tool", config={"tool_id": "send"}), agents=[agent])

    assert way(document).way is not None


def test_the_fallback_agent_must_ask_too() -> None:
    document = refunder()
    document["agents"].append({"id": "cheap", "tools": ["send"]})
    budget = {"max_cost_usd": "1", "on_breach": "fallback", "fallback_agent_id": "cheap"}
    document["nodes"][0]["budget"] = budget

    assert way(document).way is not None


def test_an_agent_of_the_workspace_wins_over_the_documents() -> None:
    assert way(refunder(), agents={"x": AgentSpec(id="x", tools=("send",))}).way is not None


def test_nobody_who_may_decide_is_told() -> None:
    assert found(refunder(), members=[AUTHOR]) == {
        ("NobodyMayDecide", "agents[0].ask.mail/send.rule")
    }
    assert found(refunder(eligible=["user:ann"]), members=[AUTHOR]) == {
        ("NobodyMayDecide", "agents[0].ask.mail/send.eligible")
    }
    assert found(refunder(at_least=2), members=[ANN]) == {
        ("NobodyMayDecide", "agents[0].ask.mail/send.rule")
    }
    assert found(refunder(), members=[ANN]) == set()


def test_nobody_who_may_decide_on_calls_of_a_workspaces_agent_is_told_at_the_node() -> None:
    agent = AgentSpec.model_validate({"id": "helper", "tools": ["send"], "ask": {"send": {}}})
    document = line(node("a", "agent"))

    assert ("NobodyMayDecide", "nodes[0].config.agent_id") in found(
        document, agents={"helper": agent}, members=[AUTHOR]
    )


def test_a_rule_for_no_tool_and_a_broken_condition_are_errors() -> None:
    rule = {"when": "expression", "expression": "arguments."}
    other = {"when": "expression", "expression": "memory.n > 1"}

    assert ("ToolNotFound", "agents[0].ask.sned") in found(refunder("sned"))
    assert ("ExpressionInvalid", "agents[0].ask.send.expression") in found(refunder("send", **rule))
    assert ("UnknownReference", "agents[0].ask.send.expression") in found(refunder("send", **other))


def test_a_condition_without_its_kind_is_refused() -> None:
    from engine.core.graph.document import parse_document

    for rule in ({"when": "expression"}, {"when": "always", "expression": "true"}):
        document = {"id": "g", **refunder()}
        document["agents"][0]["ask"] = {"send": rule}
        parsed, wrong = parse_document(document)
        assert parsed is None
        assert [p.path for p in wrong] == ["agents[0].ask.send.expression"]


@pytest.mark.parametrize(
    ("after_ms", "short"),
    [
        (3_599_999, set()),
        (3_600_000, {("NobodyMayDecide", "eligible"), ("AfterDeadline", "escalation")}),
    ],
)
def test_who_is_asked_later_may_decide_alone_if_that_is_in_time(
    after_ms: int, short: set[tuple[str, str]]
) -> None:
    """Nobody of the first list may; an escalation after the deadline asks nobody any more."""
    later = {"after_ms": after_ms, "to": ["user:ann"]}
    document = refunder(eligible=["user:otto"], escalation=later, timeout_ms=3_600_000)

    assert found(document, members=[ANN, AUTHOR]) == {
        (code, f"agents[0].ask.mail/send.{field}") for code, field in short
    }


@pytest.mark.parametrize(("after_ms", "short"), [(3_599_999, False), (3_600_000, True)])
def test_the_same_holds_for_an_approval(after_ms: int, short: bool) -> None:
    policy = {"eligible": ["user:otto"], "escalation": {"after_ms": after_ms, "to": ["user:ann"]}}
    document = line(node("a", "approval", config={"policy": policy, "timeout_ms": 3_600_000}))

    codes = {code for code, _place in found(document, members=[ANN, AUTHOR])}
    assert ("NobodyMayDecide" in codes) is short
