"""The gallery's templates as documents: whole, free of problems, labelled, and laid out."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest

from builder.library.demos import DEMOS, demo_document
from builder.library.templates import CATEGORIES, FOLDER, Template, read_template, templates
from builder.library.templates.needs import need_of
from engine.check import StaticWorld, check
from engine.core.graph.document import GraphSpec, parse_document
from engine.core.node_types.registry import NODE_TYPES
from engine.integrations.tools.functions import DEFAULT

WIDTH = 232
"""Of a card on the canvas."""
HEAD, WAY_OUT, FOOT = 66, 26, 28
"""Heights of its parts; badges in the foot may always come."""
WITHOUT_A_WRITER = {
    "annealing": "prose",
    "evolution": "prose",
    "draft-and-approve": "prose",
    "tool-agent": "tools",
}
ALL = pytest.mark.parametrize("template", templates(), ids=lambda t: t.id)


def world(*graphs: GraphSpec) -> StaticWorld:
    """Return a workspace with the built-in tools and the graphs."""
    tools = {tool.spec.name: tool.spec for tool in asyncio.run(DEFAULT.tools())}
    known = {graph.id: graph for graph in graphs}
    return StaticWorld(tools=tools, graphs=known, block_sure_failures=True)


def specs_of(template: Template) -> list[GraphSpec]:
    """Return the template's graph and those that come along."""
    found = [template.spec]
    for child in template.children:
        spec, problems = parse_document(child)
        assert spec is not None, problems
        found.append(spec)
    return found


@ALL
def test_check_finds_nothing_at_all(template: Template) -> None:
    specs = specs_of(template)

    assert [p for spec in specs for p in check(spec, world(*specs))] == []


@pytest.mark.parametrize("name", DEMOS)
def test_check_finds_nothing_at_all_in_a_demo(name: str) -> None:
    spec, problems = parse_document(demo_document(name))

    assert spec is not None
    assert [*problems, *check(spec, world())] == []


def boxes(spec: GraphSpec) -> dict[str, tuple[float, float, float, float]]:
    """Return where each node and note stands: left, top, right, bottom."""
    found = {}
    for node in spec.nodes:
        assert node.position is not None, node.id
        at = node.position
        tokens = {edge.when for edge in spec.edges_from(node.id) if edge.when is not None}
        ways = len(NODE_TYPES.get(node.type).handles) + len(tokens)
        height = HEAD + WAY_OUT * ways + FOOT
        found[node.id] = (at.x, at.y, at.x + WIDTH, at.y + height)
    for note in spec.notes:
        assert note.size is not None, note.id
        at, size = note.position, note.size
        found[f"note {note.id}"] = (at.x, at.y, at.x + size.width, at.y + size.height)
    return found


DRAWN = [spec for template in templates() for spec in specs_of(template)]
DRAWN += [spec for name in DEMOS if (spec := parse_document(demo_document(name))[0]) is not None]


@pytest.mark.parametrize("spec", DRAWN, ids=lambda spec: spec.id)
def test_nothing_covers_anything_on_the_canvas(spec: GraphSpec) -> None:
    covered = [
        (one, other)
        for (one, a), (other, b) in itertools.combinations(boxes(spec).items(), 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]

    assert covered == []


@ALL
def test_a_template_says_what_it_is_and_what_to_try(template: Template) -> None:
    spec = template.spec

    assert template.card.category in CATEGORIES
    assert spec.name
    assert 20 <= len(spec.description) <= 120
    assert [note.text for note in spec.notes if len(note.text) > 60]
    assert template.examples
    assert all(node.label and node.human_description for node in spec.nodes)


@ALL
def test_the_label_says_which_models_are_enough(template: Template) -> None:
    assert template.needs == WITHOUT_A_WRITER.get(template.id, "builtin")


def test_the_categories_follow_one_another_and_patterns_differ() -> None:
    order = [CATEGORIES.index(t.card.category) for t in templates()]

    assert order == sorted(order)
    assert len({t.card.pattern for t in templates()}) == len(templates())
    assert len(templates()) == len(list(FOLDER.glob("*.yaml")))


@pytest.mark.parametrize(
    ("node", "needs"),
    [
        ({"type": "agent", "config": {"agent_id": "a"}}, "prose"),
        ({"type": "agent", "config": {"agent_id": "a"}, "write_keys": ["free"]}, "prose"),
        ({"type": "agent", "config": {"agent_id": "a"}, "write_keys": ["known"]}, "builtin"),
        ({"type": "agent", "config": {"agent_id": "a", "result_schema": {}}}, "builtin"),
        ({"type": "agent", "config": {"agent_id": "a", "tools": ["add"]}}, "tools"),
        ({"type": "voting", "config": {"voter_agent_ids": ["a"]}}, "prose"),
        (
            {"type": "voting", "config": {"voter_agent_ids": ["a"], "options": ["x", "y"]}},
            "builtin",
        ),
        ({"type": "synthesizer", "config": {}}, "builtin"),
        ({"type": "synthesizer", "config": {"agent_id": "a"}}, "prose"),
        ({"type": "verifier", "config": {"type": "llm_judge"}}, "prose"),
        ({"type": "output", "config": {}}, "builtin"),
    ],
)
def test_needs_follow_from_the_document(node: dict[str, object], needs: str) -> None:
    schema = {"type": "object", "properties": {"known": {"type": "string"}}}
    spec, problems = parse_document(
        {"id": "g", "nodes": [{"id": "n", **node}], "state_schema": schema}
    )
    assert spec is not None, problems

    assert need_of([spec]) == needs


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "odd.yaml"
    broken.write_text("pattern: P\ncategory: Basics\norder: 1\n---\nid: 1\n")

    with pytest.raises(ValueError, match=r"odd\.yaml"):
        read_template(broken)
