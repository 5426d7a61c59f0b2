"""Read keys, write keys, and what is written."""

from __future__ import annotations

import pytest

from engine.check.access import covers
from engine.sdk import NodeConfig, field
from tests.engine.check.graphs import codes, edge, found, line, node, problems, spec, types_with

SCHEMA = {"type": "object", "properties": {"topic": {"type": "string"}, "notes": {"type": "array"}}}


@pytest.mark.parametrize("key", ["_x", "previous", "outputs.a", "goal", "input"])
def test_reserved_write_keys(key):
    """C14."""
    assert ("ReservedKey", "nodes[0].write_keys[0]") in found(line(node("a", write_keys=[key])))


def test_reserved_read_keys():
    """C4."""
    document = line(node("a", read_keys=["_x"]))

    assert found(document) == {("ReservedKey", "nodes[0].read_keys[0]")}


def test_lanes_may_be_read():
    """C14."""
    lanes = [
        "goal",
        "constraints",
        "input",
        "previous",
        "outputs",
        "outputs.a",
        "metadata",
        "context",
    ]

    assert codes(line(node("a", read_keys=lanes))) == set()


def test_reserved_keys_elsewhere():
    """C14."""
    document = line(
        node("a", "question", config={"answer_key": "context"}),
        initial_memory={"_x": 1},
        state_schema={"properties": {"input": {}}},
    )

    assert {path for code, path in found(document) if code == "ReservedKey"} == {
        "nodes[0].config.answer_key",
        "initial_memory._x",
        "state_schema.properties.input",
    }


def test_wildcards():
    """C6."""
    listed = problems(line(node("a", read_keys=["*"], write_keys=["*"])))

    assert {(p.code, p.severity) for p in listed} >= {
        ("WildcardRead", "warning"),
        ("WildcardWrite", "warning"),
    }
    assert codes(line(node("a", "approval"))) == set()


def test_wildcards_of_the_graph_are_told_once():
    """C6."""
    listed = problems(line(node("a"), node("b"), defaults={"read_keys": ["*"]}))

    assert [p.path for p in listed if p.code == "WildcardRead"] == ["defaults.read_keys[0]"]


def test_a_key_that_nothing_writes():
    """C7."""
    document = line(node("a", write_keys=["notes"]), node("b", read_keys=["nots"]))

    only = [p for p in problems(document) if p.code == "UnwrittenKey"]
    assert [p.path for p in only] == ["nodes[1].read_keys[0]"]
    assert 'Did you mean "notes"?' in only[0].message


WORK = {"worker_node_id": "w", "static_items": [1]}


@pytest.mark.parametrize(
    "document",
    [
        line(node("a", write_keys=["k"]), node("b", read_keys=["k.part"])),
        line(node("a", write_keys=["*"]), node("b", read_keys=["k"])),
        line(node("b", read_keys=["k"]), initial_memory={"k": 1}),
        line(node("b", read_keys=["k"]), interface={"inputs": {"properties": {"k": {}}}}),
        line(node("k", "tool"), node("b", read_keys=["k_result"])),
        line(node("a", "question", config={"answer_key": "k"}), node("b", read_keys=["k"])),
        line(node("a", "approval", config={"editable_keys": ["k"]}), node("b", read_keys=["k"])),
        {"nodes": [node("m", "map", config=WORK), node("w", read_keys=["map_item"])]},
    ],
)
def test_keys_that_something_writes(document):
    """C7, C8."""
    assert codes(document) == set()


def test_outputs_of_no_node():
    """C7."""
    assert codes(line(node("a", read_keys=["outputs.zzz"]))) == {"UnwrittenKey"}


def test_a_condition_on_a_key_that_nothing_writes():
    """C7."""
    document = line(node("a"), node("b"))
    document["edges"] += [edge("a", "__end__", condition="memory.nope == 1")]

    assert found(document) == {("UnwrittenKey", "edges[2].condition")}


def test_a_write_key_without_property():
    """V5."""
    document = line(node("a", "agent", write_keys=["topic", "x"]), state_schema=SCHEMA)

    assert found(document) == {("WriteKeyNotInSchema", "nodes[0].write_keys[1]")}


def test_write_keys_with_properties():
    """V5."""
    assert (
        codes(line(node("a", "agent", write_keys=["topic", "notes"]), state_schema=SCHEMA)) == set()
    )
    assert codes(line(node("a", write_keys=["x"]), state_schema=SCHEMA)) == set()


def test_a_result_key_that_is_not_writable():
    """V7."""
    own = {"result_schema": {"type": "object", "properties": {"z": {}, "y": {}}}}

    assert found(line(node("a", "agent", write_keys=["y"], config=own))) == {
        ("ResultKeyNotWritable", "nodes[0].config.result_schema.properties.z")
    }
    assert codes(line(node("a", "agent", write_keys=["y", "z"], config=own))) == set()


def test_an_agents_ceiling_limits_its_answer():
    """C9."""
    own = {"agent_id": "own", "result_schema": {"properties": {"y": {}}}}
    agents = [{"id": "own", "permissions": {"write_keys": []}}]

    assert codes(line(node("a", "agent", write_keys=["y"], config=own), agents=agents)) == {
        "ResultKeyNotWritable"
    }


def test_an_answer_without_a_place():
    """C10."""
    assert found(line(node("a", "agent", write_keys=["score", "why"]))) == {
        ("AnswerNotStored", "nodes[0].write_keys")
    }


@pytest.mark.parametrize(
    "item",
    [
        node("a", "agent", write_keys=["draft"]),
        node("a", "agent"),
        node("a", "agent", write_keys=["x", "y"], config={"tools": ["memory_write"]}),
    ],
)
def test_an_answer_with_a_place(item):
    """C10."""
    assert codes(line(item)) == set()


def test_a_write_without_effect():
    """C61."""
    assert found(line(node("t", "tool", write_keys=["t_result", "x"]))) == {
        ("WriteKeyUnused", "nodes[0].write_keys[1]")
    }


def fork(b, c, **fields):
    document = {"nodes": [node("a"), b, c, node("d", write_keys=["k"])], **fields}
    document["edges"] = [edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "d")]
    return document


B, C = node("b", write_keys=["k"]), node("c", write_keys=["k"])


def test_branches_that_write_one_key():
    """C53."""
    assert found(fork(B, C)) == {("ParallelWrites", "nodes[2].write_keys")}


def test_branches_that_do_not_collide():
    """C53."""
    reduced = {"properties": {"k": {"type": "array", "reducer": "append"}}}
    chosen = fork(B, C)
    chosen["edges"][0]["when"] = "x"

    assert codes(fork(B, node("c", write_keys=["j"]))) == set()
    assert codes(fork(B, C, state_schema=reduced)) == set()
    assert codes(chosen) == set()


def test_parallel_starts_collide_too():
    """C53, K2."""
    document = {"nodes": [B, C], "edges": [edge("__start__", "b"), edge("__start__", "c")]}

    assert codes(document) == {"ParallelWrites"}


class Reflects(NodeConfig):
    """Reads keys by its config."""

    source_keys: tuple[str, ...] = field(
        (), widget="keys", hints={"reads": "must"}, description="x"
    )
    target_key: str | None = field(None, widget="key", hints={"reads": "may"}, description="x")
    tags: tuple[str, ...] = field(
        (), hints={"warn_empty": ("UntaggedFacts", "Tag them.")}, description="x"
    )


REFLECTS = types_with(("reflects", Reflects))


def test_sources_must_be_readable():
    """C170."""
    config = {"source_keys": ["notes"], "tags": ["t"]}
    bare = line(node("a", "reflects", config=config), initial_memory={"notes": ""})
    granted = line(
        node("a", "reflects", config=config, read_keys=["notes"]), initial_memory={"notes": ""}
    )

    assert codes(bare, node_types=REFLECTS) == {"SourceNotReadable"}
    assert codes(granted, node_types=REFLECTS) == set()


def test_targets_should_be_readable():
    """C165."""
    config = {"target_key": "notes", "tags": ["t"]}

    assert codes(line(node("a", "reflects", config=config)), node_types=REFLECTS) == {
        "UnreadableKey"
    }


def test_facts_without_tags():
    """C173."""
    assert codes(line(node("a", "reflects")), node_types=REFLECTS) == {"UntaggedFacts"}


def test_an_error_in_the_config_hides_no_warning_of_it():
    """C173: All problems at once: a wrong field does not silence what another one lacks."""
    wrong = line(node("a", "reflects", config={"nosuch": 1}))
    tagged = line(node("a", "reflects", config={"nosuch": 1, "tags": ["t"]}))

    assert codes(wrong, node_types=REFLECTS) == {"UnknownField", "UntaggedFacts"}
    assert codes(tagged, node_types=REFLECTS) == {"UnknownField"}


@pytest.mark.parametrize(
    ("keys", "path", "expected"),
    [
        ([], ("goal",), True),
        ([], ("memory", "a"), False),
        (["*"], ("memory", "a"), True),
        (["*"], ("previous",), False),
        (["*"], ("memory", "_a"), False),
        (["notes.a"], ("memory", "notes"), True),
        (["notes.a"], ("memory", "notes", "b"), False),
        (["outputs"], ("outputs", "x"), True),
        (["outputs.a"], ("outputs", "b"), False),
        (["outputs.a"], ("outputs", "a", "text"), True),
        (["context"], ("context", "x"), True),
    ],
)
def test_what_read_keys_let_through(keys, path, expected):
    """C4, C6, C14."""
    assert covers(keys, path) is expected


def test_a_mapped_key_that_nothing_writes_is_named_at_its_place():
    """C7, C81."""
    config = {"subgraph_id": "other", "input_mapping": {"topic": "t"}}
    graphs = {"other": spec({"nodes": [node("a")]})}

    assert found(line(node("s", "subgraph", config=config)), graphs=graphs) == {
        ("UnwrittenKey", "nodes[0].config.input_mapping.topic")
    }


def test_an_answer_is_kept_under_a_whole_key():
    """I7."""
    asks = node("q", "question", config={"answer_key": "notes.a"})

    assert found(line(asks)) == {("InvalidValue", "nodes[0].config.answer_key")}


def test_an_approval_may_show_start_fields_that_there_are():
    """C92."""

    def shown(*keys, **config):
        asked = node("a", "approval", config={"review_keys": list(keys), **config})
        inputs = {"properties": {"cv": {"type": "string"}}, "additionalProperties": False}
        return line(asked, interface={"inputs": inputs}, initial_memory={"letter": ""})

    told = problems(shown("letter", "input.cvs"))
    (wrong,) = [each for each in told if each.severity != "hint"]
    lanes = {code for key in ("input", "outputs.a", "input.") for code in codes(shown(key))}

    assert codes(shown("letter", "input.cv", prompt_message="Is {{ input.cv }} right?")) == set()
    assert codes(shown("letter", "input.cv", alike_by=["input.cv"])) == set()
    assert (wrong.code, wrong.severity, [one.label for one in wrong.fixes]) == (
        "UnknownReference",
        "error",
        ["Use cv", "Add start field cvs"],
    )
    assert lanes == {"ReservedKey"}
    edited = shown("letter", "input.cv", editable_keys=["input.cv", "letter"])
    (fixed,) = [each for each in problems(edited) if each.code == "ReservedKey"]
    assert fixed.message.endswith("comes from the start: it can be shown, but nobody can edit it.")
    [cure] = fixed.fixes
    assert (cure.label, cure.edits[0].value) == ("Let nobody edit input.cv", ["letter"])


def test_what_reviewers_are_to_see_is_given_by_something():
    approval = node("a", "approval", config={"review_keys": ["sal", "topic", "input.x", "*"]})
    document = line(approval, initial_memory={"topic": "x"})

    assert [path for code, path in found(document) if code == "UnwrittenKey"] == [
        "nodes[0].config.review_keys[0]"
    ]
