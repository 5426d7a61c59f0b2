"""Templates, expressions and paths in a document."""

from __future__ import annotations

import pytest

from engine.core.state.grants import read_key
from tests.engine.check.graphs import codes, edge, found, line, node, problems


def agent(prompt, **fields):
    return line(node("a", "agent", config={"prompt": prompt}, **fields))


def test_a_bare_name_proposes_memory():
    """V28."""
    only = [p for p in problems(agent("{{ field }}")) if p.code == "ExpressionInvalid"]

    assert [p.path for p in only] == ["nodes[0].config.prompt"]
    assert "memory.field" in only[0].message


def test_every_wrong_value_of_a_text_is_told_with_what_exists():
    document = agent("{{ input.nmae }}\n{{ nme }} {{ oops }} {{ nme }}", read_keys=["input"])
    document["interface"] = {
        "inputs": {
            "type": "object",
            "properties": {"name": {"type": "string"}},
            "additionalProperties": False,
        }
    }

    told = [p for p in problems(document) if p.path == "nodes[0].config.prompt"]

    assert [p.say or p.message for p in told] == [
        'The input has no field "nmae". Did you mean "name"?',
        'There is no value "nme". Did you mean input.name?',
        "There is no value \"oops\". Choose one that there is, or write a text in quotes: 'oops'.",
    ]
    assert [p.message[:18] for p in told[1:]] == ["Line 2, column 4: ", "Line 2, column 14:"]


def test_a_text_whose_values_cannot_be_told_apart_has_one_problem():
    told = [p for p in problems(agent("{{ oops }} {{ nme ")) if p.code == "ExpressionInvalid"]

    assert [p.say for p in told] == ["Close the value with `}}`."]


@pytest.mark.parametrize(
    ("prompt", "limit"),
    [("a" * 70_000, "65,536 characters, and has 70,000"), ("{{ input }}" * 401, "400 values")],
)
def test_a_text_over_its_limit_is_told_by_the_title_of_its_field(prompt, limit):
    [told] = [p for p in problems(agent(prompt)) if p.code == "ExpressionInvalid"]

    assert told.say is not None
    assert told.say.startswith(f"Prompt may {'have' if 'characters' in limit else 'name'} {limit}")


@pytest.mark.parametrize(
    "reference", ["memory.x", "input", "previous", "outputs.a", "metadata.k", "context.k"]
)
def test_what_the_node_may_not_read(reference):
    """V28, C15."""
    assert found(agent(f"{{{{ {reference} }}}}")) == {("UnreadableKey", "nodes[0].config.prompt")}


@pytest.mark.parametrize(
    "template", ["{{ goal }}", "{{ constraints }}", "{{ has(memory.x) ? memory.x : '-' }}", "plain"]
)
def test_what_needs_no_read_key(template):
    """V24, V28."""
    assert codes(agent(template)) == set()


def test_a_key_that_may_not_exist_yet():
    """V28."""
    document = line(
        node("r", "router", config={"expression": "goal"}),
        node("w", write_keys=["k"]),
        node("a", "agent", read_keys=["k"], config={"prompt": "{{ memory.k }}"}),
    )
    assert codes(document) == set()

    document["edges"].append(edge("r", "a", when="x"))
    assert found(document) == {("UnprovenReference", "nodes[2].config.prompt")}


def test_a_key_never_written_is_unproven_too():
    """V24, V28."""
    assert codes(agent("{{ memory.nope }}", read_keys=["nope"])) == {
        "UnwrittenKey",
        "UnprovenReference",
    }


def test_an_output_that_may_not_exist_yet():
    """V28."""
    late = line(
        node("a", "output", read_keys=["outputs"], config={"value": "outputs.b"}), node("b")
    )
    early = line(
        node("b"), node("a", "output", read_keys=["outputs"], config={"value": "outputs.b"})
    )

    assert codes(late) == {"UnprovenReference"}
    assert codes(early) == set()


def test_memory_given_at_start_is_proven():
    """V28."""
    assert codes({**agent("{{ memory.k }}", read_keys=["k"]), "initial_memory": {"k": 1}}) == set()


def test_an_output_may_always_read_previous():
    """C15, S19."""
    assert codes(line(node("a", "output", config={"value": "previous"}))) == set()
    assert codes(line(node("a", "output", config={"value": "outputs.a"}))) == {"UnreadableKey"}


def test_reviewed_keys_may_be_used_in_the_message():
    """C91, C92."""
    config = {"prompt_message": "See {{ memory.draft }}", "review_keys": ["draft"]}
    document = line(node("a", "approval", config=config), initial_memory={"draft": ""})

    assert codes(document) == set()
    document["nodes"][0]["config"]["review_keys"] = ["other"]
    assert "UnreadableKey" in codes(document)


@pytest.mark.parametrize(
    ("item", "path"),
    [
        (node("a", "router", config={"expression": "1 +"}), "expression"),
        (node("a", "output", config={"value": "nope"}), "value"),
        (node("a", "output", config={"value": "result.output"}), "value"),
        (node("a", "http_request", config={"url": "{{ "}), "url"),
        (node("a", "http_request", config={"headers": {"x": ["{{ nope }}"]}}), "headers.x[0]"),
        (node("a", "tool", config={"arguments": {"a b": "{{ 1 + }}"}}), "arguments['a b']"),
        (node("a", "agent", config={"annealing": {"score_path": "$["}}), "annealing.score_path"),
        (node("a", "approval", config={"policy": {"eligible": ["=1 +"]}}), "policy.eligible[0]"),
    ],
)
def test_what_does_not_compile(item, path):
    """C11, C17."""
    assert found(line(item)) == {("ExpressionInvalid", f"nodes[0].config.{path}")}


def test_params_are_never_templates():
    """K4."""
    assert codes(line(node("a", config={"params": {"t": "{{ nope"}}))) == set()


def test_memory_query_texts_are_templates():
    """C182."""
    document = agent("", memory_query={"text": "{{ nope }}"})

    assert found(document) == {("ExpressionInvalid", "nodes[0].memory_query.text")}


def test_edge_conditions_see_everything():
    """C15, S24."""
    document = line(node("a"), node("b"))
    document["edges"].append(edge("a", "__end__", condition="result.output == 1 && outputs.a == 1"))

    assert codes(document) == set()


def test_edge_conditions_must_compile():
    """C11."""
    document = line(node("a"), node("b"))
    document["edges"].append(edge("a", "__end__", condition="1 ="))

    assert found(document) == {("ExpressionInvalid", "edges[2].condition")}


def test_a_join_waits_for_the_parallel_branch_that_writes():
    """V28, C53."""
    reader = node(
        "d",
        "agent",
        read_keys=["k", "outputs"],
        config={"prompt": "{{ memory.k }} {{ outputs.b }}"},
    )
    document = {"nodes": [node("a"), node("b", write_keys=["k"]), node("c"), node("e"), reader]}
    document["edges"] = [
        edge("a", "b"),
        edge("a", "c"),
        edge("b", "e"),
        edge("e", "d"),
        edge("c", "d"),
    ]
    assert codes(document) == set()

    document["nodes"][4]["join"] = "any"
    assert codes(document) == {"UnprovenReference"}


def test_branches_that_are_chosen_prove_nothing():
    """V28."""
    reader = node("d", "agent", read_keys=["k"], config={"prompt": "{{ memory.k }}"})
    document = {"nodes": [node("a"), node("b", write_keys=["k"]), node("c"), reader]}
    document["edges"] = [edge("a", "b", when="x"), edge("a", "c"), edge("b", "d"), edge("c", "d")]
    assert codes(document) == {"UnprovenReference"}

    document["nodes"][2]["write_keys"] = ["k"]
    assert codes(document) == set()


def test_a_failed_node_has_written_nothing():
    """V28, C32."""
    reader = node("d", "agent", read_keys=["k"], config={"prompt": "{{ memory.k }}"})
    document = line(node("b", write_keys=["k"]), reader)
    document["edges"][1]["on"] = "failed"

    assert codes(document) == {"UnprovenReference"}


def test_what_a_loop_writes_is_unproven_in_its_first_round():
    """V28."""
    reader = node("a", "agent", read_keys=["k"], config={"prompt": "{{ memory.k }}"})
    document = line(reader, node("b", write_keys=["k"]))
    document["edges"] += [edge("b", "a", when="more"), edge("b", "__end__")]

    assert codes(document) == {"UnprovenReference"}


SURE = [
    ("{{ input.name }}", True),
    ("{{ memory.x + 'a' }}", True),
    ("{{ previous == '' ? input : input.b }}", True),
    ("{{ input.map(i, i) }}", True),
    ("{{ has(input.name) ? input.name : '-' }}", None),
    ("{{ input.?name.orValue('-') }}", None),
    ("{{ goal == '' ? input.a : '-' }}", False),
    ("{{ goal == '' && input.a }}", False),
    ("{{ input.a || goal == '' }}", False),
    ("{{ constraints.map(c, input.a) }}", False),
]


@pytest.mark.parametrize(("prompt", "sure"), SURE)
def test_what_surely_fails_is_an_error_where_the_workspace_asks(prompt, sure):
    """V28: What a node surely cannot do without is an error, whatever cures it."""
    found_ = problems(agent(prompt), block_sure_failures=True)
    unread = [p for p in found_ if p.code == "UnreadableKey"]
    lacking = [p for p in unread if p.about[0] != "previous"]

    if sure is None:
        assert lacking == []
        return
    assert {p.severity for p in lacking} == {"error" if sure else "warning"}
    lane = "x" if "memory" in prompt else "input"
    assert {str(read_key(p.about)).partition(".")[0] for p in lacking} == {lane}
    assert {p.severity for p in problems(agent(prompt)) if p.code == "UnreadableKey"} == {"warning"}


def test_what_never_runs_does_not_surely_fail():
    """V28: A node that no run comes to and a router, for whom missing is an answer, stay warned."""
    idle = agent("{{ input }}", disabled=True)
    asks = line(node("r", "router", config={"expression": "input.a"}))
    gives = line(node("o", "output", config={"value": "input.a"}))

    def severities(document):
        found_ = problems(document, block_sure_failures=True)
        return [p.severity for p in found_ if p.code == "UnreadableKey"]

    assert [severities(each) for each in (idle, asks, gives)] == [
        ["warning"],
        ["warning"],
        ["error"],
    ]


def test_the_cure_of_an_unreadable_key_can_be_applied():
    """V28: The wire says which read key to add to which node."""
    document = agent("{{ outputs.b.text }}")
    document["nodes"].append(node("b", "output"))
    [only] = [p for p in problems(document) if p.code == "UnreadableKey"]

    assert only.to_json()["fix"] == {"kind": "add_read_key", "node": "a", "key": "outputs.b"}
