"""Conditions that compare a declared value with what it cannot be."""

import pytest

from tests.engine.check.graphs import line, node, problems
from tests.engine.check.mending import mended

DECLARED = {
    "cv": {"type": "string"},
    "n": {"type": "number"},
    "ok": {"type": "boolean"},
    "maybe": {"type": ["string", "null"]},
    "any": {},
    "level": {"type": "string", "enum": ["junior", "senior"]},
    "open": {"enum": ["junior", None, ["x"]]},
    "stars": {"enum": [1, 2]},
    "who": {"type": "object", "properties": {"name": {"type": "string"}}},
}


def asked(condition):
    """Return a graph whose last wire has a condition."""
    document = line(
        node("a", write_keys=list(DECLARED)),
        node("b"),
        state_schema={"type": "object", "properties": DECLARED},
        interface={"inputs": {"type": "object", "properties": DECLARED}},
    )
    edges = [{**edge, "id": f"e{at}"} for at, edge in enumerate(document["edges"])]
    edges[-1]["condition"] = condition
    return {**document, "edges": edges}


def told(document):
    return [p for p in problems(document) if p.code in ("CannotCompare", "UnknownChoice")]


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("input.cv > 3", "cv is a text: it is neither more nor less than a number, 3."),
        ("memory.cv <= 3.5", "cv is a text: it is neither more nor less than a number, 3.5."),
        ("-3 < input['cv']", "cv is a text: it is neither more nor less than a number, -3."),
        ("input.ok >= 1", "ok is yes or no: it is neither more nor less than a number, 1."),
        ("input.n < 'x'", 'n is a number: it is neither more nor less than a text, "x".'),
        ("input.who.name > 1", "name is a text: it is neither more nor less than a number, 1."),
        (
            "input.n > 1 && input.cv > 3",
            "cv is a text: it is neither more nor less than a number, 3.",
        ),
    ],
)
def test_an_order_that_cannot_be_is_an_error_at_the_condition(condition, words):
    [problem] = told(asked(condition))

    assert (problem.code, problem.severity, problem.say) == ("CannotCompare", "error", words)
    assert problem.path.endswith(".condition")


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("input.level == 'seniro'", 'level is never "seniro". Did you mean "senior"?'),
        ("'seniro' != memory.level", 'level is never "seniro". Did you mean "senior"?'),
        ("input.level == 3", 'level is never 3. Known are: "junior", "senior".'),
        ("input.stars == 7", "stars is never 7. Known are: 1, 2."),
    ],
)
def test_a_value_that_is_no_choice_is_a_warning(condition, words):
    [problem] = told(asked(condition))

    assert (problem.code, problem.severity, problem.say) == ("UnknownChoice", "warning", words)


@pytest.mark.parametrize(
    "condition",
    [
        "input.cv > 'b'",
        "input.n > 3",
        "input.maybe > 3",
        "input.any > 3",
        "input.nothing > 3",
        "result.output > 3",
        "size(input.cv) > 3",
        "input.cv == 3",
        "input.?cv.orValue('') > 'a'",
        "[1].all(n, n > 3)",
        "input.level == 'senior'",
        "input.level != ''",
        "input.level == memory.cv",
        "input.open == 'x'",
        "input.stars == 2.0",
    ],
)
def test_what_may_be_right_is_not_told(condition):
    assert told(asked(condition)) == []


@pytest.mark.parametrize(
    ("condition", "after", "label"),
    [
        ("input.level == 'seniro'", "input.level == 'senior'", "Use senior"),
        ('input.n > "3"', "input.n > 3", "Use 3"),
    ],
)
def test_what_was_meant_is_a_button(condition, after, label):
    document = asked(condition)

    [problem] = told(document)

    [cure] = problem.fixes
    assert cure.label == label
    better = mended(document, cure)
    assert better["edges"][-1]["condition"] == after
    assert told(better) == []


def test_a_long_literal_is_shown_in_part():
    [problem] = told(asked(f"input.level == '{'x' * 2_000}'"))

    assert len(problem.message) < 200


def inside(kind, config):
    """Return a graph whose last node has fields that compare."""
    document = asked("true")
    document["nodes"][-1] = node("b", kind, config=config, read_keys=["input", *DECLARED])
    return document


@pytest.mark.parametrize(
    ("kind", "config", "path"),
    [
        ("router", {"expression": "input.cv > 3 ? 'x' : 'y'"}, "expression"),
        ("output", {"value": "memory.cv > 3"}, "value"),
        ("output", {"text": "Is it {{ input.cv > 3 }}?"}, "text"),
        ("verifier", {"type": "expression", "expression": "input.cv > 3"}, "expression"),
    ],
)
def test_fields_of_a_node_are_held_to_what_is_declared_as_its_wires_are(kind, config, path):
    [problem] = told(inside(kind, config))

    words = "cv is a text: it is neither more nor less than a number, 3."
    assert (problem.code, problem.severity, problem.say) == ("CannotCompare", "error", words)
    assert problem.path.endswith(f".config.{path}")


def test_a_choice_that_a_router_never_has_is_mended_where_it_stands():
    document = inside("router", {"expression": "memory.level == 'seniro' ? 'x' : 'y'"})

    [problem] = told(document)

    assert (problem.code, problem.severity) == ("UnknownChoice", "warning")
    [cure] = problem.fixes
    better = mended(document, cure)
    assert better["nodes"][-1]["config"]["expression"] == "memory.level == 'senior' ? 'x' : 'y'"
    assert told(better) == []


def test_a_risk_that_cannot_be_told_is_a_warning():
    """It counts as the greatest then, and stops nobody."""
    [problem] = told(inside("approval", {"risk": "input.cv > 3 ? 80 : 20"}))

    assert (problem.code, problem.severity) == ("CannotCompare", "warning")


def test_a_prompt_that_is_never_sent_compares_nothing():
    text = {"prompt": "{{ input.cv > 3 }}"}

    assert len(told(inside("synthesizer", {**text, "agent_id": "helper"}))) == 1
    assert told(inside("synthesizer", text)) == []
