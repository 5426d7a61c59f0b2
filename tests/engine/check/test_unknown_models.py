"""A model that the workspace does not have is an error while drawing."""

from __future__ import annotations

from engine.check import StaticWorld, examine
from engine.core.graph.document import parse_document
from engine.core.graph.problems import Problem
from tests.contract.harness import Node, agent, doc


def why_not(name: str) -> str | None:
    return None if name in ("local/default", "acme/small") else f"there is no model {name!r} here"


def found(*nodes: Node, model: str = "local/default") -> list[Problem]:
    spec, problems = parse_document(doc(list(nodes), agents=[{"id": "x", "model": model}]))
    assert spec is not None, problems
    report = examine(spec, StaticWorld(models=why_not))
    return [problem for problem in report.problems if problem.code == "UnknownModel"]


def test_agents_model_is_named_at_the_node_that_uses_it() -> None:
    (problem,) = found(agent("a"), model="ollama/nosuch")

    assert (problem.severity, problem.node) == ("error", "a")
    assert problem.path == "nodes[0].config.agent_id"
    assert "Agent \"x\": There is no model 'ollama/nosuch' here." in problem.message


def test_nodes_own_model_is_named_and_wins() -> None:
    (problem,) = found(agent("a", config={"model": "acme/big"}), model="ollama/nosuch")

    assert problem.path == "nodes[0].config.model"
    assert "acme/big" in problem.message


def test_models_that_are_there_are_no_problem() -> None:
    assert found(agent("a", config={"model": "acme/small"}), agent("b")) == []


def test_a_model_without_a_key_leads_to_where_keys_are() -> None:
    for nodes, model in (
        ([agent("a", config={"model": "acme/big"})], "local/default"),
        ([agent("a")], "acme/big"),
    ):
        (problem,) = found(*nodes, model=model)
        (cure,) = problem.fixes

        assert cure.to_json() == {"label": "Open the models", "edits": [], "settings": "models"}


def test_the_own_agent_of_a_node_is_no_name_that_people_are_told() -> None:
    (problem,) = found(agent("x"), model="acme/big")

    assert problem.say == "There is no model 'acme/big' here."
