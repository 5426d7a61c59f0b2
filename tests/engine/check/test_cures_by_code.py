"""Each problem that has a cure has one that works: applied, the problem is gone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.core.graph.document import AgentSpec, GraphSpec, parse_document
from engine.core.graph.problems import SEVERITIES
from engine.core.state.requests import Actor
from tests.engine.check.graphs import edge, line, node, problems
from tests.engine.check.mending import mended
from tests.engine.check.test_misfits import asked

Document = dict[str, Any]

BY_A_PERSON = {
    "UnreadableDocument": "the row shows the place",
    "UnsupportedFormat": "the row shows the place",
    "NoHumanDescription": "the row leads to the field, and a person writes it",
    "ModelTakesNoTools": "the row leads to the step, and a person chooses the model or the tools",
    "PromptNotRendered": "a person says where the value goes in the prompt of the step",
    "CredentialNotFound": "an admin adds it",
    "CredentialNotBound": "an admin binds it",
    "InvalidId": "a document with one is not read at all; the editor makes none",
    "DuplicateId": "a document with one is not read at all; the editor makes none",
    "TooMuchToCheck": "the document is too large",
    "TooEntangled": "the document is too large",
}
"""Codes without a button, and why."""
LATE = {"reminders": [1, 90_000_000]}


def wired(document: Document, *edges: Document) -> Document:
    """Return a document with edges that have ids, as the editor draws them."""
    drawn = [*document["edges"], *edges]
    return {
        **document,
        "edges": [{**each, "id": each.get("id", f"e{at}")} for at, each in enumerate(drawn)],
    }


def loop(*nodes: Document, **last: Any) -> Document:
    """Return nodes in a circle."""
    document = line(*nodes)
    return wired(document, edge(nodes[-1]["id"], nodes[0]["id"], **last))


def branches() -> Document:
    """Return a node behind which two others write the same field at once."""
    document = {
        "nodes": [node("a"), node("b", write_keys=["x"]), node("c", write_keys=["x"])],
        "edges": [edge("__start__", "a"), edge("a", "b"), edge("a", "c")],
        "state_schema": {"type": "object", "properties": {"x": {"type": "string"}}},
    }
    return wired(document)


def maybe(config: Document, type_: str = "output") -> Document:
    """Return a node that may start before anything has written `level`."""
    return wired(
        line(
            node("a"),
            node("b", write_keys=["level"]),
            node("c", type_, read_keys=["level"], config=config),
        ),
        edge("a", "c", on="failed"),
    )


def parent(**fields: Any) -> GraphSpec:
    """Return another graph of the workspace."""
    found, wrong = parse_document({**line(node("x")), **fields})
    assert found is not None, wrong
    return found


CHOICE = [
    edge("a", "b", trigger="agent", id="x"),
    edge("a", "c", trigger="agent", id="y"),
]
TABLE: dict[str, tuple[Document, dict[str, Any]]] = {
    "MissingField": (
        {**line(node("each", "map")), "nodes": [node("each", "map"), node("weigh")]},
        {},
    ),
    "UnreadableKey": (line(node("a", "output", read_keys=[], config={"value": "input.cv"})), {}),
    "SourceNotReadable": (
        line(
            node(
                "a",
                "reflection",
                read_keys=[],
                config={"source_keys": ["x"], "extractor": {"type": "rule_based"}, "tags": ["t"]},
            ),
            initial_memory={"x": "y"},
        ),
        {},
    ),
    "UnknownReference": (
        line(
            node("a", "output", read_keys=["input"], config={"value": "input.nam"}),
            interface={"inputs": {"type": "object", "properties": {"name": {}}}},
        ),
        {},
    ),
    "UnwrittenKey": (
        line(node("a", write_keys=["level"]), node("b", "output", read_keys=["levl"])),
        {},
    ),
    "UnprovenReference": (maybe({"value": "memory.level"}), {}),
    "ExpressionInvalid": (
        line(node("a", write_keys=["level"]), node("b", "output", config={"value": "level"})),
        {},
    ),
    "WriteKeyNotInSchema": (
        line(node("a", "agent", write_keys=["x"]), state_schema={"properties": {"y": {}}}),
        {},
    ),
    "AnswerNotStored": (line(node("a", "agent", write_keys=["x", "y"])), {}),
    "ResultKeyNotWritable": (
        line(
            node(
                "a",
                "agent",
                write_keys=[],
                config={"result_schema": {"type": "object", "properties": {"z": {}}}},
            )
        ),
        {},
    ),
    "ParallelWrites": (branches(), {}),
    "WildcardRead": (
        line(
            node("a", "output", read_keys=["*"], config={"value": "memory.x"}),
            initial_memory={"x": 1},
        ),
        {},
    ),
    "WildcardWrite": (
        line(node("a", "agent", write_keys=["*"]), state_schema={"properties": {"x": {}}}),
        {},
    ),
    "WriteKeyUnused": (line(node("a", "output", write_keys=["x"])), {}),
    "ToolNotInDefaultSet": (line(node("a", "agent", config={"tools": ["-search"]})), {}),
    "AgentShadowed": (
        line(
            node("a", "agent", config={"agent_id": "a"}, budget={"fallback_agent_id": "a"}),
            agents=[{"id": "b"}, {"id": "a", "system_prompt": "Be kind."}],
        ),
        {"agents": {"a": AgentSpec(id="a"), "a-own": AgentSpec(id="a-own")}},
    ),
    "ToolOff": (
        line(node("a", "agent", config={"tools": ["search", "send"]})),
        {"off": ["mail/send"]},
    ),
    "MemoryQueryIgnored": (line(node("a", memory_query={"text": "x"})), {}),
    "UnknownField": (line(node("a", config={"hander": "x"})), {}),
    "EntryMissing": ({"nodes": [node("a"), node("b")], "edges": []}, {}),
    "UnreachableNode": ({**wired(line(node("a"))), "nodes": [node("a"), node("c")]}, {}),
    "EdgeNeverTaken": (
        wired(
            line(node("a"), node("b"), node("c"), node("d")),
            edge("b", "d"),
            edge("a", "d", condition="1 == 1"),
            edge("a", "c", condition="1 == 1"),
        ),
        {},
    ),
    "NoElseEdge": (
        {
            "nodes": [node("a"), node("b")],
            "edges": [edge("__start__", "a"), edge("a", "b", condition="1 == 1")],
        },
        {},
    ),
    "CycleWithoutExit": (loop(node("a", write_keys=["x"]), node("b", "agent")), {}),
    "LoopForks": (
        wired(line(node("a"), node("b", branching="all"), node("c")), edge("b", "a")),
        {},
    ),
    "SynthesizerNotReached": (
        wired(
            line(
                node(
                    "a",
                    "map",
                    config={"worker_node_id": "w", "static_items": [1], "synthesizer_node_id": "s"},
                ),
                node("b"),
            ),
            edge("b", "s"),
        )
        | {
            "nodes": [
                node(
                    "a",
                    "map",
                    config={"worker_node_id": "w", "static_items": [1], "synthesizer_node_id": "s"},
                ),
                node("b"),
                node("w"),
                node("s"),
            ]
        },
        {},
    ),
    "ManyAgentEdges": (
        wired(
            {
                "nodes": [node("a", "agent"), node("b"), node("c")],
                "edges": [edge("__start__", "a"), *CHOICE],
            }
        ),
        {},
    ),
    "UnguardedEffect": (wired(line(node("a", "tool", config={"tool_id": "send"}))), {}),
    "NobodyMayDecide": (
        line(node("a", "approval", config={"policy": {"eligible": ["user:gone"]}})),
        {"members": [Actor("rita", name="Rita", roles=frozenset({"admin"}))]},
    ),
    "AfterDeadline": (line(node("a", "approval", config={"policy": LATE})), {}),
    "CannotCompare": (asked("input.n > '3'"), {}),
    "UnknownChoice": (asked("input.level == 'seniro'"), {}),
    "NoChoices": (line(node("a"), state_schema={"properties": {"x": {"enum": []}}}), {}),
    "BodyNotRead": (line(node("a", "http_request", config={"body": {"sum": 1}})), {}),
    "NobodyMayEdit": (
        line(
            node(
                "a",
                "approval",
                config={"editable_keys": ["sum"], "editable_by": {"sum": ["group:gone"]}},
            ),
            initial_memory={"sum": 1},
        ),
        {"members": [Actor("rita", name="Rita", roles=frozenset({"admin"}))]},
    ),
    "NotEditable": (
        line(
            node(
                "a",
                "approval",
                config={"editable_keys": ["sum"], "editable_by": {"note": ["role:admin"]}},
            ),
            initial_memory={"sum": 1, "note": "x"},
        ),
        {},
    ),
    "CompensationMissing": (line(node("a", "tool", requires_compensation=True)), {}),
    "UnknownAgent": (line(node("a", "agent", config={"agent_id": "hlper"})), {}),
    "SchemaShape": (line(node("a"), state_schema={"name": "string", "sum": "number"}), {}),
    "UnknownModel": (
        line(node("a", "agent", config={"model": "acme/x"})),
        {"models": lambda name: None if name == "local/default" else "there is no key for Acme"},
    ),
    "WorkerWired": (
        wired(
            line(
                node("a", "map", config={"worker_node_id": "w", "static_items": [1]}),
                node("b"),
                node("w"),
            ),
        ),
        {},
    ),
    "UnknownNode": (wired(line(node("alpha"), node("b")), edge("b", "alpa", id="z")), {}),
    "UnknownNodeType": (line({"id": "a", "type": "agnt", "config": {"agent_id": "helper"}}), {}),
    "UnknownHandler": (line(node("a", config={"handler": "goo"})), {}),
    "ToolNotFound": (line(node("a", "tool", config={"tool_id": "serch"})), {}),
    "GraphNotFound": (
        line(node("a", "subgraph", config={"subgraph_id": "chld"})),
        {"graphs": {"child": parent(id="child")}},
    ),
    "SubgraphCycle": (
        line(node("a", "subgraph", config={"subgraph_id": "g"})),
        {"graphs": {"child": parent(id="child")}},
    ),
    "ReservedKey": (line(node("a", write_keys=["_x"])), {}),
    "ReservedToolName": (line(node("a", "agent", config={"tools": ["transition_to"]})), {}),
    "InvalidValue": (line(node("a", "agent", config={"model": 7})), {}),
    "IterationLimitLow": (line(node("a"), node("b"), limits={"max_iterations": 1}), {}),
    "UntaggedFacts": (
        line(
            node(
                "a",
                "reflection",
                read_keys=["x"],
                config={"source_keys": ["x"], "extractor": {"type": "rule_based"}},
            ),
            initial_memory={"x": "y"},
        ),
        {},
    ),
}


def of(code: str, document: Document, given: Document) -> Any:
    """Return the first problem with this code."""
    return next((p for p in problems(document, **given) if p.code == code), None)


def test_every_code_has_a_cure_or_a_reason() -> None:
    assert {*TABLE, *BY_A_PERSON} == set(SEVERITIES)
    assert not {*TABLE} & {*BY_A_PERSON}


@pytest.mark.parametrize("code", TABLE)
def test_every_cure_takes_its_problem_away(code: str) -> None:
    document, given = TABLE[code]
    problem = of(code, document, given)
    assert problem is not None, {p.code for p in problems(document, **given)}
    assert problem.fixes, problem

    for cure in (each for each in problem.fixes if each.tool is None and each.settings is None):
        after = mended(document, cure)

        found, wrong = parse_document({"id": "g", **after})
        assert found is not None, (cure.label, wrong)
        left = of(code, after, given)
        assert left is None or left.path != problem.path or left.message != problem.message, (
            cure.label,
            left,
        )
        new = {p.code for p in problems(after, **given) if p.severity == "error"}
        assert new <= {p.code for p in problems(document, **given)}, (cure.label, new)


OTHERS: dict[str, Document] = {
    "start edges": wired(line(node("a"), node("b")), edge("__start__", "b", condition="1 == 1")),
    "rejection": wired(
        line(node("a", "approval", config={"rejection_node_id": "b"}), node("b"), node("c")),
        edge("a", "c", on="rejected"),
    ),
    "value at the start": line(
        node("a"),
        state_schema={"type": "object", "properties": {"x": {"type": "string"}}},
        initial_memory={"x": 1},
    ),
    "reducer": line(
        node("a"),
        state_schema={"type": "object", "properties": {"x": {"reducer": "blend"}}},
    ),
    "named node": line(node("a", "map", config={"worker_node_id": "w", "static_items": [1]})),
    "source": wired(line(node("a")), edge("b", "a", id="z")),
    "no undo": line(node("a", requires_compensation=True)),
}
"""Documents with problems of a code that others of it say in other words."""
WORDS = {**{code: document for code, (document, _given) in TABLE.items()}, **OTHERS}
_OF_THE_DOCUMENT = re.compile(r"__[a-z]+__|\b[a-z]+(?:_[a-z]+)+\b|edges\[|nodes\[|[{}`]")


@pytest.mark.parametrize("name", WORDS)
def test_people_are_told_no_word_of_the_document(name: str) -> None:
    given = TABLE[name][1] if name in TABLE else {}
    found = problems(WORDS[name], **given)

    assert found
    said = [problem.say or problem.message for problem in found]
    # `transition_to` is the name of a tool that the author wrote
    assert not [s for s in said if _OF_THE_DOCUMENT.search(s.replace("transition_to", ""))]


def test_a_loop_and_a_wire_to_nowhere_are_told_by_what_people_call_the_nodes() -> None:
    nodes = node("n1", label="Write"), node("n2", label="Review")
    (endless,) = (p for p in problems(loop(*nodes)) if p.code == "CycleWithoutExit")
    lost = of("UnknownNode", wired(line(*nodes), edge("n2", "n11", id="z")), {})

    assert endless.say is not None and "the loop of Write and Review" in endless.say
    assert lost.say == 'The wire from Review has no node at its other end. Did you mean "Write"?'
    assert lost.fixes[0].label == "Use Write"


def test_agents_are_still_asked_for_what_becomes_a_list() -> None:
    """V5: A derived shape leaves out what has a reducer, so it is said."""
    document = branches()
    document["nodes"][1] = node("b", "agent", write_keys=["x", "y"])
    document["nodes"][2] = node(
        "c", "agent", write_keys=["x"], config={"result_schema": {"properties": {"x": {}}}}
    )
    document["state_schema"]["properties"]["y"] = {"type": "number", "reducer": "sum"}
    problem = of("ParallelWrites", document, {})
    cure = next(each for each in problem.fixes if each.label == "Combine as list")

    after = mended(document, cure)

    shapes = {each["id"]: each["config"].get("result_schema") for each in after["nodes"]}
    assert shapes["b"] == {
        "type": "object",
        "properties": {
            "x": {"type": "array", "items": {"type": "string"}},
            "y": {"type": "number"},
        },
        "required": ["x", "y"],
        "additionalProperties": False,
    }
    assert shapes["a"] is None
    assert shapes["c"] == {"properties": {"x": {}}}
