"""Names that lead nowhere."""

from __future__ import annotations

import pytest

from engine.sdk import NodeConfig, field
from tests.engine.check.graphs import codes, edge, found, line, node, problems, spec, types_with


class CallsGraph(NodeConfig):
    """Runs another graph."""

    subgraph_id: str = field(widget="graph", description="Which.")


SUB = types_with(("sub", CallsGraph))


def calls(graph_id, target):
    return {"id": graph_id, **line(node("s", "sub", config={"subgraph_id": target}))}


def test_a_sound_graph_has_no_problems():
    """C190."""
    assert found(line(node("a"), node("b", "agent"), node("c", "output"))) == set()


def test_unknown_node_type():
    """C1."""
    only = problems(line(node("a", "agnt")))[0]

    assert (only.code, only.path, only.node) == ("UnknownNodeType", "nodes[0].type", "a")
    assert '"agent"' in only.message


def test_unknown_nodes_on_edges():
    """C190."""
    document = line(node("classify"))
    document["edges"].append(edge("classify", "clasify"))

    assert ("UnknownNode", "edges[1].target") in found(document)


@pytest.mark.parametrize(("target", "code"), [("zzz", "UnknownNode"), ("a", "InvalidValue")])
def test_nodes_in_a_config_exist_and_are_others(target, code):
    """C94, C130."""
    gate = line(node("a", "approval", config={"rejection_node_id": target}))
    swarm = line(node("a", "agent", config={"swarm": {"peer_nodes": [target]}}))

    assert (code, "nodes[0].config.rejection_node_id") in found(gate)
    assert (code, "nodes[0].config.swarm.peer_nodes[0]") in found(swarm)


@pytest.mark.parametrize(
    "document",
    [
        line(node("work", "approval", config={"rejection_node_id": "wor"})),
        {**line(node("work")), "edges": [edge("__start__", "work"), edge("work", "wor", id="z")]},
    ],
)
def test_a_node_is_not_offered_in_place_of_what_it_names_itself(document):
    """C190: Neither in words nor by a button, also where there is no other node."""
    [wrong] = [p for p in problems(document) if p.code == "UnknownNode"]

    assert wrong.message == 'There is no node "wor".'
    assert "Did you mean" not in (wrong.say or "")
    assert wrong.fixes == ()


def test_unknown_agents():
    """C2."""
    document = line(
        node("a", "agent", config={"agent_id": "helpr"}, budget={"fallback_agent_id": "x"})
    )

    assert found(document) == {
        ("UnknownAgent", "nodes[0].config.agent_id"),
        ("UnknownAgent", "nodes[0].budget.fallback_agent_id"),
    }


def test_agents_of_the_document_are_known():
    """C2."""
    document = line(node("a", "agent", config={"agent_id": "own"}), agents=[{"id": "own"}])

    assert codes(document) == set()


def test_missing_fields_of_a_config():
    """C2, C61."""
    document = line({"id": "a", "type": "agent"}, {"id": "b", "type": "tool"})

    assert found(document) == {
        ("MissingField", "nodes[0].config.agent_id"),
        ("MissingField", "nodes[1].config.tool_id"),
    }


def test_all_problems_of_a_config_with_their_places():
    """C190."""
    config = {"agent_id": "helper", "promt": "x", "annealing": {"max_iterations": 0}}
    document = line(node("a", "agent", config=config))

    assert found(document) == {
        ("UnknownField", "nodes[0].config.promt"),
        ("InvalidValue", "nodes[0].config.annealing.max_iterations"),
    }
    assert {problem.node for problem in problems(document)} == {"a"}


def test_annealing_and_swarm_exclude_each_other():
    """C1."""
    config = {"annealing": {}, "swarm": {"peer_nodes": ["b"]}}

    assert found(line(node("a", "agent", config=config), node("b"))) == {
        ("InvalidValue", "nodes[0].config.swarm")
    }


def test_a_wrong_approval_type():
    """C90."""
    document = line(node("a", "approval", config={"approval_type": "robot"}))

    assert found(document) == {("InvalidValue", "nodes[0].config.approval_type")}


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        ({"kind": "choice"}, ("MissingField", "nodes[0].config.options")),
        ({"kind": "multi-choice"}, ("MissingField", "nodes[0].config.options")),
        ({"kind": "form"}, ("MissingField", "nodes[0].config.schema")),
        (
            {"kind": "choice", "options": [{"id": "a", "label": "A"}] * 2},
            ("DuplicateId", "nodes[0].config.options"),
        ),
        (
            {"kind": "multi-choice", "options": [{"id": "a", "label": "A"}] * 2},
            ("DuplicateId", "nodes[0].config.options"),
        ),
    ],
)
def test_malformed_questions(config, problem):
    """I2."""
    assert found(line(node("a", "question", config=config))) == {problem}


def test_unknown_handler():
    """K3."""
    document = line(node("a", config={"handler": "os:system"}))

    assert found(document) == {("UnknownHandler", "nodes[0].config.handler")}


def test_unknown_tool():
    """C61."""
    document = line(node("a", "tool", config={"tool_id": "serch"}))

    assert found(document) == {("ToolNotFound", "nodes[0].config.tool_id")}
    assert codes(line(node("a", "tool", config={"tool_id": "web/search"}))) == set()


def test_unknown_graph():
    """C80."""
    assert codes(calls("g", "nope"), node_types=SUB) == {"GraphNotFound"}
    assert codes(calls("g", "h"), node_types=SUB, graphs={"h": spec(line(node("x")))}) == set()


def test_graphs_in_a_circle():
    """C85."""
    graphs = {"h": spec(calls("h", "i")), "i": spec(calls("i", "g"))}

    assert codes(calls("g", "g"), node_types=SUB) == {"SubgraphCycle"}
    assert codes(calls("g", "h"), node_types=SUB, graphs=graphs) == {"SubgraphCycle"}


def test_a_circle_among_other_graphs_is_theirs():
    """C85."""
    graphs = {"h": spec(calls("h", "i")), "i": spec(calls("i", "h"))}

    assert codes(calls("g", "h"), node_types=SUB, graphs=graphs) == set()


def test_a_missing_default_model():
    """V26."""
    document = line(node("a", "agent"))

    assert codes(document, default_model=False) == {"InvalidValue"}
    document["nodes"][0]["config"]["model"] = "openai/x"
    assert codes(document, default_model=False) == set()


def test_a_field_that_says_nothing_yet_is_told_by_the_name_in_its_form():
    """C2: A map without a step is told so, and offered the one that nothing leads to."""
    each, weigh = node("each", "map", label="Each clause"), node("weigh", label="Weigh")

    [problem] = [
        p
        for p in problems({**line(each), "nodes": [each, weigh]})
        if p.node == "each" and p.severity == "error"
    ]

    assert problem.say == "Each clause needs: What is done with each item."
    assert [cure.label for cure in problem.fixes] == ["What is done with each item: Weigh"]
