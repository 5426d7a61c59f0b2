"""Documents that let the check look at everything for each thing: it stops, and says so."""

from __future__ import annotations

import time
from typing import Any

import pytest

from engine.check import StaticWorld, examine
from engine.check.remainder import remainder
from engine.core.graph.document import GraphSpec, has_errors, parse_document
from engine.core.graph.problems import Problem
from engine.core.values.effort import TooMuchWork, bounded, charge, spare
from engine.core.values.limits import LimitExceeded, parse_json
from tests.e2e import hostile


def examined(document: dict[str, Any], **given: Any) -> tuple[Problem, ...]:
    """Return everything that is wrong with a document."""
    spec, problems = parse_document(document)
    world = StaticWorld(**given)
    if spec is None:
        return (*problems, *remainder(document, problems, lambda _part: world))
    return examine(spec, world).problems


@pytest.mark.parametrize(
    "document",
    [
        hostile.many_templates(),
        hostile.unknown_names(),
        hostile.tools_of_all(),
        hostile.ladder(660),
        hostile.composites(1_900),
        hostile.wrong_everywhere(),
        {**hostile.DOCUMENT, **{f"k{n}": 1 for n in range(200_000)}},
    ],
)
def test_a_check_of_everything_for_each_thing_ends(document: dict[str, Any]) -> None:
    """They took from 9 to 44 s, and 1,900 maps inside of one another were a server error."""
    began = time.thread_time()

    problems = examined(document)

    assert time.thread_time() - began < 12  # a machine may be slow; it is about four
    assert problems
    assert len(problems) <= 20_001


def test_what_was_not_checked_blocks_as_an_error_does() -> None:
    """Nobody gets a graph past its gate by making it too long to look at."""
    problems = examined(hostile.many_templates())

    assert problems[0].code == "TooMuchToCheck"
    assert has_errors(problems)


def test_graphs_that_run_graphs_are_looked_at_once() -> None:
    """Twelve levels of thirty nodes that each run the next graph were thirty to the twelfth."""
    graphs = {f"g{level}": runner(f"g{level + 1}") for level in range(12)}
    graphs["g12"] = spec_of(
        {
            "id": "g12",
            "nodes": [
                {
                    "id": "n",
                    "type": "delay",
                    "config": {"duration_ms": 1},
                    "metadata": {"dangerous": True},
                }
            ],
            "edges": [{"source": "__start__", "target": "n"}],
        }
    )
    began = time.thread_time()

    found = examine(runner("g0"), StaticWorld(graphs=graphs))

    assert time.thread_time() - began < 3
    assert len(found.dangers) == 30


def runner(inner: str) -> GraphSpec:
    """Return a graph whose nodes all run another one."""
    nodes = [
        {"id": f"n{n}", "type": "subgraph", "config": {"subgraph_id": inner}} for n in range(30)
    ]
    edges = [{"source": "__start__", "target": node["id"]} for node in nodes]
    return spec_of({"id": f"runs-{inner}", "nodes": nodes, "edges": edges})


def spec_of(document: dict[str, Any]) -> GraphSpec:
    """Return the checked form of a document."""
    found, problems = parse_document(document)
    assert found is not None, problems
    return found


def test_units_are_counted_inside_of_a_bound_only() -> None:
    charge(10**12)
    with bounded(10):
        charge(9)
        with bounded(10**6), pytest.raises(TooMuchWork):
            charge(2)


def test_what_can_be_done_without_is_left_out_before_the_rest() -> None:
    with bounded(100):
        assert [spare(6), spare(6)] == [True, False]
        charge(100)
    assert spare(10**12)


@pytest.mark.parametrize(
    "text",
    ["[" + "1," * 2_000_000 + "1]", "[" + "{}," * 900_000 + "1]", '{"a":[' + '"",' * 300_000],
)
def test_json_of_too_many_values_is_refused_before_it_is_parsed(text: str) -> None:
    """Parsing 5 MB of numbers stopped everybody for 0.8 s."""
    began = time.thread_time()

    with pytest.raises(LimitExceeded, match="more than 250000 values"):
        parse_json(text, max_bytes=len(text), max_values=250_000)

    assert time.thread_time() - began < 1


def test_marks_in_texts_are_no_values() -> None:
    text = '["' + ",[{" * 100_000 + '", 1]'

    assert parse_json(text, max_values=3) == [",[{" * 100_000, 1]
    with pytest.raises(LimitExceeded):
        parse_json("[1, 2, [3]]", max_values=4)
