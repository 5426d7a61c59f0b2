"""Tools that are offered to a model which takes none are an error while drawing."""

from __future__ import annotations

from typing import Any

from engine.check import StaticWorld, examine
from engine.core.graph.document import parse_document
from engine.core.graph.problems import Problem
from tests.contract.harness import agent, doc


def found(config: dict[str, Any] | None = None, **of_agent: Any) -> list[Problem]:
    asker = {"id": "x", "model": "acme/small", **of_agent}
    spec, problems = parse_document(doc([agent("a", config=config or {})], agents=[asker]))
    assert spec is not None, problems
    report = examine(spec, StaticWorld(tool_models=lambda model: model != "acme/small"))
    return [problem for problem in report.problems if problem.code == "ModelTakesNoTools"]


def test_it_is_said_at_the_step_with_the_tools_by_name() -> None:
    (problem,) = found(tools=["memory_write"])

    assert (problem.severity, problem.node) == ("error", "a")
    assert problem.path == "nodes[0].config.agent_id"
    assert "memory_write" in problem.message


def test_the_steps_own_model_is_meant_where_it_has_one() -> None:
    (problem,) = found({"model": "acme/small"}, model="acme/large", tools=["memory_write"])

    assert problem.path == "nodes[0].config.model"
    assert found({"model": "acme/large"}, tools=["memory_write"]) == []


def test_without_tools_it_is_no_problem() -> None:
    assert found() == []
    assert found({"tools": []}, tools=["memory_write"]) == []
