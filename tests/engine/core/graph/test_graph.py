"""The document: fields, ranges, defaults, problems."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pydantic import ValidationError

from engine.core.graph.document import dump_document, parse_document
from engine.core.graph.problems import json_path


def spec_of(source):
    spec, problems = parse_document(source)
    assert problems == []
    return spec


FULL = """
graphwright: 1
id: support
name: Support triage
version: "1.0.0"
description: Answers questions.
goal: Answer the customer.
constraints: [Be brief.]
state_schema: {type: object, properties: {topic: {type: string}, notes: {type: array, reducer: append}}}
initial_memory: {a: [1, {b: null}]}
defaults: {read_keys: ["*"], write_keys: [x], merge: replace, on_no_match: end}
limits: {max_iterations: 7, max_execution_time_ms: 1000, budget_usd: "1.50", max_token_budget: 9}
interface: {inputs: {type: object, properties: {q: {type: string}}}, outputs: [answer]}
agents:
  - {id: triage, model: local/default, system_prompt: You sort., temperature: 0.2, tools: [search],
     permissions: {read_keys: ["*"], write_keys: []}}
nodes:
  - id: classify
    type: agent
    human_description: Decides.
    read_keys: []
    write_keys: [topic]
    config: {agent_id: triage, prompt: "{{ input }}"}
    failure_policy: {max_retries: 0, backoff_strategy: fixed, timeout_ms: 30000, circuit_breaker: {enabled: true}}
    budget: {max_tokens: 2000, max_cost_usd: 0.10, on_breach: ask}
    memory_query: {}
    join: any
    metadata: {k: [1]}
    position: {x: 1.5, y: -2}
edges:
  - {source: __start__, target: classify}
  - {id: e1, source: classify, target: __end__, on: failed, priority: -1, label: out}
notes: [{id: n1, kind: frame, text: hi, position: {x: 1, y: 2}, size: {width: 10, height: 20}, color: red}]
"""


def codes(source):
    return [(problem.code, problem.path) for problem in parse_document(source)[1]]


def with_node(**fields):
    return {"id": "g", "nodes": [{"id": "a", "type": "delay", **fields}]}


def test_a_full_document_survives_the_way_out_and_in():
    """K1."""
    spec = spec_of(FULL)
    dumped = dump_document(spec)

    assert spec_of(dumped) == spec
    assert dumped["version"] == "1.0.0"
    assert dumped["nodes"][0]["memory_query"] == {}
    assert "model" not in dumped["agents"][0]


def test_defaults_where_nothing_is_written():
    """C190."""
    spec = spec_of({"id": "g", "agents": [{"id": "x"}], **with_node()})
    node, agent = spec.nodes[0], spec.agents[0]

    assert (node.budget, node.failure_policy.timeout_ms, node.join) == (None, None, "all")
    assert (agent.model, agent.max_output_tokens, agent.temperature) == (
        "local/default",
        2048,
        None,
    )
    assert (spec.limits.max_iterations, spec.limits.max_execution_time_ms) == (50, 3_600_000)
    assert (spec.limits.budget_usd, spec.limits.max_token_budget) == (None, None)
    assert (spec.defaults.merge, spec.defaults.on_no_match) == ("deep", "fail")


def test_retry_policy_defaults():
    """C20, C21, C22, C23, C25, C26, C27, C28."""
    policy = spec_of(with_node()).nodes[0].failure_policy
    breaker = policy.circuit_breaker

    assert (policy.max_retries, policy.backoff_strategy) == (3, "exponential")
    assert (policy.initial_backoff_ms, policy.max_backoff_ms) == (1000, 60_000)
    assert (breaker.enabled, breaker.failure_threshold) == (False, 5)
    assert (breaker.success_threshold, breaker.timeout_ms) == (2, 60_000)


def test_unknown_fields_are_refused_all_at_once():
    """K1."""
    document = {"id": "g", "colour": "red", "nodes": [{"id": "a", "type": "x", "foo": 1}]}

    assert sorted(codes(document)) == [("UnknownField", "colour"), ("UnknownField", "nodes[0].foo")]


def test_an_unknown_field_proposes_the_near_one():
    """K1."""
    problem = parse_document(with_node(descripton="x"))[1][0]

    assert problem.node == "a"
    assert 'Did you mean "description"?' in problem.message


@pytest.mark.parametrize("name", ["__end__", "__start__", "1a", "a b", "", "a" * 129])
def test_bad_node_ids(name):
    """K2."""
    assert codes({"id": "g", "nodes": [{"id": name, "type": "x"}]}) == [
        ("InvalidId", "nodes[0].id")
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"when": "x", "condition": "true"},
        {"when": "x", "trigger": "agent"},
        {"condition": "true", "trigger": "agent"},
    ],
)
def test_an_edge_has_one_way_of_choosing(fields):
    """K2."""
    edge = {"source": "__start__", "target": "a", **fields}

    assert codes({**with_node(), "edges": [edge]}) == [("InvalidValue", "edges[0]")]


@pytest.mark.parametrize(
    ("end", "value"), [("source", "__end__"), ("target", "__start__"), ("target", "")]
)
def test_reserved_ends_stand_on_their_side_only(end, value):
    """K2."""
    edge = {"source": "a", "target": "a", end: value}

    assert codes({**with_node(), "edges": [edge]}) == [("InvalidId", f"edges[0].{end}")]


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"failure_policy": {"max_retries": -1}}, "failure_policy.max_retries"),
        ({"failure_policy": {"max_retries": 11}}, "failure_policy.max_retries"),
        ({"failure_policy": {"max_retries": "3"}}, "failure_policy.max_retries"),
        ({"failure_policy": {"max_retries": True}}, "failure_policy.max_retries"),
        ({"failure_policy": {"backoff_strategy": "none"}}, "failure_policy.backoff_strategy"),
        ({"failure_policy": {"timeout_ms": 0}}, "failure_policy.timeout_ms"),
        ({"budget": {"max_cost_usd": -1}}, "budget.max_cost_usd"),
        ({"budget": {"max_cost_usd": "1,5"}}, "budget.max_cost_usd"),
        ({"budget": {"max_cost_usd": "NaN"}}, "budget.max_cost_usd"),
        ({"budget": {"max_tokens": -1}}, "budget.max_tokens"),
        ({"memory_query": {"max_facts": 0}}, "memory_query.max_facts"),
        ({"memory_query": {"max_facts": 101}}, "memory_query.max_facts"),
        ({"join": "some"}, "join"),
        ({"merge": "shallow"}, "merge"),
        ({"config": []}, "config"),
        ({"read_keys": [""]}, "read_keys[0]"),
    ],
)
def test_ranges_of_node_fields(fields, path):
    """C190, C183."""
    assert codes(with_node(**fields)) == [("InvalidValue", f"nodes[0].{path}")]


@pytest.mark.parametrize(
    "fields",
    [
        {"version": "x" * 65},
        {"limits": {"max_iterations": 0}},
        {"limits": {"max_iterations": 10_001}},
        {"defaults": {"on_no_match": "stop"}},
        {"agents": [{"id": "a", "temperature": 2.1}]},
        {"agents": [{"id": "a", "max_output_tokens": 0}]},
    ],
)
def test_ranges_of_graph_fields(fields):
    """K1, C13, C190."""
    assert [code for code, _path in codes({"id": "g", **fields})] == ["InvalidValue"]


def test_money_keeps_its_digits_and_accepts_numbers():
    """C44."""
    spec = spec_of(FULL)

    assert str(spec.limits.budget_usd) == "1.50"
    assert spec.nodes[0].budget.max_cost_usd == Decimal("0.1")
    assert dump_document(spec)["limits"]["budget_usd"] == "1.50"


def test_falling_back_needs_an_agent():
    """C45."""
    assert codes(with_node(budget={"on_breach": "fallback"})) == [
        ("MissingField", "nodes[0].budget.fallback_agent_id")
    ]


def test_ids_are_unique_in_their_list():
    """S23."""
    document = {"id": "g", "nodes": [{"id": "a", "type": "x"}, {"id": "a", "type": "x"}]}

    problem = parse_document(document)[1][0]

    assert (problem.code, problem.path, problem.node) == ("DuplicateId", "nodes[1].id", "a")


def test_the_same_id_in_two_lists_is_no_problem():
    """S23."""
    assert codes({**with_node(), "agents": [{"id": "a"}]}) == []


@pytest.mark.parametrize("given", [2, 0, "1", None, True])
def test_other_format_versions_are_refused(given):
    """C190."""
    assert codes({"graphwright": given, "id": "g"}) == [("UnsupportedFormat", "graphwright")]


@pytest.mark.parametrize(
    "text", ["a: [", "{", "just text", "[1]", "", b"\xff\xfe\xfd", "a: 1\na: 2"]
)
def test_what_is_no_document_is_unreadable(text):
    """C190."""
    spec, problems = parse_document(text)

    assert spec is None
    assert [problem.code for problem in problems] == ["UnreadableDocument"]


@pytest.mark.parametrize("text", ["just text", "[1]", ""])
def test_what_is_no_object_is_told_what_a_workflow_is(text):
    _, problems = parse_document(text)

    assert problems[0].message.startswith("This is no workflow. One is an object with a name")


def test_a_missing_id_is_named():
    """C190."""
    assert codes({"nodes": [{"type": "x"}]}) == [
        ("MissingField", "id"),
        ("MissingField", "nodes[0].id"),
    ]


def test_words_like_on_are_text():
    """K2."""
    spec = spec_of(
        "id: g\nnodes: [{id: on, type: x, label: yes}]\nedges: [{source: on, target: __end__, on: failed}]"
    )

    assert (spec.nodes[0].label, spec.edges[0].on) == ("yes", "failed")


def test_edges_know_their_place_and_are_grouped_by_end():
    """K2."""
    spec = spec_of(FULL)

    assert [edge.index for edge in spec.edges] == [0, 1]
    assert [edge.key for edge in spec.edges] == ["__start__->classify", "e1"]
    assert spec.edges_from("classify", "completed") == ()
    assert spec.edges_to("classify") == (spec.edges[0],)


def test_a_nodes_own_empty_list_beats_the_graphs_default():
    """C4, C5."""
    spec = spec_of(
        {
            "id": "g",
            "defaults": {"read_keys": ["*"], "write_keys": ["x"]},
            "nodes": [{"id": "a", "type": "t", "read_keys": []}, {"id": "b", "type": "t"}],
        }
    )

    assert [spec.read_keys_of(node) for node in spec.nodes] == [(), ("*",)]
    assert [spec.write_keys_of(node) for node in spec.nodes] == [("x",), ("x",)]


def test_merge_falls_back_to_the_graph():
    """C18."""
    spec = spec_of(
        {
            "id": "g",
            "defaults": {"merge": "replace"},
            "nodes": [{"id": "a", "type": "t", "merge": "deep"}, {"id": "b", "type": "t"}],
        }
    )

    assert [spec.merge_of(node) for node in spec.nodes] == ["deep", "replace"]


def test_the_hash_ignores_positions_and_nothing_else():
    moved = FULL.replace("{x: 1.5, y: -2}", "{x: 99, y: 99}")
    renamed = FULL.replace("human_description: Decides.", "human_description: Chooses.")

    assert spec_of(moved).hash == spec_of(FULL).hash
    assert spec_of(renamed).hash != spec_of(FULL).hash


def test_a_spec_cannot_be_changed():
    """K4."""
    spec = spec_of(FULL)

    with pytest.raises(ValidationError):
        spec.nodes[0].label = "x"
    with pytest.raises(TypeError):
        spec.nodes[0].config["agent_id"] = "other"


def test_node_metadata_is_free_and_kept():
    """K5."""
    assert dump_document(spec_of(FULL))["nodes"][0]["metadata"] == {"k": [1]}


def test_too_many_nodes_are_refused():
    document = {"id": "g", "nodes": [{"id": f"n{i}", "type": "x"} for i in range(2001)]}

    assert codes(document) == [("InvalidValue", "nodes")]


def test_places_are_written_as_authors_read_them():
    assert json_path(("nodes", 0, "config", "a b", 2)) == "nodes[0].config['a b'][2]"


FULL_HASH = "7f89cecda70e72dc810f3a712239771a014e0643b842acffa62c3738884649ee"


def test_a_document_that_says_nothing_of_branching_keeps_its_hash():
    first = spec_of(FULL.replace("join: any", "join: any\n    branching: first"))
    every = spec_of(FULL.replace("join: any", "join: any\n    branching: all"))

    assert spec_of(FULL).hash == first.hash == FULL_HASH
    assert every.hash != FULL_HASH
    assert dump_document(every)["nodes"][0]["branching"] == "all"
    assert "branching" not in dump_document(first)["nodes"][0]


def test_branching_is_first_or_all():
    assert codes(with_node(branching="some")) == [("InvalidValue", "nodes[0].branching")]
