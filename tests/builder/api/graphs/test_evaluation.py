"""The value of a text for a sample, as its author types it."""

from __future__ import annotations

from typing import Any

import pytest

from builder.models import Graph, Run
from builder.services.graphs import evaluation
from tests.builder.conftest import Api

pytestmark = pytest.mark.django_db


def given(alice: Api, graph: Graph, text: str, language: str = "expression", **more: Any) -> Any:
    body = {"language": language, "text": text, **more}
    answer = alice.post(f"graphs/{graph.pk}/draft/evaluate/", body)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_template_is_rendered_over_the_input(graph: Graph, alice: Api) -> None:
    found = given(alice, graph, "Dear {{ input.name }},", "template", input={"name": "Ada"})

    assert found == {
        "text": "Dear Ada,",
        "cut": False,
        "holds": True,
        "lacks": None,
        "problem": None,
    }


def test_a_condition_holds_or_does_not(graph: Graph, alice: Api) -> None:
    asked = "input.level == 'senior'"

    assert given(alice, graph, asked, input={"level": "senior"})["holds"] is True
    assert given(alice, graph, asked, input={"level": "junior"})["holds"] is False


def test_what_has_no_value_is_named(graph: Graph, alice: Api) -> None:
    found = given(alice, graph, "memory.level == 'senior'", input={})

    assert (found["lacks"], found["text"], found["holds"]) == ("memory.level", None, False)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cv", 'There is no value "cv". Did you mean input.cv?'),
        ("nam", 'There is no value "nam". Did you mean input.name?'),
        ("level", 'There is no value "level". Did you mean memory.level?'),
        (
            "zzz",
            "There is no value \"zzz\". Choose one that there is, or write a text in quotes: 'zzz'.",
        ),
    ],
)
def test_a_bare_name_is_answered_with_a_value_that_there_is(
    graph: Graph, alice: Api, name: str, words: str
) -> None:
    graph.header = {
        **graph.header,
        "interface": {"inputs": {"properties": {"cv": {"type": "string"}}}},
        "initial_memory": {"level": "senior"},
    }
    graph.save()

    found = given(alice, graph, f"Hi {{{{ {name} }}}}", "template", input={"name": "Ada"})

    assert found["problem"] == words


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("input. == 1", "expression", "This cannot be read yet"),
        ("{{ input. }}", "template", "Name a field after `input.`"),
        ("Hi {{ input.a", "template", "Close the value with `}}`."),
        ("1 / 0", "expression", "divide"),
    ],
)
def test_why_there_is_no_value_is_said_plainly(
    graph: Graph, alice: Api, text: str, language: str, words: str
) -> None:
    found = given(alice, graph, text, language, input={})

    assert words in found["problem"]
    assert "viable" not in found["problem"]


def test_a_field_of_a_text_is_told_in_words(graph: Graph, alice: Api) -> None:
    found = given(alice, graph, "input.CV", "expression", input="only a text")

    assert found["problem"] == "input is a text, it has no field CV"


def test_a_long_value_is_cut(graph: Graph, alice: Api) -> None:
    found = given(alice, graph, "input", input="x" * 5_000)

    assert (len(found["text"]), found["cut"]) == (evaluation.SHOWN, True)


def test_memory_is_what_the_run_has_left(graph: Graph, alice: Api, run: Run) -> None:
    found = given(alice, graph, "size(outputs) >= 0", run=run.pk)

    assert found["holds"] is True


def test_a_run_of_another_workflow_is_none(graph: Graph, alice: Api, run: Run) -> None:
    other = alice.post("graphs/", {"name": "Other"}).json()["id"]
    body = {"language": "expression", "text": "1", "run": run.pk}

    answer = alice.post(f"graphs/{other}/draft/evaluate/", body)

    assert (answer.status_code, answer.json()["code"]) == (404, "RunNotFound")


def test_a_text_beyond_measure_is_refused(graph: Graph, alice: Api) -> None:
    body = {"language": "template", "text": "x" * 70_000}

    assert alice.post(f"graphs/{graph.pk}/draft/evaluate/", body).status_code == 400


def test_an_expression_that_would_take_long_is_refused(graph: Graph, alice: Api) -> None:
    text = "input.map(a, input.map(b, input.map(c, a)))"

    assert given(alice, graph, text, input=list(range(200)))["problem"]


@pytest.mark.parametrize("inputs", ["x", {"properties": [{"a": 1}]}, {"properties": "cv"}, []])
def test_start_fields_that_are_none_break_nothing(graph: Graph, alice: Api, inputs: Any) -> None:
    graph.header = {**graph.header, "interface": {"inputs": inputs}}
    graph.save()

    assert given(alice, graph, "cv")["problem"].startswith('There is no value "cv". Choose one')


def test_a_name_is_compared_with_so_many_fields_only(graph: Graph, alice: Api) -> None:
    many = {f"nam{number}": 1 for number in range(50_000)}

    assert "Choose one" in given(alice, graph, "nam", input=many)["problem"]
    assert "Did you mean input.nam7?" in given(alice, graph, "nam7", input=many)["problem"]
