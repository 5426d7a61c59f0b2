"""Skills over HTTP: what they give, where they come from, who names them."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest

from builder.services import catalogue
from builder.services.graphs import graphs
from engine.agents import skills
from engine.agents.skills import Skill, Skills
from tests.builder.conftest import Api, People

PDF = Skill("pdf", "Read PDF files.", "Call read_pdf; pages count from 1.", ("read_pdf",))
AGENT = {"type": "agent", "config": {"agent_id": "reader", "tools": ["+learn_pdf"]}}


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> Skills:
    """One skill of this installation."""
    found = Skills([PDF])
    for reader in ("builder.api.tools.skills", "builder.adapters.check_world"):
        monkeypatch.setattr(f"{reader}.SKILLS", found)
    return found


def test_a_skill_is_shown_with_what_it_gives_its_size_and_who_names_it(
    alice: Api, people: People
) -> None:
    catalogue.create_agent(
        people.olga,
        slug="reader",
        fields={"name": "R", "model": "builtin/extractive", "tools": ["learn_pdf"]},
    )
    catalogue.create_agent(
        people.olga, slug="other", fields={"name": "O", "model": "builtin/extractive"}
    )
    document = {"id": "contracts", "name": "Contracts", "nodes": [{"id": "read", **AGENT}]}
    graph = graphs.import_graph(people.alice, document)
    graphs.publish(people.alice, graph, revision=1)

    (shown,) = alice.get("skills/").json()["results"]

    assert shown == {
        "name": "pdf",
        "tool": "learn_pdf",
        "description": PDF.description,
        "instructions": PDF.instructions,
        "tools": ["read_pdf"],
        "characters": len(PDF.instructions),
        "package": "",
        "graphs": [{"id": str(graph.pk), "name": "Contracts"}],
        "agents": ["reader"],
    }


def test_who_names_a_skill_elsewhere_is_not_told(carol: Api, people: People) -> None:
    catalogue.create_agent(
        people.olga,
        slug="reader",
        fields={"name": "R", "model": "builtin/extractive", "tools": ["learn_pdf"]},
    )

    (shown,) = carol.get("skills/").json()["results"]

    assert (shown["agents"], shown["graphs"]) == ([], [])


def test_a_skill_names_the_package_that_brought_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Skills([PDF], group="some.skills")
    brought = Skill("forecast", "How to.", "Look it up.")

    def load(_point: EntryPoint) -> object:
        found.skill("beside")(_beside)
        return brought

    point = SimpleNamespace(
        load=lambda: load(EntryPoint("a", "b", "some.skills")),
        dist=SimpleNamespace(name="weather"),
        group="some.skills",
        name="a",
        value="b",
    )
    monkeypatch.setattr(skills, "entry_points", lambda group: [point])

    listed = [(each.name, package) for each, package in found.listed()]

    assert listed == [("pdf", ""), ("beside", "weather"), ("forecast", "weather")]


def _beside() -> str:
    """Registered by the module itself."""
    return "So."
