"""Answers of nodes that there are not, and the words of a text that a problem means."""

import pytest

from tests.engine.check.graphs import codes, line, node, problems


def asked(value, kind="output", field="value", **more):
    """Return a node that reads a value, behind a node `check`."""
    first = node("check", "output", label="Tech check")
    return line(first, node("a", kind, config={field: value, **more}))


def only(document, code="UnknownReference"):
    [found] = [p for p in problems(document) if p.code == code]
    return found


@pytest.mark.parametrize("value", ["outputs.chek", "outputs['chek']", "size(outputs.chek.rows)"])
def test_a_node_that_there_is_not_is_told_with_the_one_that_was_meant(value):
    problem = only(asked(value))

    assert problem.severity == "error"
    assert problem.message == 'There is no node "chek". Did you mean "check"?'
    [cure] = problem.fixes
    assert cure.label == "Use Tech check"
    assert cure.edits[0].value == value.replace("['chek']", ".chek").replace("chek", "check")


def test_a_node_that_there_is_not_is_never_one_that_may_not_be_read():
    found = {p.code for p in problems(asked("outputs.ghost + memory.x"))}

    assert "UnknownReference" in found
    assert only(asked("outputs.ghost")).message == 'There is no node "ghost". There are: a, check.'
    assert [p.about for p in problems(asked("outputs.ghost")) if p.code == "UnreadableKey"] == []


def test_what_is_guarded_may_name_any_node():
    assert "UnknownReference" not in codes(asked("has(outputs.ghost) ? outputs.ghost : ''"))


def test_a_wire_a_path_and_a_key_say_it_too():
    wired = asked("'x'")
    wired["edges"][-1] |= {"id": "e", "condition": "outputs.chek == 'yes'"}
    path = asked("$.outputs.chek.rows", kind="map", field="items_path", worker_node_id="check")
    key = asked(
        ["outputs.chek"], kind="reflection", field="source_keys", extractor={"type": "rule_based"}
    )
    for document in (wired, path, key):
        problem = only(document)
        assert "no node" in problem.message
        assert "outputs.check" in str(problem.fixes[0].edits[0].value)


@pytest.mark.parametrize(
    ("value", "code", "words"),
    [
        ("outputs . ghost", "UnknownReference", ("outputs . ghost",)),
        (
            "outputs['ghost'] + outputs.ghost",
            "UnknownReference",
            ("outputs['ghost']", "outputs.ghost"),
        ),
        ("'Hi ' + memory.level", "UnreadableKey", ("memory.level",)),
        ("level + 'x'", "ExpressionInvalid", ("level",)),
        (" 1 + ", "ExpressionInvalid", ("1 +",)),
    ],
)
def test_a_problem_says_which_words_it_means(value, code, words):
    assert only(asked(value), code).words == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A {{ 1 }}\nand {{ 1 + }} here", ("1 +",)),
        ("Dear {{ nobody }}", ("nobody",)),
        ("Dear\nyou {{ input.x", ("{{ input.x",)),
        ("😀 {{ }}", ()),
    ],
)
def test_in_a_template_it_is_the_value_and_not_the_text_around_it(text, words):
    problem = only(asked(text, kind="agent", field="prompt"), "ExpressionInvalid")

    assert problem.words == words
    assert problem.to_json().get("words", []) == list(words)
