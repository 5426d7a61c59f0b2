"""Fields of what is declared as a text, a number, yes or no, or a list."""

import pytest

from tests.engine.check.graphs import edge, line, node, problems
from tests.engine.check.mending import mended

DECLARED = {
    "fit": {"type": "string"},
    "score": {"type": ["number", "null"]},
    "done": {"type": "boolean"},
    "items": {"type": "array", "items": {"type": "object"}},
    "who": {"type": "object", "properties": {"name": {"type": "string"}}},
    "any": {},
    "either": {"type": ["string", "object"]},
}


def asked(prompt, **fields):
    """Return a node that reads what another may not have written, and may start without it."""
    document = line(
        node("w", write_keys=list(DECLARED)),
        node("a", "agent", config={"prompt": prompt}, **fields),
        state_schema={"type": "object", "properties": DECLARED},
        interface={"inputs": {"type": "object", "properties": DECLARED}},
    )
    return {**document, "edges": [*document["edges"], edge("__start__", "a")]}


def told(document):
    return [p for p in problems(document) if p.code == "UnknownReference"]


@pytest.mark.parametrize("lane", ["memory", "input"])
@pytest.mark.parametrize(
    ("path", "words", "instead"),
    [
        ("fit.x", "fit is a text and has no field x.", "fit"),
        ("score.x", "score is a number and has no field x.", "score"),
        ("done.x", "done is yes or no and has no field x.", "done"),
        ("items.x", "items is a list and has no field x.", "items"),
        ("who.name.x", "name is a text and has no field x.", "who.name"),
        ("fit.x.y", "fit is a text and has no field x.", "fit"),
    ],
)
def test_a_field_of_what_has_none_is_an_error_with_the_value_in_its_place(
    lane, path, words, instead
):
    document = asked(f"Is {{{{ {lane}.{path} }}}}?", read_keys=["input", *DECLARED])

    [problem] = told(document)

    assert (problem.severity, problem.say, problem.node) == ("error", words, "a")
    assert [p.code for p in problems(document) if p.about[:1] == (lane,)] == ["UnknownReference"]
    [cure] = problem.fixes
    assert cure.label == f"Use {instead.rpartition('.')[2]}"
    after = mended(document, cure)
    assert after["nodes"][1]["config"]["prompt"] == f"Is {{{{ {lane}.{instead} }}}}?"
    assert told(after) == []


def test_the_cure_lets_the_node_read_the_value():
    document = asked("{{ memory.fit.x }}", read_keys=["fit.x"])
    [problem] = told(document)

    assert mended(document, problem.fixes[0])["nodes"][1]["read_keys"] == ["fit.x", "fit"]


@pytest.mark.parametrize(
    "prompt",
    [
        "{{ memory.who.name }}",
        "{{ memory.any.x }}",
        "{{ memory.either.x }}",
        "{{ memory.fit.size() }}",
        "{{ memory.items[0].x }}",
        "{{ memory.items.map(i, i.x) }}",
        "{{ has(memory.fit.x) ? 'y' : 'n' }}",
        "{{ memory.who.other.x }}",
    ],
)
def test_what_may_have_the_field_or_asks_for_it_is_no_error(prompt):
    assert told(asked(prompt, read_keys=list(DECLARED))) == []


def test_a_wire_says_it_too():
    document = asked("x")
    document["edges"][-1] |= {"id": "e", "condition": "memory.fit.x == 'y'"}

    [problem] = told(document)

    assert (problem.severity, problem.say) == ("error", "fit is a text and has no field x.")
    assert mended(document, problem.fixes[0])["edges"][-1]["condition"] == "memory.fit == 'y'"
