"""Agents, their tools, and advice."""

from __future__ import annotations

import pytest

from engine.core.graph.document import AgentSpec
from engine.integrations.tools.protocol import RESERVED_TOOL_NAMES
from tests.engine.check.graphs import TOOLS, codes, edge, found, line, node, problems, spec


def test_a_node_without_words_for_people():
    """V21."""
    silent, told = node("a"), node("b", human_description="Sends the answer.")

    hints = [p for p in problems(line(silent, told)) if p.code == "NoHumanDescription"]

    assert [(p.node, p.severity) for p in hints] == [("a", "hint")]


def test_an_agent_that_branches():
    """V23."""
    document = line(node("a", "agent"))
    document["nodes"] += [node("b"), node("c")]
    document["edges"] += [edge("a", "b", trigger="agent")]
    assert "ManyAgentEdges" not in codes(document)

    document["edges"] += [edge("a", "c", trigger="agent")]
    assert codes(document) == {"ManyAgentEdges"}


def test_a_memory_query_without_effect():
    """C180."""
    assert found(line(node("a", memory_query={}))) == {
        ("MemoryQueryIgnored", "nodes[0].memory_query")
    }
    assert codes(line(node("a", "agent", memory_query={}))) == set()


@pytest.mark.parametrize("said", ["Answer {{ input.mail }}.", "{{memory.a", "{{  outputs.a.b}}"])
def test_what_an_agent_is_always_told_has_no_values_in_it(said):
    """S9: Only the prompt of a node is a template; elsewhere the braces go to the model."""
    document = line(node("a", "agent"), agents=[{"id": "x", "system_prompt": f"Be kind. {said}"}])
    [told] = [p for p in problems(document) if p.code == "PromptNotRendered"]

    assert (told.path, told.severity) == ("agents[0].system_prompt", "warning")
    assert told.message.startswith(said.removeprefix("Answer ").rstrip("."))


def test_what_an_agent_of_the_workspace_is_told_has_none_either():
    """S9: It is said once, at the first step that runs it, by its name."""
    agents = {"helper": AgentSpec(id="helper", system_prompt="Answer {{ input.mail }}.")}
    document = line(node("a"), node("b", "agent"), node("c", "agent"))
    own = {**document, "agents": [{"id": "helper", "system_prompt": "Answer {{ input.mail }}."}]}

    [told] = [p for p in problems(document, agents=agents) if p.code == "PromptNotRendered"]
    assert (told.node, told.path) == ("b", "nodes[1].config.agent_id")
    assert told.message.startswith('The agent "helper" of the workspace is always told {{ input.')
    assert told.message.endswith("Put it into the prompt of the step that runs the agent.")
    # a world may name the document's own agents too
    [of_its_own] = [
        p for p in problems(own, agents=spec(own).agents_by_id) if p.code == "PromptNotRendered"
    ]
    assert of_its_own.path == "agents[0].system_prompt"


def test_an_agent_of_the_workspace_in_place_of_a_nodes_own():
    """DESK §1: Only where it is another one, and only of an agent that no other node names."""
    own = {"id": "a", "system_prompt": "Be kind."}
    alone = line(node("a", "agent", config={"agent_id": "a"}, label="Extract"), agents=[own])
    shared = line(
        node("a", "agent", config={"agent_id": "a"}),
        node("b", budget={"fallback_agent_id": "a"}),
        agents=[own],
    )
    others = {"agents": {"a": AgentSpec(id="a")}}

    [told] = [p for p in problems(alone, **others) if p.code == "AgentShadowed"]
    assert (told.severity, told.path) == ("warning", "nodes[0].config.agent_id")
    assert told.say is not None and "Extract's own" in told.say
    [keep] = told.fixes
    assert keep.label == "Keep the node's own"
    assert {edit.value for edit in keep.edits} == {"a-own"}
    assert "AgentShadowed" not in codes(shared, **others)
    assert "AgentShadowed" not in codes(alone, agents={"a": AgentSpec(**own)})
    assert "AgentShadowed" not in codes(alone, agents={})


@pytest.mark.parametrize("said", ["Use {{name}} in letters.", "input.mail", "{ input.mail }", ""])
def test_other_braces_are_the_agents_own(said):
    document = line(node("a", "agent"), agents=[{"id": "x", "system_prompt": said}])

    assert "PromptNotRendered" not in codes(document)


@pytest.mark.parametrize("name", sorted(RESERVED_TOOL_NAMES))
def test_control_tools_are_refused(name):
    """V11."""
    document = line(
        node("a", "agent", config={"tools": [f"+{name}"]}), agents=[{"id": "x", "tools": [name]}]
    )

    assert found(document) == {
        ("ReservedToolName", "nodes[0].config.tools[0]"),
        ("ReservedToolName", "agents[0].tools[0]"),
    }


@pytest.mark.parametrize("entry", ["search", "+web/*", "web/search", "memory_write", "learn_pdf"])
def test_tools_that_exist(entry):
    """C3, V10."""
    document = line(node("a", "agent", config={"tools": [entry]}))

    assert codes(document, unlocks={"learn_pdf": ()}) == set()


def test_tools_that_do_not_exist():
    """C3."""
    document = line(
        node("a", "agent", config={"tools": ["nope", "+x/*"]}), agents=[{"id": "y", "tools": ["z"]}]
    )

    assert found(document) == {
        ("ToolNotFound", "nodes[0].config.tools[0]"),
        ("ToolNotFound", "nodes[0].config.tools[1]"),
        ("ToolNotFound", "agents[0].tools[0]"),
    }


def test_removing_what_is_not_there():
    """V9."""
    agents = [{"id": "own", "tools": ["search"]}]
    document = line(
        node("a", "agent", config={"agent_id": "own", "tools": ["-search", "-send"]}), agents=agents
    )

    assert found(document) == {("ToolNotInDefaultSet", "nodes[0].config.tools[1]")}


@pytest.mark.parametrize(
    ("tools", "guarded"),
    [
        (None, False),
        ([], True),
        (["-send"], True),
        (["search"], True),
        (["search", "+send"], False),
    ],
)
def test_the_tools_an_agent_is_offered(tools, guarded):
    """V9, C192."""
    agents = [{"id": "own", "tools": ["search", "send"]}]
    document = line(node("a", "agent", config={"agent_id": "own", "tools": tools}), agents=agents)

    assert ("UnguardedEffect" not in codes(document)) is guarded
    assert TOOLS["send"].effect_class == "unsafe"


def test_a_tool_that_is_switched_off_is_told_wherever_it_is_used():
    """In a step, in an agent of the document or of the workspace; not where others match too."""
    document = line(
        node("a", "agent", config={"agent_id": "ours", "tools": ["send", "+search", "mail/*"]}),
        node("b", "tool", config={"tool_id": "mail/send"}),
        node("c", "agent", config={"agent_id": "theirs"}),
        agents=[{"id": "ours", "tools": ["mail/send", "search"]}],
    )
    agents = {"theirs": AgentSpec(id="theirs", tools=["search", "mail/send"])}

    found = [p for p in problems(document, agents=agents, off=["mail/send"]) if p.code == "ToolOff"]

    assert all("mail/send" in [cure.tool for cure in p.fixes] for p in found), "it can be opened"
    assert {p.path for p in found} == {
        "agents[0].tools[0]",
        "nodes[0].config.tools[0]",
        "nodes[0].config.tools[2]",
        "nodes[1].config.tool_id",
        "nodes[2].config.agent_id",
    }
