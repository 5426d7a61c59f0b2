"""What the editor is told about node types, and which forms can be drawn."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import orjson
import pytest
from pydantic import Field, ValidationError

from engine.core.node_types.catalog import describe
from engine.core.node_types.config_schema import UnsupportedSchema, config_schema
from engine.core.node_types.form import read_config as read_form
from engine.sdk import NODE_TYPES, NodeConfig, NodeType, field


def read_config(node_type: NodeType, raw: dict[str, Any]) -> Any:
    return read_form(node_type, raw)


BUILT_IN = [entry.type for entry in NODE_TYPES.all()]


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_type_describes_itself(name):
    """K43."""
    entry = describe(NODE_TYPES.get(name))

    assert set(entry) == {
        "type",
        "label",
        "words",
        "writes_data",
        "asks_people",
        "icon",
        "category",
        "help",
        "effect_class",
        "config_schema",
        "defaults",
        "handles",
        "result_keys",
        "prompts",
        "views",
    }
    assert all(entry[name] for name in ("label", "icon", "category", "help"))
    assert "$ref" not in orjson.dumps(entry).decode()
    assert all(inner.get("description") for inner in entry["config_schema"]["properties"].values())


def test_handles_tell_their_edge_group():
    kinds = [handle["kind"] for handle in describe(NODE_TYPES.get("approval"))["handles"]]

    assert kinds == ["completed", "rejected", "timed_out", "failed"]
    assert describe(NODE_TYPES.get("router"))["handles"][0]["kind"] == "dynamic"


def test_fields_carry_their_widgets():
    properties = describe(NODE_TYPES.get("agent"))["config_schema"]["properties"]

    assert properties["agent_id"]["x-widget"] == "agent"
    assert properties["prompt"]["x-widget"] == "prompt"
    assert properties["tools"]["x-group"] == "More settings"
    assert properties["agent_id"]["x-group"] == "Settings"
    assert (
        describe(NODE_TYPES.get("question"))["config_schema"]["properties"]["timeout_ms"]["title"]
        == "Timeout"
    )


def type_with(annotation, **hints):
    config = type(
        "Config",
        (NodeConfig,),
        {
            "__annotations__": {"x": annotation},
            "x": field(description="x", **hints),
            "__module__": __name__,
        },
    )
    return type("T", (NodeType,), {"__doc__": "T.", "type": "t", "label": "T", "Config": config})


class Named(NodeConfig):
    """Told apart by its type."""

    type: Literal["named"] = "named"


class Numbered(NodeConfig):
    """Told apart by its type."""

    type: Literal["numbered"] = "numbered"


class Loose(NodeConfig):
    """Cannot be told apart."""

    a: int = 1


class Endless(NodeConfig):
    """Contains itself."""

    inner: Endless | None = None


SUPPORTED = [
    str,
    int,
    float,
    bool,
    int | None,
    Literal["a", "b"],
    Literal["a"] | None,
    tuple[str, ...],
    tuple[Named, ...],
    dict[str, int],
    Named | None,
    Annotated[Named | Numbered, Field(discriminator="type")],
    Named | Numbered,
    Literal["any"] | Loose,
]


@pytest.mark.parametrize("annotation", SUPPORTED, ids=str)
def test_forms_that_can_be_drawn(annotation):
    assert config_schema(type_with(annotation))["properties"]["x"]


@pytest.mark.parametrize(
    "annotation",
    [Any, dict[str, Any], Loose | Named, tuple[int, str], Endless, str | Literal["a"], list[Any]],
    ids=str,
)
def test_forms_that_cannot_be_drawn_are_refused(annotation):
    with pytest.raises(UnsupportedSchema):
        config_schema(type_with(annotation))


def test_any_json_needs_its_widget():
    assert config_schema(type_with(Any, widget="json"))
    with pytest.raises(UnsupportedSchema, match="no widget"):
        config_schema(type_with(str, widget="spinner"))


@pytest.mark.parametrize("name", BUILT_IN)
def test_configs_refuse_unknown_fields(name):
    """C190."""
    with pytest.raises(ValidationError, match="extra_forbidden"):
        read_config(NODE_TYPES.get(name), {"nonsense": 1})


@pytest.mark.parametrize(
    ("name", "raw", "expected"),
    [
        (
            "agent",
            {"agent_id": "a"},
            {"frame": "standard", "history": 0, "repair_turns": 1, "tools": None},
        ),
        ("tool", {"tool_id": "t"}, {"arguments": None, "compensation": None}),
        ("http_request", {"url": "u"}, {"method": "GET", "effect_class": None}),
        ("function", {"handler": "h"}, {"params": {}}),
        ("router", {}, {"expression": None}),
        ("question", {"question": "q"}, {"kind": "text", "timeout_ms": None, "answer_key": None}),
        ("output", {}, {"value": None, "metadata": None}),
        (
            "approval",
            {},
            {
                "approval_type": "human_review",
                "timeout_ms": 86_400_000,
                "rejection_node_id": None,
                "prompt_message": "Please review and approve this workflow step.",
                "review_keys": ("*",),
                "editable_keys": (),
            },
        ),
    ],
)
def test_config_defaults(name, raw, expected):
    """K4, C90, C91, C92, C93, C94, I11."""
    config = read_config(NODE_TYPES.get(name), raw)

    assert {key: getattr(config, key) for key in expected} == expected


def test_annealing_defaults():
    """C121, C122, C123, C124, C125."""
    found = read_config(NODE_TYPES.get("agent"), {"agent_id": "a", "annealing": {}}).annealing

    assert found.model_dump() == {
        "evaluator_agent_id": None,
        "score_path": "$.score",
        "threshold": 0.8,
        "max_iterations": 5,
        "initial_temperature": 1.0,
        "final_temperature": 0.2,
        "diminishing_returns_delta": 0.02,
    }


def test_swarm_defaults():
    """C130, C131, C132."""
    raw = {"agent_id": "a", "swarm": {"peer_nodes": ["b"]}}

    found = read_config(NODE_TYPES.get("agent"), raw).swarm

    assert (found.max_handoffs, found.handoff_mode) == (10, "agent_choice")
    with pytest.raises(ValidationError):
        read_config(NODE_TYPES.get("agent"), {"agent_id": "a", "swarm": {"peer_nodes": []}})


def test_an_approval_policy_in_all_its_forms():
    """C95."""
    policy = {
        "eligible": ["user:a", "group:b", "role:c", "=memory.owner"],
        "rule": {"at_least": 2},
        "four_eyes": ["starter"],
        "veto": True,
        "require_reason": "reject",
        "reminders": [1000],
        "escalation": {"after_ms": 5, "to": "role:boss"},
    }

    found = read_config(NODE_TYPES.get("approval"), {"policy": policy}).policy

    assert (found.rule.at_least, found.escalation.to) == (2, ("role:boss",))
    with pytest.raises(ValidationError):
        read_config(NODE_TYPES.get("approval"), {"policy": {"eligible": ["bob"]}})


@pytest.mark.parametrize(
    ("config", "effect"),
    [
        ({"method": "GET"}, "read"),
        ({"method": "HEAD"}, "read"),
        ({"method": "POST"}, "unsafe"),
        ({"method": "DELETE"}, "unsafe"),
        ({"method": "POST", "effect_class": "keyed"}, "keyed"),
    ],
)
def test_a_requests_effect_follows_its_method(config, effect):
    entry = NODE_TYPES.get("http_request")

    assert entry.effect_of(read_config(entry, {"url": "u", **config})).value == effect


def test_result_keys_of_types():
    """C8."""
    question = NODE_TYPES.get("question")
    asked = read_config(question, {"question": "q", "answer_key": "k"})

    assert NODE_TYPES.get("tool").own_keys("t", None) == ("t_result",)
    assert NODE_TYPES.get("approval").own_keys("r", None) == ("r_result",)
    assert question.own_keys("q", asked) == ("k",)
    assert NODE_TYPES.get("agent").own_keys("a", None) == ()


@pytest.mark.parametrize(
    ("word", "type_"),
    [
        ("if", "router"),
        ("switch", "router"),
        ("branch", "router"),
        ("classify", "agent"),
        ("extract", "agent"),
        ("llm", "agent"),
        ("prompt", "agent"),
        ("join", "synthesizer"),
        ("merge", "synthesizer"),
        ("loop", "map"),
        ("human", "approval"),
        ("e-mail", "http_request"),
        ("template", "output"),
        ("end", "output"),
        ("webhook", "http_request"),
        ("input", "question"),
        ("user", "question"),
        ("confirm", "approval"),
        ("database", "tool"),
        ("sql", "tool"),
        ("json", "function"),
        ("download", "http_request"),
    ],
)
def test_words_that_people_type_find_a_type(word, type_):
    assert word in describe(NODE_TYPES.get(type_))["words"]


def test_a_field_is_edited_by_another_only_where_that_ones_form_can():
    """What may be edited by a reviewer was in no form: its neighbour only goes through its keys."""
    edits_too = {"policy", "expression"}
    for node_type in BUILT_IN:
        properties = describe(NODE_TYPES.get(node_type))["config_schema"]["properties"]
        for name, schema in properties.items():
            if schema.get("x-beside"):
                assert schema.get("x-widget") in edits_too, (node_type, name)
            assert schema.get("x-of", name) in properties, (node_type, name)
