"""Reminders and escalations that come too late to come at all."""

from __future__ import annotations

from typing import Any

import pytest

from engine.check.rules.people.deadlines import spelled
from engine.core.graph.document import AgentSpec
from engine.core.graph.problems import Problem
from tests.engine.check.graphs import line, node, problems
from tests.engine.check.mending import mended

HOUR = 3_600_000
LATER = {"to": ["user:ann"]}
LATE = [
    ({"reminders": [5, HOUR]}, "reminders"),
    ({"reminders": [HOUR + 1, 2 * HOUR]}, "reminders"),
    ({"escalation": {"after_ms": HOUR, **LATER}}, "escalation"),
]
IN_TIME: list[dict[str, Any]] = [
    {},
    {"reminders": [5, HOUR - 1]},
    {"escalation": {"after_ms": HOUR - 1, **LATER}},
]


def approval(policy: dict[str, Any], **more: Any) -> dict[str, Any]:
    config = {"policy": policy, "timeout_ms": HOUR}
    return line(node("a", "approval", config=config, **more))


def asking(policy: dict[str, Any], when: str = "always") -> dict[str, Any]:
    rule = {"when": when, "timeout_ms": HOUR, **policy}
    agent = {"id": "x", "tools": ["send"], "ask": {"mail/send": rule}}
    return line(node("a", "agent", config={"agent_id": "x"}), agents=[agent])


def late(document: dict[str, Any], **given: Any) -> list[Problem]:
    return [p for p in problems(document, **given) if p.code == "AfterDeadline"]


@pytest.mark.parametrize(("policy", "field"), LATE)
@pytest.mark.parametrize(
    ("drawn", "place"),
    [(approval, "nodes[0].config.policy."), (asking, "agents[0].ask.mail/send.")],
)
def test_what_never_comes_is_told_and_mended(
    drawn: Any, place: str, policy: dict[str, Any], field: str
) -> None:
    document = drawn(policy)
    [problem] = late(document)

    assert (problem.severity, problem.path) == ("warning", place + field)
    assert "over after 1 hour" in problem.message
    assert len(problem.fixes) == 2
    for cure in problem.fixes:
        assert late(mended(document, cure)) == []


@pytest.mark.parametrize("drawn", [approval, asking])
@pytest.mark.parametrize("policy", IN_TIME)
def test_what_comes_in_time_is_no_problem(drawn: Any, policy: dict[str, Any]) -> None:
    assert late(drawn(policy)) == []


def test_the_reminders_that_come_are_kept() -> None:
    document = approval({"reminders": [5, HOUR, 6]})
    [problem] = late(document)

    after = mended(document, problem.fixes[0])

    assert after["nodes"][0]["config"]["policy"]["reminders"] == [5, 6]


def test_what_asks_nobody_is_not_looked_at() -> None:
    policy = {"reminders": [HOUR]}

    assert late(approval(policy, disabled=True)) == []
    assert late(asking(policy, "never")) == []


def test_a_year_is_not_made_longer() -> None:
    [problem] = late(approval({"reminders": [366 * 24 * HOUR]}))

    assert [cure.label for cure in problem.fixes] == ["Leave that reminder out"]


def test_an_agent_of_the_workspace_is_named_at_the_step_that_uses_it() -> None:
    rule = {"timeout_ms": HOUR, "reminders": [HOUR]}
    agent = AgentSpec.model_validate({"id": "helper", "tools": ["send"], "ask": {"send": rule}})
    [problem] = late(line(node("a", "agent")), agents={"helper": agent})

    assert (problem.path, problem.node) == ("nodes[0].config.agent_id", "a")
    assert problem.message.startswith('Agent "helper", before "send" is called: A reminder')
    assert problem.fixes == ()


@pytest.mark.parametrize(
    ("ms", "text"),
    [(HOUR, "1 hour"), (36 * HOUR, "36 hours"), (48 * HOUR, "2 days"), (1, "1 millisecond")],
)
def test_a_stretch_of_time_is_spelled_in_its_largest_whole_unit(ms: int, text: str) -> None:
    assert spelled(ms) == text
