"""What problems say to people who draw, and what mends them."""

from __future__ import annotations

import pytest

from engine.check.rules.unknown.strangers import in_words
from tests.engine.check.graphs import codes, line, node, problems
from tests.engine.check.mending import mended


def cures(document, code):
    """Return the labels and edits of the first problem with this code."""
    problem = next(p for p in problems(document) if p.code == code)
    return problem.say, {cure.label: [e.to_json() for e in cure.edits] for cure in problem.fixes}


def test_a_graph_without_a_start_offers_its_first_nodes():
    two = {**line(node("a", label="Ask"), node("b")), "edges": []}

    say, fixes = cures(two, "EntryMissing")

    assert say == "Nothing is wired to Start: say where a run begins."
    assert list(fixes) == ["Start at Ask", "Start at b"]
    edge = {"source": "__start__", "target": "a"}
    wire = {"op": "set", "part": "edge", "id": "", "path": [], "value": edge}
    assert fixes["Start at Ask"] == [wire]


def test_what_may_not_be_read_is_allowed_by_one_edit():
    say, fixes = cures(
        line(node("a", "output", label="Ask", read_keys=[], config={"value": "input.cv"})),
        "UnreadableKey",
    )

    assert say == "Ask may not read input.cv yet."
    add = {"op": "add", "part": "node", "id": "a", "path": ["read_keys"], "value": "input.cv"}
    assert fixes == {"Allow reading input.cv": [add]}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("input.address.town", "input.address"),
        ("input", "input"),
        ("input['a.b']", "input"),
        ("outputs.b.sum", "outputs.b"),
    ],
)
def test_no_more_is_allowed_than_what_is_named(text, key):
    document = line(node("b"), node("a", "output", read_keys=[], config={"value": text}))
    _say, fixes = cures(document, "UnreadableKey")
    document["nodes"][1]["read_keys"] = [key]

    assert list(fixes) == [f"Allow reading {key}"]
    assert "UnreadableKey" not in codes(document)


def asked(config, **inputs):
    """Return a graph whose start has the fields name and cv, and one node that reads them."""
    fields = {"name": {"type": "string"}, "cv": {"type": "string"}}
    face = {"inputs": {"type": "object", "properties": fields, **inputs}}
    return line(node("a", "output", read_keys=["input"], config=config), interface=face)


def test_an_unknown_start_field_is_an_error_where_the_start_is_closed():
    document = asked({"value": "'Hi ' + input.nam"}, additionalProperties=False)

    problem = next(p for p in problems(document) if p.code == "UnknownReference")
    _say, fixes = cures(document, "UnknownReference")

    assert problem.severity == "error"
    assert problem.message == 'The input has no field "nam". Did you mean "name"?'
    use = {"op": "set", "part": "node", "id": "a", "path": ["config", "value"]}
    assert fixes["Use name"] == [{**use, "value": "'Hi ' + input.name"}]
    path = ["interface", "inputs", "properties", "nam"]
    add = {"op": "set", "part": "graph", "id": "", "path": path, "value": {"type": "string"}}
    assert fixes["Add start field nam"] == [add]


def test_an_unknown_start_field_is_a_warning_where_the_start_is_open():
    problem = next(p for p in problems(asked({"value": "input.nam"})) if "Unknown" in p.code)

    assert problem.severity == "warning"


@pytest.mark.parametrize(
    "expression",
    ["input.name", "has(input.nam) ? input.nam : ''", "input", "size(input.cv)"],
)
def test_what_is_declared_or_guarded_is_known(expression):
    document = asked({"value": expression}, additionalProperties=False)

    assert "UnknownReference" not in codes(document)


def reads_start(start=None, **fields):
    told = {} if start is None else {"interface": {"inputs": start}}
    reader = node("a", "output", read_keys=["input"], config={"value": "input.nam"}, **fields)
    return line(reader, **told)


@pytest.mark.parametrize("start", [None, {}, {"type": "object"}, {"properties": {}}])
def test_a_field_of_a_start_that_names_none_is_a_warning_and_can_be_added(start):
    document = reads_start(start)
    [problem] = [p for p in problems(document) if p.code == "UnknownReference"]

    assert problem.severity == "warning"
    assert problem.message == (
        'The start does not ask for "nam": a run that is started without it has none here.'
    )
    [cure] = problem.fixes
    assert cure.label == "Add start field nam"
    edits = {edit.path[2:]: edit.value for edit in cure.edits}
    assert edits.pop(("properties", "nam")) == {"type": "string"}
    assert edits == ({} if "type" in (start or {}) else {("type",): "object"})


def test_what_does_without_a_field_of_the_start_has_a_hint():
    """C16, C62: a condition is false, a router takes another way, an approval shows what there is."""
    condition = reads_start()
    condition["nodes"][0]["config"] = {"value": "'x'"}
    condition["edges"][-1] |= {"id": "e", "condition": "input.nam == 'Ada'"}
    router = line(node("a", "router", read_keys=["input"], config={"expression": "input.nam"}))
    shown = line(node("a", "approval", config={"review_keys": ["input.nam"]}))

    for document in (condition, router, shown):
        [problem] = [p for p in problems(document) if p.code == "UnknownReference"]
        assert problem.severity == "hint"
        assert problem.fixes[0].label == "Add start field nam"


@pytest.mark.parametrize(
    "start",
    [
        {"additionalProperties": True},
        {"additionalProperties": {"type": "string"}},
        {"type": "string"},
        {"patternProperties": {"^n": {}}},
        {"allOf": [{"properties": {"nam": {}}}]},
    ],
)
def test_a_start_that_says_otherwise_what_it_takes_is_left_alone(start):
    assert "UnknownReference" not in codes(reads_start(start))


def test_a_workflow_that_others_start_is_given_what_they_give():
    assert "UnknownReference" not in codes(reads_start(), called=lambda _graph: True)


def test_a_closed_start_without_fields_is_given_none():
    problem = next(p for p in problems(reads_start({"additionalProperties": False})) if p.fixes)

    assert (problem.code, problem.severity) == ("UnknownReference", "error")
    assert problem.message == 'The input has no field "nam": the start takes none.'


def test_what_may_not_be_read_is_told_before_what_nobody_asks_for():
    document = reads_start() | {}
    document["nodes"][0]["read_keys"] = []

    assert codes(document) == {"UnreadableKey"}


def test_a_path_into_the_start_leads_to_a_field_too():
    each = node("m", "map", read_keys=["input"], config={"worker_node_id": "w"})
    each["config"]["items_path"] = "$.input.row[*]"
    inputs = {"properties": {"rows": {"type": "array"}}, "additionalProperties": False}
    document = line(each, node("w", "output"), interface={"inputs": inputs})

    _say, fixes = cures(document, "UnknownReference")

    assert fixes["Use rows"][0]["value"] == "$.input.rows[*]"


def test_a_condition_on_an_unknown_start_field_is_mended_on_the_edge():
    document = asked({}, additionalProperties=False)
    document["nodes"].append(node("b", "output"))
    document["edges"] += [
        {"id": "e", "source": "a", "target": "b", "condition": "input.nam == 'x'"},
        {"id": "f", "source": "a", "target": "__end__"},
    ]

    _say, fixes = cures(document, "UnknownReference")

    use = {"op": "set", "part": "edge", "id": "e", "path": ["condition"]}
    assert fixes["Use name"] == [{**use, "value": "input.name == 'x'"}]


def test_keys_that_nobody_describes_are_described_by_one_edit():
    agent = node("a", "agent", label="Ask", write_keys=["skills", "level"])

    say, fixes = cures(line(agent), "AnswerNotStored")

    assert say == "The answer of Ask is kept nowhere: say what each of its fields is."
    assert [edit["path"] for edit in fixes["Describe skills, level"]] == [
        ["state_schema", "type"],
        ["state_schema", "properties", "skills"],
        ["state_schema", "properties", "level"],
    ]


@pytest.mark.parametrize(
    ("message", "text", "words"),
    [
        ("no viable alternative at input '.'", "{{ input. }}", "Name a field after `input.`"),
        ("no viable alternative", "Hi {{ input.cv", "Close the value with `}}`."),
        ("mismatched input 'x'", "a b x", "This cannot be read yet"),
        ("a single = compares nothing: write ==", "a = 1", "a single = compares nothing"),
        ("unknown function foo", "foo(1)", "unknown function foo"),
    ],
)
def test_what_cannot_be_read_is_said_in_words(message, text, words):
    assert in_words(message, text).startswith(words)


def test_a_mistyped_field_is_not_one_that_may_not_be_read():
    """A field that nothing gives is told so, and called what was meant, or given; all may be read after."""
    document = line(
        node("sort", write_keys=["level"]),
        node("end", "output", read_keys=[], config={"value": "'Dear ' + memory.levelx"}),
        state_schema={"type": "object", "properties": {"level": {"type": "string"}}},
    )
    [told] = [p for p in problems(document) if p.about == ("memory", "levelx")]

    assert (told.code, told.say, told.fix) == ("UnreadableKey", "Nothing gives levelx yet.", None)
    assert [cure.label for cure in told.fixes][:2] == ["Use level", "Add to what sort gives"]
    after = mended(document, told.fixes[0])
    assert after["nodes"][1]["config"]["value"] == "'Dear ' + memory.level"
    assert after["nodes"][1]["read_keys"] == ["level"]
    asked = mended(document, told.fixes[2])
    assert asked["nodes"][1]["config"]["value"] == "'Dear ' + input.levelx"
    for cure in told.fixes:
        assert not {"UnreadableKey", "UnwrittenKey"} & codes(mended(document, cure)), cure.label
