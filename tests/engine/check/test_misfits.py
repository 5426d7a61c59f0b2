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
