"""Rows C4, C10, C14: parts of lanes, names that memory may not carry, and fenced answers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import agent, check, doc, fn, run

SEE: dict[str, Any] = {
    "functions": {"a": {"returns": {"output": {"p": 1, "q": {"r": 2}}}}, "see": {"view": True}}
}
START: dict[str, Any] = {
    "input": {"y": 1, "z": 2},
    "metadata": {"k": "v", "l": "w"},
    "context": {"user_id": "u", "locale": "de"},
}


@pytest.mark.parametrize(
    ("key", "lane", "seen"),
    [
        ("previous.q", "previous", {"q": {"r": 2}}),
        ("previous.nope", "previous", None),
        ("input.z", "input", {"z": 2}),
        ("metadata.k", "metadata", {"k": "v"}),
        ("context.locale", "context", {"locale": "de"}),
        ("outputs.a.p", "outputs", {"a": {"p": 1}}),
    ],
)
def test_dots_pick_a_part_of_a_lane_too(key: str, lane: str, seen: Any) -> None:
    """C4, C14."""
    done = run(doc([fn("a"), fn("see", reads=[key])]), SEE, **START)

    view = done.outputs["see"]
    assert view[lane] == seen
    others = {"previous", "input", "metadata", "context", "outputs", "memory"} - {lane}
    assert not any(view[other] for other in others)


def test_a_ceiling_narrows_lanes_to_parts() -> None:
    """C9."""
    limited = {"id": "x", "permissions": {"read_keys": ["context.locale"], "write_keys": []}}
    told = agent("b", "{{ context.locale }}", reads=["previous", "context"])
    hidden = agent("b", "{{ context.user_id }}", reads=["previous", "context"])
    script = {"default": [{"text": "ok"}]}

    assert "de" in run(doc([told], agents=[limited]), script, **START).prompt()
    assert run(doc([hidden], agents=[limited]), script, **START).code == "MissingReference"


@pytest.mark.parametrize("key", ["_x", "goal", "input", "outputs.a"])
def test_a_start_gives_no_memory_named_like_a_lane(key: str) -> None:
    """C14."""
    refused = run(doc([fn("see")]), SEE, memory={key: 1})

    assert (refused.exit, refused.codes) == (2, ["InputInvalid"])
    assert key in refused.problems[0]["message"]
    assert run(doc([fn("see")]), SEE, memory={"notes": 1}).memory == {"notes": 1}


def test_one_fenced_object_is_applied_as_writes() -> None:
    """C10, V13."""
    fenced = '```json\n{"draft": "x"}\n```'
    other = '```json\n{"title": "x"}\n```'
    graph = doc([agent("a", writes=["draft"])])

    assert run(graph, {"default": [{"text": fenced}]}).memory == {"draft": "x"}
    assert run(graph, {"default": [{"text": other}]}).memory == {"draft": other}


@pytest.mark.parametrize(
    "asks", [{"when": "x"}, {"condition": "input == 'x'"}, {"on": "failed"}, {"trigger": "agent"}]
)
def test_edges_of_the_start_ask_for_nothing(asks: dict[str, Any]) -> None:
    """K2: Every edge from the start is taken, so what it asks for is refused."""
    graph = doc([fn("see")], [("__start__", "see", asks)])
    found = check(graph, SEE)

    (field,) = asks
    wrong = [p["path"] for p in found.problems if p["code"] == "InvalidValue"]
    assert wrong == [f"edges[0].{field}"]
