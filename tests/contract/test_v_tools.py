"""Rows V8 to V11 and C3: tool lists, skills and control tools, through whole conversations."""

from __future__ import annotations

from typing import Any

import pytest

from engine.agents.skills import PREFIX, Skill, Skills
from engine.core.effects import EffectClass
from engine.core.node_types.registry import RegistrationError
from engine.integrations.tools.functions import FunctionTools, ToolNotRegistered
from engine.integrations.tools.protocol import RESERVED_TOOL_NAMES
from tests.contract.harness import Outcome, agent, approval, check, doc, node, run

PDF = Skill("pdf", "Read PDF files.", "Call read_pdf with a path.", ("read_pdf",))
TOOLS = {name: [{"result": name}] for name in ("a", "b", "c", "d", "search", "read_pdf")}
AGENT = [{"id": "x", "tools": ["search"]}]


def calls(*names: str) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "arguments": {}} for name in names]}


def script(*replies: Any, tools: Any = None) -> dict[str, Any]:
    turns = [{"text": r} if isinstance(r, str) else r for r in replies]
    return {"default": turns, "tools": TOOLS if tools is None else tools}


def offered(done: Outcome, call: int = 0) -> list[str]:
    return [t.name for t in done.models[call].request.tools]


def told(done: Outcome, call: int) -> list[str]:
    return [m.content for m in done.models[call].request.messages if m.role == "tool"]


def test_the_default_set_is_the_agents_tools_and_the_skills() -> None:
    """V8."""
    graph = doc([agent("n")], agents=AGENT)

    assert offered(run(graph, script("ok"), skills=Skills([PDF]))) == ["search", "learn_pdf"]
    assert offered(run(graph, script("ok"))) == ["search"]


@pytest.mark.parametrize(
    ("listed", "names"),
    [
        (["c"], ["c"]),
        (["+c"], ["a", "b", "learn_x", "c"]),
        (["-a"], ["b", "learn_x"]),
        (["c", "+d", "-c"], ["d"]),
        ([], []),
        (["-learn_x"], ["a", "b"]),
        (["c", "+learn_x"], ["c", "learn_x"]),
        (["-a", "+a"], ["b", "learn_x", "a"]),
    ],
)
def test_a_list_replaces_adds_and_removes_skills_too(listed: Any, names: Any) -> None:
    """V9, V10."""
    graph = doc([agent("n", config={"tools": listed})], agents=[{"id": "x", "tools": ["a", "b"]}])
    skills = Skills([Skill("x", "Learn x.", "It is x.")])

    assert sorted(offered(run(graph, script("ok"), skills=skills))) == sorted(names)
    assert "ToolNotInDefaultSet" not in check(graph, script("ok"), skills=skills).codes


def test_removing_what_is_not_there_is_no_error() -> None:
    """V9."""
    graph = doc([agent("n", config={"tools": ["-zzz", "-learn_pdf"]})], agents=AGENT)
    found = check(graph, script("ok"))

    assert (found.exit, found.codes.count("ToolNotInDefaultSet")) == (0, 2)
    assert offered(run(graph, script("ok"))) == ["search"]


def test_an_unknown_tool_is_told_what_there_is() -> None:
    """V9: A name that leads nowhere comes with the names that would lead somewhere."""
    graph = doc([agent("n", config={"tools": ["+zzz"]})], agents=AGENT)
    (problem,) = [p for p in check(graph, script("ok")).problems if p["code"] == "ToolNotFound"]

    assert problem["path"] == "nodes[0].config.tools[0]"
    assert "search" in problem["message"]


def test_a_skill_unlocks_its_tools_for_the_rest_of_the_conversation() -> None:
    """V10."""
    turns = script(calls("learn_pdf"), calls("read_pdf"), "done")
    graph = doc([agent("n"), agent("m")], agents=[{"id": "x"}])
    turns["default"].append({"text": "second"})
    done = run(graph, turns, skills=Skills([PDF]))

    assert offered(done, 0) == ["learn_pdf"]
    assert offered(done, 1) == ["read_pdf", "learn_pdf"]
    assert told(done, 2) == ["Call read_pdf with a path.", "read_pdf"]
    assert [call.tool for call in done.tools] == ["read_pdf"]
    assert offered(done, 3) == ["learn_pdf"]  # another conversation begins anew


def test_a_skills_tool_is_unknown_before_it_is_learned() -> None:
    """V10: Also beside the call that unlocks it: the tools come with the next model call."""
    early = run(doc([agent("n")]), script(calls("read_pdf"), "given up"), skills=Skills([PDF]))
    beside = run(
        doc([agent("n")]), script(calls("learn_pdf", "read_pdf"), "later"), skills=Skills([PDF])
    )

    assert "unknown tool" in told(early, 1)[0]
    assert "unknown tool" in told(beside, 1)[1]
    assert (early.tools, beside.tools) == ([], [])


def test_a_skill_is_recorded_so_that_a_retry_knows_what_was_learned() -> None:
    """V10, C34: The first attempt learns and breaks; the second goes on with what was taught then."""
    broken = {"error": {"status": 500, "message": "busy"}}
    turns = script(calls("learn_pdf"), broken, calls("read_pdf"), "done")
    done = run(doc([agent("n")]), turns, skills=Skills([PDF]))

    assert (done.status, done.activation("n")["attempts"], len(done.models)) == ("completed", 2, 4)
    assert [e["kind"] for e in done.of("StepRecorded")] == ["skill"]


def test_skills_lead_to_skills_and_say_what_is_missing() -> None:
    """V10."""
    more = Skill("more", "Learn more.", "There is more.", ("learn_pdf", "nowhere"))
    skills = Skills([PDF, more])
    graph = doc([agent("n", config={"tools": ["learn_more"]})])
    done = run(graph, script(calls("learn_more"), calls("learn_pdf"), "ok"), skills=skills)

    assert offered(done, 0) == ["learn_more"]
    assert "Not available here: nowhere" in told(done, 1)[0]
    assert "read_pdf" in offered(done, 2)


def test_a_skill_whose_tools_are_unsafe_is_a_danger() -> None:
    """V10, C192."""
    tools = {"read_pdf": [{"result": 1, "effect_class": "unsafe"}]}
    open_way = doc([agent("n", config={"tools": ["learn_pdf"]})])
    guarded = doc([approval("ok"), agent("n", config={"tools": ["learn_pdf"]})])

    for graph, dangerous in ((open_way, True), (guarded, False)):
        found = check(graph, {"tools": tools}, skills=Skills([PDF])).codes
        assert ("UnguardedEffect" in found) is dangerous


def test_skills_are_registered_by_decorator() -> None:
    """V10."""
    skills = Skills()

    @skills.skill("csv", tools=("read_csv",))
    def csv() -> str:
        """Read tables."""
        return "Call read_csv."

    found = skills.find("learn_csv")
    assert found == Skill("csv", "Read tables.", "Call read_csv.", ("read_csv",))
    assert csv() == "Call read_csv."
    assert skills.names() == [f"{PREFIX}csv"]


@pytest.mark.parametrize(
    "bad",
    [
        Skill("9", "d", "i"),
        Skill("a", " ", "i"),
        Skill("a", "d", ""),
        Skill("a", "d", "i", ("memory_write",)),
        Skill("pdf", "another", "thing"),
    ],
)
def test_a_skill_needs_a_name_and_words(bad: Skill) -> None:
    """V10."""
    with pytest.raises(RegistrationError):
        Skills([PDF]).add(bad)


@pytest.mark.parametrize("name", sorted(RESERVED_TOOL_NAMES))
def test_control_tools_cannot_be_declared_registered_or_called(name: str) -> None:
    """V11."""
    for entry in (name, f"+{name}", f"files/{name}"):
        refused = check(doc([agent("n", config={"tools": [entry]})]))
        assert (refused.exit, "ReservedToolName" in refused.codes) == (1, True)
    of_agent = check(doc([agent("n")], agents=[{"id": "x", "tools": [name]}]))
    assert (of_agent.exit, "ReservedToolName" in of_agent.codes) == (1, True)
    with pytest.raises(ToolNotRegistered):
        FunctionTools().register(lambda: None, name=name)
    with pytest.raises(RegistrationError):
        Skills([Skill("control", "Control.", "Call it.", (name,))])

    done = run(doc([agent("n")]), script(calls(name), "ok", tools={name: [{"result": 1}]}))
    assert ("unknown tool" in told(done, 1)[0], done.tools, done.path) == (True, [], ["n"])


def function_tools() -> FunctionTools:
    tools = FunctionTools(name="files")
    for name in ("read", "list"):
        tools.register(lambda: 1, name=name, effect_class=EffectClass.READ, description="Files.")
    return tools


def test_a_star_is_everything_of_a_source() -> None:
    """C3."""

    def names(*listed: str) -> list[str]:
        graph = doc([agent("n", config={"tools": list(listed)})], agents=AGENT)
        assert check_codes(graph) == []
        return offered(run(graph, script("ok"), functions=function_tools()))

    def check_codes(graph: Any) -> list[str]:
        done = run(graph, script("ok"), functions=function_tools())
        return [c for c in done.codes if c in ("ToolNotFound", "ToolNotInDefaultSet")]

    assert names("files/*") == ["read", "list"]
    assert names("files/*", "-files/read") == ["list"]
    assert names("files/*", "-read") == ["list"]
    assert names("files/list", "files/read", "-read") == ["list"]
    assert names("files/*", "-files/*", "+files/list") == ["list"]
    assert names("files/list") == ["list"]


def test_a_tool_that_leads_nowhere_blocks_the_start() -> None:
    """C3."""
    graph = doc([agent("n", config={"tools": ["nope/*"]})])

    assert run(graph, script("ok")).exit == 2
    assert "ToolNotFound" in check(graph).codes


def test_the_undo_of_a_node_may_name_no_control_tool() -> None:
    """V11."""
    undo = {"tool_id": "set_context"}
    graph = doc([node("t", "tool", config={"tool_id": "a", "compensation": undo})])

    assert check(graph, script("ok")).exit == 1
